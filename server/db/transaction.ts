// The only way to write synced tables: one transaction per write, opened by the version lock, retried only after a
// proven rollback, and announced after the commit.
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import type { Clock } from '../clock.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { TIMEOUTS } from '../limits.ts';
import type { Logger } from '../log.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { SyncMetrics } from '../sync/metrics.ts';
import type { PokeBus } from '../sync/poke-bus.ts';
import type { Database } from './database.ts';
import { isConnectionLost } from './database-trouble.ts';
import { writeOnce, type IdempotencyLog } from './idempotency-log.ts';
import { isOutdatedPlan } from './prepared-statements.ts';
import { realmQueueOf } from './realm-queue.ts';
import { RealmVersions } from './realm-versions.ts';
import { sqlState } from './sql-state.ts';
import { areTablesSpread } from './spread-tables.ts';
import { ServerTx, type TxActor } from './server-tx.ts';

/** The part of the context that a write needs. */
export interface WriteContext {
  db: Database;
  /** Connections that write transactions run on. */
  writeDb: Database;
  clock: Clock;
  log: Pick<Logger, 'error'>;
  /** Notified of every commit, with the new version of each realm. */
  pokes: Pick<PokeBus, 'committed'>;
  /** Measures how long writes wait for their realm, and the outcome of pushed ones. */
  metrics: SyncMetrics;
  /** Limit of each statement after the lock, when it is to be stricter than the pool's. */
  statementTimeoutMs?: number;
  /** Whether a failed write runs again; provesRollback unless a test shows what any other rule does. */
  mayRunAgain?: (failure: WriteFailure) => boolean;
  /** Of a request with an Idempotency-Key. */
  idempotencyLog?: IdempotencyLog;
  /** Of a request with If-Match: the check that its first write transaction begins with. */
  precondition?: Precondition;
  /** For jobs that belong to the write; a host without a queue works on none. */
  jobs?: Pick<JobQueue, 'enqueue'>;
  /** The request that the write belongs to. */
  origin?: RequestOrigin | undefined;
}

/** A check that holds for the state of the database under the realm's lock. */
export interface Precondition {
  /** The check for the first write transaction of a request; undefined for later ones, which follow its own change. */
  take(): ((db: Database) => Promise<void>) | undefined;
}

/** The result of a write: the value of its function and the version that its main realm has reached. */
export interface Written<T> {
  version: number;
  value: T;
}

const RETRIED = new Set(['40001', '40P01']);
const RETRIES = 3;
const JITTER_MS = 40;

/** Turns violations that a request can cause into AppErrors; returns every other error unchanged. */
export function asAppError(error: unknown): unknown {
  switch (sqlState(error)) {
    case '23505':
      return new AppError('conflict', 'This is already taken');
    case '23503':
      return new AppError('conflict', 'Something this refers to is not there any more');
    default:
      return error;
  }
}

/** Writes in one realm; see writeInRealms. */
export function writeInRealm<T>(
  context: WriteContext,
  realmId: string,
  actor: TxActor,
  write: (tx: ServerTx) => Promise<T>,
): Promise<Written<T>> {
  return writeInRealms(context, [realmId], actor, write);
}

/**
 * Runs `write` under the version lock of the realms; the first is the main one, whose rows tx.get and tx.update mean.
 * More realms may be locked inside, by what is touched. `write` may run again after a rollback, so it has no other
 * effects than the transaction's; those belong into tx.afterCommit.
 */
export async function writeInRealms<T>(
  context: WriteContext,
  realmIds: Realms,
  actor: TxActor,
  write: (tx: ServerTx) => Promise<T>,
): Promise<Written<T>> {
  const check = context.precondition?.take();
  return writeOnce(context.idempotencyLog, async (store) => {
    const { tx, value } = await commit(context, realmIds, actor, async (open) => {
      await check?.(open.trx);
      const outcome = await write(open);
      await store(open.trx, {
        version: open.versions.of(open.realmId),
        value: outcome,
      } satisfies Written<T>);
      return outcome;
    });
    context.pokes.committed(tx.versions.all);
    await tx.runAfterCommit().catch((error: unknown) => {
      context.log.error({ error }, 'work after a commit failed');
    });
    return { version: tx.versions.of(realmIds[0]), value };
  });
}

type Realms = readonly [string, ...string[]];

/** One run of a write; `committing` is set once all statements before COMMIT have succeeded. */
interface Attempt {
  startedAt: number;
  committing: boolean;
}

interface Committed<T> {
  tx: ServerTx;
  value: T;
}

/** Runs the transaction, and retries it only if the failure proves that it was not committed. */
async function commit<T>(
  context: WriteContext,
  realmIds: Realms,
  actor: TxActor,
  write: (tx: ServerTx) => Promise<T>,
): Promise<Committed<T>> {
  const { mayRunAgain = provesRollback } = context;
  const firstAt = performance.now();
  for (let retries = 0; ; retries++) {
    const attempt: Attempt = { startedAt: performance.now(), committing: false };
    try {
      return await realmQueueOf(context.writeDb)(realmIds[0], () =>
        transact(context, { realmIds, actor, write, attempt }),
      );
    } catch (error) {
      const failure = { error, committing: attempt.committing, elapsedMs: performance.now() - firstAt };
      if (retries >= RETRIES || !mayRunAgain(failure)) throw asReported(failure);
      context.metrics.writeRetried();
      await pause(Math.random() * JITTER_MS * 2 ** retries);
    }
  }
}

export interface WriteFailure {
  error: unknown;
  /** Whether COMMIT may have been sent. */
  committing: boolean;
  /** Since the first run began. */
  elapsedMs: number;
}

/** True when the failure proves that nothing was committed and the same work may succeed. */
export function provesRollback({ error, committing, elapsedMs }: WriteFailure): boolean {
  if (RETRIED.has(sqlState(error) ?? '') || isOutdatedPlan(error)) return true;
  return !committing && isConnectionLost(error) && elapsedMs < TIMEOUTS.writeRetry;
}

function asReported({ error, committing }: WriteFailure): unknown {
  if (!committing || !isConnectionLost(error)) return asAppError(error);
  return new AppError(
    'unavailable',
    'The connection to the database broke, so this may or may not be saved',
    {
      retryAfter: 1,
    },
  );
}

interface Transacted<T> {
  realmIds: Realms;
  actor: TxActor;
  write(tx: ServerTx): Promise<T>;
  attempt: Attempt;
}

/** One transaction under the version lock. */
async function transact<T>(
  context: WriteContext,
  { realmIds, actor, write, attempt }: Transacted<T>,
): Promise<Committed<T>> {
  const everywhere = (await areTablesSpread(context.db)) ? context.db : undefined;
  return context.writeDb
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (trx) => {
      const versions = new RealmVersions(trx);
      const tx = new ServerTx({
        trx,
        versions,
        actor,
        realmId: realmIds[0],
        now: context.clock.now(),
        jobs: context.jobs,
        origin: context.origin,
        everywhere,
      });
      // Sent together; the position is read after the lock was acquired, because statements run in order.
      await Promise.all([
        versions
          .lock(realmIds, context.statementTimeoutMs)
          .then(() => context.metrics.realmLocked(attempt.startedAt)),
        tx.readPosition(),
      ]);
      const value = await write(tx);
      attempt.committing = true;
      return { tx, value };
    });
}
