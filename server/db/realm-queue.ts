/**
 * Writers of one realm queue in this process instead of in the database: one writes, one waits for the version lock,
 * and the rest hold no connection. Between processes the lock itself decides.
 */
import { AppError } from '#shared/errors.ts';
import { TIMEOUTS } from '../limits.ts';
import type { Database } from './database.ts';
import { countWait } from './waiting-time.ts';

/** One at work, one at the lock, so that the lock is never free between two writers. */
const AT_ONCE = 2;

interface Queue {
  running: number;
  waiting: Set<() => void>;
}

const queues = new WeakMap<Database, Map<string, Queue>>();

/** Runs the work when its realm is free, in order of arrival. @throws unavailable when the queue does not move */
export async function inRealmQueue<T>(db: Database, realmId: string, work: () => Promise<T>): Promise<T> {
  const realms = queues.get(db) ?? new Map<string, Queue>();
  queues.set(db, realms);
  const queue = realms.get(realmId) ?? { running: 0, waiting: new Set() };
  realms.set(realmId, queue);
  if (queue.running >= AT_ONCE) await countWait(() => waitIn(queue));
  else queue.running += 1;
  try {
    return await work();
  } finally {
    // The place passes on directly, so that no later arrival overtakes.
    const [next] = queue.waiting;
    if (next !== undefined) {
      queue.waiting.delete(next);
      next();
    } else {
      queue.running -= 1;
      if (queue.running === 0) realms.delete(realmId);
    }
  }
}

function waitIn({ waiting }: Queue): Promise<void> {
  return new Promise((resolve, reject) => {
    const proceed = () => {
      clearTimeout(limit);
      resolve();
    };
    const limit = setTimeout(() => {
      waiting.delete(proceed);
      reject(new AppError('unavailable', 'This workspace is busy, please try again', { retryAfter: 1 }));
    }, TIMEOUTS.realmQueue);
    waiting.add(proceed);
  });
}
