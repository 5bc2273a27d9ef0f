// First syncs are the expensive pulls: the number per user at a time is limited, so that many tabs cannot starve others. A
// request that waits too long is refused and may be retried.
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import { TIMEOUTS } from '../limits.ts';

const BOOTSTRAPS_PER_USER = 2;
const LOOK_AGAIN_MS = 20;

export interface Turns {
  /** Runs the work, a bootstrap only when the user has a turn left. @throws unavailable */
  take<T>(userId: string, bootstrap: boolean, work: () => Promise<T>): Promise<T>;
}

/** Initially without running turns. */
export function createTurns(): Turns {
  const running = new Map<string, number>();
  return {
    async take(userId, bootstrap, work) {
      if (!bootstrap) return work();
      const until = performance.now() + TIMEOUTS.firstSync;
      while ((running.get(userId) ?? 0) >= BOOTSTRAPS_PER_USER) {
        if (performance.now() > until) {
          throw new AppError('unavailable', 'Too many first syncs at once', { retryAfter: 2 });
        }
        await pause(LOOK_AGAIN_MS);
      }
      running.set(userId, (running.get(userId) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (running.get(userId) ?? 1) - 1;
        if (left > 0) running.set(userId, left);
        else running.delete(userId);
      }
    },
  };
}
