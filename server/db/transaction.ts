// The only door to synced tables (SYNC 2.4): one transaction per write, opened by the version lock, retried when the
// database asks for it, and announced after the commit. It knows no feature and no permission.
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import type { PokeBus } from '../sync/poke-bus.ts';
import type { Database } from './database.ts';
import type { KeptWrite, KeptWrites } from './kept-writes.ts';
import { isOutdatedPlan } from './prepared-statements.ts';
import { takeTurn } from './realm-turns.ts';
import { RealmVersions } from './realm-versions.ts';
import { ServerTx, type TxActor } from './server-tx.ts';

/** What a write needs of the server; the context of the process has it. */
export interface WriteContext {
  db: Database;
  /** Connections that write transactions run on. */
  writeDb: Database;
  clock: Clock;
  log: Pick<Logger, 'error'>;
  /** Hears of every commit, with the new version of each realm. */
  pokes: Pick<PokeBus, 'committed'>;
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
  realmIds: readonly [string, ...string[]],
  actor: TxActor,
  write: (tx: ServerTx) => Promise<T>,
): Promise<Written<T>> {
  const kept = context.keptWrites?.next();
  if (kept?.earlier !== undefined) {
    const earlier: Written<T> = JSON.parse(kept.earlier);
    return earlier;
  }
  const keeping = kept === undefined ? write : keepingIn(kept, write);
  for (let attempt = 0; ; attempt++) {
    try {
      return await writeOnce(context, realmIds, actor, keeping);
    } catch (error) {
      const retried = RETRIED.has(sqlState(error) ?? '') || isOutdatedPlan(error);
      if (attempt >= RETRIES || !retried) throw asAppError(error);
      await pause(Math.random() * JITTER_MS * 2 ** attempt);
    }
  }
}

/** The write, with what it gives noted in its own transaction. */
function keepingIn<T>(kept: KeptWrite, write: (tx: ServerTx) => Promise<T>): (tx: ServerTx) => Promise<T> {
  return async (tx) => {
    const value = await write(tx);
    await kept.keep(tx.trx, { version: tx.versions.of(tx.realmId), value } satisfies Written<T>);
    return value;
  };
}

async function writeOnce<T>(
  context: WriteContext,
  realmIds: readonly [string, ...string[]],
  actor: TxActor,
  write: (tx: ServerTx) => Promise<T>,
): Promise<Written<T>> {
  const [realmId] = realmIds;
  const { tx, value } = await takeTurn(context.writeDb, realmId, () =>
    context.writeDb
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (trx) => {
        const versions = new RealmVersions(trx);
        const tx = new ServerTx({ trx, versions, realmId, actor, now: context.clock.now() });
        // Sent together; the position is read after the lock was taken, because statements run in order.
        await Promise.all([versions.lock(realmIds, context.statementTimeoutMs), tx.readPosition()]);
        return { tx, value: await write(tx) };
      }),
  );
  context.pokes.committed(tx.versions.all);
  await tx.runAfterCommit().catch((error: unknown) => {
    context.log.error({ error }, 'work after a commit failed');
  });
  return { version: tx.versions.of(realmId), value };
}
