/**
 * Writers of one realm queue up in this process instead of in the database: one writes, one already waits for the
 * version lock, and the rest hold no connection. Other processes are kept apart by the lock itself.
 */
import type { Database } from './database.ts';

/** One at work, one at the lock, so that the lock is never free between two writers. */
const AT_ONCE = 2;

interface Queue {
  running: number;
  waiting: (() => void)[];
}

const queues = new WeakMap<Database, Map<string, Queue>>();

/** Runs the work when it is its turn in the realm, in order of arrival. */
export async function takeTurn<T>(db: Database, realmId: string, work: () => Promise<T>): Promise<T> {
  const realms = queues.get(db) ?? new Map<string, Queue>();
  queues.set(db, realms);
  const queue = realms.get(realmId) ?? { running: 0, waiting: [] };
  realms.set(realmId, queue);
  if (queue.running >= AT_ONCE) await new Promise<void>((resolve) => queue.waiting.push(resolve));
  else queue.running += 1;
  try {
    return await work();
  } finally {
    // The turn passes on; nobody who comes meanwhile can overtake.
    const next = queue.waiting.shift();
    if (next !== undefined) next();
    else {
      queue.running -= 1;
      if (queue.running === 0) realms.delete(realmId);
    }
  }
}
