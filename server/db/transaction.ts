// The only door to synced tables (SYNC 2.4): one transaction per write, opened by the version lock, retried when the
// database asks for it, and announced after the commit. It knows no feature and no permission.
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import type { SyncMetrics } from '../sync/metrics.ts';
import type { PokeBus } from '../sync/poke-bus.ts';
import type { Database } from './database.ts';
import type { KeptWrite, KeptWrites } from './kept-writes.ts';
import { isOutdatedPlan } from './prepared-statements.ts';
import { takeTurn } from './realm-turns.ts';
import { RealmVersions } from './realm-versions.ts';
import { ServerTx, type Positions, type TxActor } from './server-tx.ts';
import { createShare } from './shared-writes.ts';

/** What a write needs of the server; the context of the process has it. */
export interface WriteContext {
  db: Database;
  /** Connections that write transactions run on. */
  writeDb: Database;
  clock: Clock;
  log: Pick<Logger, 'error'>;
  /** Hears of every commit, with the new version of each realm. */
  pokes: Pick<PokeBus, 'committed'>;
  /** Hears how long writes wait for their realm, and what came of pushed ones. */
  metrics: SyncMetrics;
  /** Limit of each statement after the lock, when it is to be stricter than the pool's. */
  statementTimeoutMs?: number;
  /** Of a request that may be made again; see idempotency.ts. */
  keptWrites?: KeptWrites;
}

/** What a write gives back: the value of its function and the version its main realm has reached. */
export interface Written<T> {
  version: number;
  value: T;
}

const RETRIED = new Set(['40001', '40P01']);
const RETRIES = 3;
const JITTER_MS = 40;

/** SQLSTATE of a database error, else undefined. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

/** Violations that a request can cause become answers; everything else stays a fault. */
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
  return onceOnly(context, write, async (keeping) => {
    const done: Done<T>[] = [];
    await writeAlone(context, realmIds, partOf(actor, keeping, done));
    return finish(context, realmIds[0], done);
  });
}

/**
 * Like writeInRealm, for the short writes of people: those that wait for the same realm share a transaction and a
 * version. When one of them fails, nothing of the others is lost: each is then run by itself.
 */
export async function writeTogether<T>(
  context: WriteContext,
  realmId: string,
  actor: TxActor,
  write: (tx: ServerTx) => Promise<T>,
): Promise<Written<T>> {
  return onceOnly(context, write, async (keeping) => {
    const done: Done<T>[] = [];
    const askedAt = performance.now();
    const sharing = share(context.writeDb, realmId, partOf(actor, keeping, done), {
      inTurn: (run) => takeTurn(context.writeDb, realmId, run),
      together: (parts) => transact(context, [realmId], parts, askedAt),
      alone: (part) => writeAlone(context, [realmId], part),
      mayRetry,
    });
    await sharing.catch((error: unknown) => {
      throw asAppError(error);
    });
    return finish(context, realmId, done);
  });
}

type Write<T> = (tx: ServerTx) => Promise<T>;

/** Runs a write of a request that may be made again, unless an earlier run committed it: then its outcome. */
function onceOnly<T>(
  { keptWrites }: WriteContext,
  write: Write<T>,
  run: (keeping: Write<T>) => Promise<Written<T>>,
): Promise<Written<T>> {
  const kept = keptWrites?.next();
  if (kept === undefined) return run(write);
  if (kept.earlier === undefined) return run(keepingIn(kept, write));
  const earlier: Written<T> = JSON.parse(kept.earlier);
  return Promise.resolve(earlier);
}

/** The write, with what it gives noted in its own transaction. */
function keepingIn<T>(kept: KeptWrite, write: Write<T>): Write<T> {
  return async (tx) => {
    const value = await write(tx);
    await kept.keep(tx.trx, { version: tx.versions.of(tx.realmId), value } satisfies Written<T>);
    return value;
  };
}

type Realms = readonly [string, ...string[]];

/** One write of a transaction that may hold several. */
interface Part {
  actor: TxActor;
  write(tx: ServerTx): Promise<void>;
}

interface Done<T> {
  tx: ServerTx;
  value: T;
}

const share = createShare<Part>();

/** Remembers what each run came to; the last one is the one that was committed. */
function partOf<T>(actor: TxActor, write: (tx: ServerTx) => Promise<T>, done: Done<T>[]): Part {
  return {
    actor,
    async write(tx) {
      done.push({ tx, value: await write(tx) });
    },
  };
}

function mayRetry(error: unknown): boolean {
  return RETRIED.has(sqlState(error) ?? '') || isOutdatedPlan(error);
}

async function writeAlone(context: WriteContext, realmIds: Realms, part: Part): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const askedAt = performance.now();
    try {
      return await takeTurn(context.writeDb, realmIds[0], () => transact(context, realmIds, [part], askedAt));
    } catch (error) {
      if (attempt >= RETRIES || !mayRetry(error)) throw asAppError(error);
      context.metrics.writeRetried();
      await pause(Math.random() * JITTER_MS * 2 ** attempt);
    }
  }
}

/** One transaction under the version lock, for all parts in their order. */
async function transact(
  context: WriteContext,
  realmIds: Realms,
  parts: readonly Part[],
  askedAt: number,
): Promise<void> {
  await context.writeDb
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (trx) => {
      const versions = new RealmVersions(trx);
      const positions: Positions = new Map();
      const given = { trx, versions, positions, realmId: realmIds[0] };
      const open = parts.map(({ actor, write }) => ({
        write,
        tx: new ServerTx({ ...given, actor, now: context.clock.now() }),
      }));
      // Sent together; positions are read after the lock was taken, because statements run in order.
      await Promise.all([
        versions.lock(realmIds, context.statementTimeoutMs).then(() => context.metrics.realmLocked(askedAt)),
        ...open.map(({ tx }) => tx.readPosition()),
      ]);
      for (const { write, tx } of open) await write(tx);
    });
}

/** What follows the commit. */
async function finish<T>(
  context: WriteContext,
  realmId: string,
  done: readonly Done<T>[],
): Promise<Written<T>> {
  const last = done.at(-1);
  if (last === undefined) throw new Error('A write was committed without having run');
  const { tx, value } = last;
  context.pokes.committed(tx.versions.all);
  await tx.runAfterCommit().catch((error: unknown) => {
    context.log.error({ error }, 'work after a commit failed');
  });
  return { version: tx.versions.of(realmId), value };
}
