/** How many guesses a password takes, by zxcvbn in a thread that starts with the first question and ends when idle. */
import { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';

/** What the thread is sent; the words are those that an attacker who knows the person tries first. */
export interface GuessQuestion {
  id: number;
  passwords: readonly string[];
  words: readonly string[];
}

/** The fewest guesses that one of the passwords takes. */
export interface GuessAnswer {
  id: number;
  guesses: number;
}

interface Waiting {
  resolve(guesses: number): void;
  reject(error: Error): void;
}

/** The time of an estimate grows faster than the length, and nothing beyond makes a password easier. */
const LENGTH_MAX = 100;
const WAITING_MAX = 50;
const PATIENCE_MS = 5_000;
/** The first question waits for the thread to read its dictionaries, which takes long on a busy machine. */
const START_PATIENCE_MS = 30_000;
const IDLE_MS = 60_000;

const waiting = new Map<number, Waiting>();
let thread: Worker | undefined;
let isReady = false;
let idle: NodeJS.Timeout | undefined;
let asked = 0;

/** @throws unavailable when the thread is overloaded, slow or failed: a password that was not judged is not taken */
export async function fewestGuesses(passwords: readonly string[], words: readonly string[]): Promise<number> {
  if (waiting.size >= WAITING_MAX) throw busy();
  const worker = thread ?? start();
  clearTimeout(idle);
  asked += 1;
  const question: GuessQuestion = {
    ...{ id: asked, words },
    passwords: passwords.map((password) => password.slice(0, LENGTH_MAX)),
  };
  const timer = setTimeout(() => stop(worker), isReady ? PATIENCE_MS : START_PATIENCE_MS);
  try {
    return await new Promise<number>((resolve, reject) => {
      waiting.set(question.id, { resolve, reject });
      worker.postMessage(question);
    });
  } finally {
    clearTimeout(timer);
    waiting.delete(question.id);
    if (waiting.size === 0) idle = setTimeout(() => stop(worker), IDLE_MS).unref();
  }
}

function busy(): AppError {
  return new AppError('unavailable', 'The password could not be checked', { retryAfter: 2 });
}

function start(): Worker {
  const worker = new Worker(new URL('guess-worker.ts', import.meta.url));
  isReady = false;
  worker.on('message', ({ id, guesses }: GuessAnswer) => {
    isReady = true;
    waiting.get(id)?.resolve(guesses);
  });
  worker.on('error', () => stop(worker));
  // A question keeps the process alive by its timer, an idle thread does not.
  worker.unref();
  thread = worker;
  return worker;
}

function stop(worker: Worker): void {
  if (thread !== worker) return;
  thread = undefined;
  for (const { reject } of waiting.values()) reject(busy());
  void worker.terminate();
}
