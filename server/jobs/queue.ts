// The job queue: work that follows a committed change and may be retried. It wraps pg-boss, which stores jobs in the
// same database, so a job is enqueued in the transaction of the change that caused it.
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { CompiledQuery, type Kysely, sql, type RawBuilder } from 'kysely';
import { PgBoss, type JobResult } from 'pg-boss';
import type { Tables } from '../db/tables.ts';
import { TIMEOUTS } from '../limits.ts';
import { JOBS, type JobHandlers, type JobName, type JobPayload, type JobRow } from './jobs.ts';
import { showLife, type SignOfLife } from './lost-jobs.ts';
import { textOf } from '../log.ts';

/** The shortest that pg-boss allows. */
const HEARTBEAT_SECONDS_MIN = 10;
const EXPIRE_SECONDS = 3_600;
const RETRY_DELAY_MAX_SECONDS = 3_600;
/** How often silence is looked for: pg-boss does so when both of its intervals have passed. */
const SUPERVISE_SECONDS = 5;
/** Workers are woken by notifications, and by ready-jobs.ts for jobs without one; they rarely poll by themselves. */
const POLLING = { pollingIntervalSeconds: 60, notifyPollingIntervalSeconds: 60 } as const;

/** Jobs of one group run one after the other, so that no group holds up another. */
export interface EnqueueOptions {
  group?: string;
  /** Minimum delay in seconds. */
  afterSeconds?: number | undefined;
  /** Only when no other job of this kind waits. */
  inBackground?: boolean;
}

export interface JobQueue {
  /** Adds a job inside this transaction: a rollback removes it. */
  enqueue<N extends JobName>(
    db: Kysely<Tables>,
    name: N,
    payload: JobPayload<N>,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Creates the tables and queues, for processes that only enqueue; otherwise the first job does it. */
  prepare(): Promise<void>;
  /** Starts the workers of all jobs, after migrations; a failed start has been undone and may be tried again. */
  start(handlers: JobHandlers): Promise<void>;
  /** Finishes running jobs and returns the others to the queue. */
  stop(): Promise<void>;
}

/** Errors of the queue itself, and jobs that failed for good. */
export interface QueueEvents {
  onError(error: Error): void;
  onGivenUp(name: JobName): void;
}

/** Opens the queue on its own small pool of the same database. */
export function createJobQueue(url: string, events: QueueEvents): JobQueue {
  const limits = { connectionTimeoutMillis: TIMEOUTS.jobConnection, query_timeout: TIMEOUTS.jobStatement };
  const open = async (works: boolean) => {
    const boss = new PgBoss({
      // Passed on to its pool.
      ...limits,
      connectionString: url,
      application_name: 'loci jobs',
      max: works ? 3 : 1,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
      supervise: works,
      schedule: works,
      useListenNotify: works,
    });
    boss.on('error', events.onError);
    try {
      await boss.start();
      await declareQueues(boss);
    } catch (error) {
      await boss.stop({ graceful: false });
      throw error;
    }
    return boss;
  };
  let worker: PgBoss | undefined;
  let life: SignOfLife | undefined;
  let endLooks = new AbortController();
  // A process that works on no jobs may still enqueue some.
  let sender: Promise<PgBoss> | undefined;
  const openSender = () =>
    (sender ??= open(false).catch((error: unknown) => {
      sender = undefined;
      throw error;
    }));

  const stop = async () => {
    endLooks.abort();
    const open = [worker, await sender?.catch(() => undefined)].filter((boss) => boss !== undefined);
    worker = sender = undefined;
    await Promise.all(open.map((boss) => boss.stop({ graceful: true, timeout: TIMEOUTS.stopJobs })));
    await life?.end();
    life = undefined;
  };

  return {
    async prepare() {
      await openSender();
    },

    async enqueue(db, name, payload, { group, afterSeconds, inBackground = false } = {}) {
      const boss = worker ?? (await openSender());
      const inTransaction = {
        executeSql: async (text: string, values: unknown[] = []) => {
          const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
          return { rows };
        },
      };
      await boss.send(name, payload, {
        db: inTransaction,
        ...(group !== undefined && { group: { id: group } }),
        ...(afterSeconds !== undefined && { startAfter: afterSeconds }),
        ...(inBackground && { priority: -1 }),
      });
    },

    async start(handlers) {
      const boss = await open(true);
      worker = boss;
      try {
        life = await showLife(url, events.onError);
        const workers = new Map<string, string[]>();
        for (const name of jobNames()) await workOn(boss, name, { handlers, events, workers });
        endLooks = new AbortController();
        void wakeForReadyJobs(boss, workers, { signal: endLooks.signal, onError: events.onError });
      } catch (error) {
        await stop();
        throw error;
      }
    },

    stop,
  };
}

function jobNames(): JobName[] {
  return Object.keys(JOBS) as JobName[];
}

/** Where pg-boss puts jobs whose last try failed, whether by a throw or by the death of their process. */
export const deadQueueOf = (name: JobName) => `${name}.dead`;

/** Creates the queue of every job, or brings an existing one to the present settings. */
async function declareQueues(boss: PgBoss): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const name of jobNames()) {
    const { retry }: JobRow = JOBS[name];
    const dead = deadQueueOf(name);
    if (!known.has(dead)) await boss.createQueue(dead, { retryLimit: 3, retryDelay: 5, retryBackoff: true });
    const settings = {
      retryLimit: retry.limit,
      retryDelay: retry.delaySeconds,
      retryBackoff: true,
      retryDelayMax: RETRY_DELAY_MAX_SECONDS,
      heartbeatSeconds: Math.max(HEARTBEAT_SECONDS_MIN, Math.ceil(TIMEOUTS.jobSilence / 1_000)),
      expireInSeconds: EXPIRE_SECONDS,
      deadLetter: dead,
      notify: true,
    };
    const found = known.get(name);
    if (!found) await boss.createQueue(name, settings);
    else if (!isDeepStrictEqual({ ...found, ...settings }, { ...found }))
      await boss.updateQueue(name, settings);
  }
}

