/** How many guesses a password takes, by zxcvbn in a thread that starts with the first question and ends when idle. */
import type { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import { callThread, startThread } from '../jobs/run-in-thread.ts';
import { TIMEOUTS } from '../limits.ts';

/** What the thread is sent; the words are those that an attacker who knows the person tries first. */
export interface GuessQuestion {
  passwords: readonly string[];
  words: readonly string[];
}

const WORKER = new URL('guess-worker.ts', import.meta.url);
const MEMORY_MB = 256;
/** The time of an estimate grows faster than the length, and nothing beyond makes a password easier. */
const LENGTH_MAX = 100;
const WAITING_MAX = 50;
const IDLE_MS = 60_000;

let thread: Promise<Worker | undefined> | undefined;
let idle: NodeJS.Timeout | undefined;
let waiting = 0;
/** Settles with the question before. */
let last: Promise<unknown> = Promise.resolve();

/**
 * The fewest guesses that one of the passwords takes.
 * @throws unavailable when the thread is overloaded or failed: a password that was not judged is not taken
 */
export async function fewestGuesses(passwords: readonly string[], words: readonly string[]): Promise<number> {
  if (waiting >= WAITING_MAX) throw busy();
  waiting += 1;
  clearTimeout(idle);
  const question = { passwords: passwords.map((password) => password.slice(0, LENGTH_MAX)), words };
  const estimated = last.then(() => estimate(question));
  last = estimated.catch(() => undefined);
  try {
    const guesses = await estimated;
    if (guesses === undefined) throw busy();
    return guesses;
  } finally {
    waiting -= 1;
    if (waiting === 0) idle = setTimeout(stop, IDLE_MS).unref();
  }
}

function busy(): AppError {
  return new AppError('unavailable', 'The password could not be checked', { retryAfter: 2 });
}

async function estimate(question: GuessQuestion): Promise<number | undefined> {
  thread ??= startThread(WORKER, MEMORY_MB);
  const worker = await thread;
  // A question keeps the process alive by its timers, an idle thread does not.
  worker?.unref();
  const guesses = worker && (await callThread<number>(worker, question, TIMEOUTS.passwordEstimate));
  if (guesses === undefined) stop();
  return guesses;
}

function stop(): void {
  void thread?.then((worker) => worker?.terminate());
  thread = undefined;
}
