// The job queue: work that follows a committed change and may be tried again. It wraps pg-boss, which keeps jobs in
// the same database, so a job is enqueued in the transaction of the change that caused it. Delivery is at least once:
// handlers must be idempotent. Nothing here knows a feature.
import { CompiledQuery, type Kysely } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { Id } from '#shared/ids.ts';
import type { Tables } from '../db/tables.ts';

/** What a job of each name carries; handlers and enqueuing code share this table. */
export interface JobPayloads {
  'import.run': { importId: Id<'upload'> };
}
export type JobName = keyof JobPayloads;

/** Handles one job; a throw means "try again later". */
export type JobHandler<N extends JobName> = (payload: JobPayloads[N]) => Promise<void>;
export type JobHandlers = { [N in JobName]: JobHandler<N> };

const RETRY = { retryLimit: 5, retryDelay: 2, retryBackoff: true } as const;
/** A killed process loses its jobs after this silence; pg-boss allows no less. */
const HEARTBEAT_SECONDS = 10;
const EXPIRE_SECONDS = 3_600;
const SUPERVISE_SECONDS = 5;
const POLL_SECONDS = 2;
const STOP_TIMEOUT_MS = 15_000;

export interface JobQueue {
  /** Adds a job inside the given transaction: a rollback removes it. */
  enqueue<N extends JobName>(
    db: Kysely<Tables>,
    name: N,
    payload: JobPayloads[N],
    key?: string,
  ): Promise<void>;
  /** Begins to work; call once, after migrations. */
  start(handlers: JobHandlers): Promise<void>;
  /** Finishes running jobs, hands back the rest. */
  stop(): Promise<void>;
}

/** Opens the queue on its own small pool of the same database. */
export function createJobQueue(url: string, onError: (error: Error) => void): JobQueue {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'loci jobs',
    max: 3,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    schedule: false,
    useListenNotify: true,
  });
  boss.on('error', onError);
  let started = false;

  return {
    async enqueue(db, name, payload, key) {
      const inTransaction = {
        executeSql: async (text: string, values: unknown[] = []) => {
          const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
          return { rows };
        },
      };
      await boss.send(name, payload, { ...RETRY, db: inTransaction, ...(key ? { singletonKey: key } : {}) });
    },

    async start(handlers) {
      await boss.start();
      started = true;
      await listen(boss, 'import.run', handlers['import.run']);
    },

    async stop() {
      if (!started) return;
      started = false;
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };
}

async function listen<N extends JobName>(boss: PgBoss, name: N, handler: JobHandler<N>): Promise<void> {
  await boss.createQueue(name, {
    ...RETRY,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    notify: true,
  });
  await boss.work<JobPayloads[N]>(name, { pollingIntervalSeconds: POLL_SECONDS }, async (jobs) => {
    for (const job of jobs) await handler(job.data);
  });
}
