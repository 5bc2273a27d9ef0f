/**
 * Writers of one realm queue in this process instead of in the database: one writes, one waits for the version lock,
 * and the rest hold no connection. Between processes the lock itself decides.
 */
import { AppError } from '#shared/errors.ts';
import { createFairQueue, type FairQueue } from '../fair-queue.ts';
import type { Database } from './database.ts';
import { countWait } from './waiting-time.ts';

const LIMITS = {
  /** One at work, one at the lock, so that the lock is never free between two writers. */
  lineAtOnce: 2,
  timeout: 'realmQueue',
  refusal: () => new AppError('unavailable', 'This workspace is busy, please try again', { retryAfter: 1 }),
  countWait,
} as const;

const queues = new WeakMap<Database, FairQueue>();

/** The queue of a database; its lines are realms. */
export function realmQueueOf(db: Database): FairQueue {
  const queue = queues.get(db) ?? createFairQueue(LIMITS);
  queues.set(db, queue);
  return queue;
}
