/** How many guesses a password withstands, by zxcvbn in a thread, one estimate after the other. */
import { AppError } from '#shared/errors.ts';
import { createFairQueue } from '../fair-queue.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import { TIMEOUTS } from '../limits.ts';

/** Message to the thread; `words` are those that an attacker who knows the person would try first. */
export interface GuessQuestion {
  passwords: readonly string[];
  words: readonly string[];
}

const WORKER = new URL('guess-worker.ts', import.meta.url);
const LIMITS = { memoryMb: 256, limitMs: TIMEOUTS.passwordEstimate };
/** The time of an estimate grows faster than the length, and characters beyond it never make a password weaker. */
const LENGTH_MAX = 100;
const WAITING_MAX = 50;

const takeTurn = createFairQueue({ atOnce: 1, lineWaitingMax: WAITING_MAX, refusal: busy });

/**
 * The lowest estimate among the passwords.
 * @throws unavailable when the thread is overloaded or failed: a password without an estimate is not accepted
 */
export async function fewestGuesses(passwords: readonly string[], words: readonly string[]): Promise<number> {
  const question = { passwords: passwords.map((password) => password.slice(0, LENGTH_MAX)), words };
  return takeTurn('estimates', async () => {
    const guesses = await runInThread<number>(WORKER, question, LIMITS);
    if (guesses === undefined) throw busy();
    return guesses;
  });
}

function busy(): AppError {
  return new AppError('unavailable', 'The password could not be checked', { retryAfter: 2 });
}