interface WorkOptions {
  handlers: JobHandlers;
  events: QueueEvents;
  /** Receives the workers of each queue. */
  workers: Map<string, string[]>;
}

async function workOn<N extends JobName>(
  boss: PgBoss,
  name: N,
  { handlers, events, workers: ids }: WorkOptions,
): Promise<void> {
  const { payload: schema, schedule, batch = 1, workers = 1 }: JobRow = JOBS[name];
  const handler = handlers[name];
  // The row's schema is the one that the payload type derives from.
  const parse = (data: unknown) => schema.parse(data ?? {}) as JobPayload<N>;
  const side = {
    ...POLLING,
    batchSize: batch,
    perJobResults: true,
    localGroupConcurrency: 1,
  } as const;
  const started: string[] = [];
  for (let count = 0; count < workers; count += 1) {
    let worker = '';
    worker = await boss.work<unknown>(name, side, async (jobs) => {
      const results = await Promise.all(
        jobs.map((job) => settle(job.id, () => handler.run(parse(job.data), { id: job.id }))),
      );
      // A notification wakes a worker once, however many jobs wait, so it looks again at once after each of them.
      boss.notifyWorker(worker);
      return results;
    });
    started.push(worker);
  }
  const forDead = await boss.work<unknown>(deadQueueOf(name), POLLING, async (jobs) => {
    for (const { data } of jobs) {
      events.onGivenUp(name);
      await handler.giveUp?.(parse(data));
    }
  });
  ids.set(name, started).set(deadQueueOf(name), [forDead]);
  if (schedule !== undefined) await boss.schedule(name, schedule, {}, { tz: 'UTC' });
}

/** The outcome of one job of a batch, so that a failure is tried again alone. */
async function settle(id: string, run: () => Promise<unknown>): Promise<JobResult> {
  try {
    await run();
    return { id, status: 'completed' };
  } catch (error) {
    return {
      id,
      status: 'failed',
      output: { message: error instanceof Error ? error.message : textOf(error) },
    };
  }
}

/** A query for the data of each job of a kind that began since then and has no attempts left, and the number of its ends. */
export function endedJobs(name: JobName, since: Date): RawBuilder<{ data: unknown; times: number }> {
  return sql`(select job."data", count(*)::int as "times" from pgboss.job
    where job."name" = ${name} and job."state" > 'active' and job."created_on" > ${since.toISOString()}::timestamptz
      and not exists (select 1 from pgboss.job other
        where other."name" in (${name}, ${deadQueueOf(name)}) and other."state" <= 'active' and other."data" = job."data")
    group by job."data")`;
}

/** Milliseconds between two looks. */
const INTERVAL_MS = 2_000;

const READY = `
  select name from unnest($1::text[]) as queue (name)
  where exists (
    select from pgboss.job
    where job.name = queue.name and job.state < 'active' and not job.blocked and job.start_after <= now()
  )`;

type WorkersByQueue = ReadonlyMap<string, readonly string[]>;

/**
 * Jobs may wait without having been announced: retries, scheduled jobs, and abandoned ones. One statement finds them in all
 * queues, so that the workers of each queue need not poll. Wakes the workers of each queue in which a job waits, again and
 * again until the signal.
 */
async function wakeForReadyJobs(
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
