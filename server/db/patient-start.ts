// A step of the start that needs the database, which may be slow, restarting, or not up yet.
import { setTimeout as sleep } from 'node:timers/promises';
import { TIMEOUTS } from '../limits.ts';
import { isPassing } from './database-trouble.ts';

const AGAIN_MS = 500;
const SAY_MS = 5_000;

/**
 * Tries the step until it succeeds, fails for a reason that does not pass by itself, or TIMEOUTS.databaseStart is over. A
 * failed attempt must be rolled back by the step.
 * @param say receives a line at the first failure, and every few seconds after
 */
export async function startPatiently<T>(step: () => Promise<T>, say: (line: string) => void): Promise<T> {
  const end = performance.now() + TIMEOUTS.databaseStart;
  let saidAt = -Infinity;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!isPassing(error) || performance.now() > end) throw error;
      if (performance.now() - saidAt > SAY_MS) {
        saidAt = performance.now();
        say(`The database does not respond yet (${String(error)}); trying again`);
      }
    }
    await sleep(AGAIN_MS);
  }
}
