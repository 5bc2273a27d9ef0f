// Jobs that wait without having been announced: retries, scheduled jobs, and abandoned ones. One statement finds them in all
// queues, so that the workers of each queue need not poll.
import { setTimeout as pause } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { textOf } from '../log.ts';

/** Milliseconds between two looks. */
const INTERVAL_MS = 2_000;

const READY = `
  select name from unnest($1::text[]) as queue (name)
  where exists (
    select from pgboss.job
    where job.name = queue.name and job.state < 'active' and not job.blocked and job.start_after <= now()
  )`;

export type WorkersByQueue = ReadonlyMap<string, readonly string[]>;

/** Wakes the workers of each queue in which a job waits, again and again until the signal. */
export async function wakeForReadyJobs(
  boss: PgBoss,
  workers: WorkersByQueue,
  { signal, onError }: { signal: AbortSignal; onError: (error: Error) => void },
): Promise<void> {
  while (!signal.aborted) {
    try {
      await pause(INTERVAL_MS, undefined, { signal, ref: false });
      const { rows } = await boss.getDb().executeSql(READY, [[...workers.keys()]]);
      for (const { name } of rows) for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker);
    } catch (error) {
      if (!signal.aborted) onError(error instanceof Error ? error : new Error(textOf(error)));
    }
  }
}
