// The shared Tx on PostgreSQL: reads what the actor may read, writes rows, and keeps the feed in step with each write.
// Everything happens inside the one transaction of writeInRealms; nothing here checks permissions.
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { AppError } from '#shared/errors.ts';
import type { Tx } from '#shared/define/mutator.ts';
import type { Head, SyncedKind } from '#shared/entities.ts';
import type { Position } from '#shared/permissions.ts';
import { RESULT_PREFIX } from '#shared/sync/keys.ts';
import { userAudience } from '../sync/audiences.ts';
import {
  cascadeOf,
  reachesOthers,
  settleAfterInsert,
  settleCascade,
  settleOthers,
} from '../sync/dependants.ts';
import { RESULT_KIND, touchRows, writeEdges, type FeedWriter, type TouchReason } from '../sync/feed.ts';
import { readableBy } from '../sync/readable.ts';
import { openWindow } from '../sync/windows.ts';
import { insertRows } from './insert-rows.ts';
import type { RealmVersions } from './realm-versions.ts';
import { columnValue, entityIdOfRow, isRow } from './synced-tables.ts';
import type { Tables } from './tables.ts';

/** Jobs act as the system: they read every row of their realm and are nobody's editor. */
export const systemActor = { userId: null } as const;

/** Who reads through a transaction. */
export type TxActor = { userId: string } | typeof systemActor;

/** Runs after a successful commit; must not throw, because the change is already made. */
export type AfterCommit = () => void | Promise<void>;

interface ServerTxParts {
  trx: Transaction<Tables>;
  versions: RealmVersions;
  /** The realm that the mutators' rows belong to. */
  realmId: string;
  actor: TxActor;
  now: Date;
  /** Shared by all parts of a transaction: what one of them changes, the others must not remember. */
  positions?: Positions;
}

/** Positions read under the lock, until a row changes that could change them. */
export type Positions = Map<string, Promise<Position | undefined>>;

/** A write transaction bound to one actor and one main realm. */
export class ServerTx implements Tx, FeedWriter {
  readonly side = 'server';
  /** The transaction itself, for reads and for tables that are not synced; a raw write of a synced row needs `touch`. */
  readonly trx: Transaction<Tables>;
  readonly versions: RealmVersions;
  readonly realmId: string;
  readonly actor: TxActor;
  /** Server time of this transaction. */
  readonly now: Date;
  readonly #afterCommit: AfterCommit[] = [];
  readonly #positions: Positions;

  constructor(parts: ServerTxParts) {
    this.trx = parts.trx;
    this.versions = parts.versions;
    this.realmId = parts.realmId;
    this.actor = parts.actor;
    this.now = parts.now;
    this.#positions = parts.positions ?? new Map();
  }

  /** Position of a member of the realm's workspace, by default of who acts; undefined when deleted or no member. */
  readPosition(userId = this.actor.userId): Promise<Position | undefined> {
    if (userId === null || userId === this.realmId) return Promise.resolve(undefined);
    const known = this.#positions.get(userId) ?? positionOf(this, userId);
    this.#positions.set(userId, known);
    return known;
  }

  /** The stored row, whose extra columns and full notes a replica does not have. */
  async get<K extends SyncedKind>(kind: K, id: string): Promise<Head<K> | undefined> {
    const { userId } = this.actor;
    const allowed = userId === null ? sql`true` : readableBy(kind, 'row', { realmId: this.realmId, userId });
    const { rows } = await sql<Head<K>>`
      select ${selection(kind)} where ${isRow(kind, this.realmId, id)} and ${allowed}`.execute(this.trx);
    return rows[0];
  }

  async insert<K extends SyncedKind>(kind: K, row: Head<K>): Promise<void> {
    await this.insertMany(kind, [row]);
  }

  /** Adds rows of one kind in one statement; rows that are already there stay as they are. @throws conflict */
  async insertMany<K extends SyncedKind>(kind: K, rows: readonly Head<K>[]): Promise<void> {
    const { added, entered } = await insertRows(this, kind, rows);
    const fresh = rows.map((row) => entityIdOfRow(kind, row)).filter((id) => added.has(id));
    for (const row of rows) {
      const id = entityIdOfRow(kind, row);
      if (added.has(id) || (await this.get(kind, id)) !== undefined) continue;
      throw new AppError('conflict', 'This id is taken');
    }
    if (!entered) await this.touch(kind, fresh);
    for (const id of settling(kind, rows, fresh)) await settleAfterInsert(this, this.realmId, { kind, id });
  }

  async update<K extends SyncedKind>(kind: K, id: string, fields: Partial<Head<K>>): Promise<void> {
    const pairs = Object.entries(fields).map(
      ([column, value]) => sql`${sql.ref(column)} = ${columnValue(column, value)}`,
    );
    if (pairs.length === 0) return;
    const { numAffectedRows } = await sql`
      update ${sql.table(kind)} as row set ${sql.join(pairs)} where ${isRow(kind, this.realmId, id)}`.execute(
      this.trx,
    );
    if (numAffectedRows === 0n) return;
    await this.touch(kind, [id]);
    if (reachesOthers(kind, fields)) await settleOthers(this, this.realmId, { kind, id });
  }

  async remove(kind: SyncedKind, id: string): Promise<void> {
    const cascade = await cascadeOf(this, { kind, id });
    const { numAffectedRows } = await sql`
      delete from ${sql.table(kind)} as row where ${isRow(kind, this.realmId, id)}`.execute(this.trx);
    if (numAffectedRows === 0n) return;
    await this.touch(kind, [id]);
    if (cascade !== undefined) await settleCascade(this, this.realmId, cascade);
  }

  /** Makes raw writes of synced rows visible; `audience` when only their readers may have changed. */
  touch(kind: SyncedKind, ids: readonly string[], reason: TouchReason = 'changed'): Promise<void> {
    if (kind === 'workspace' || kind === 'workspace_member') this.#positions.clear();
    return touchRows(this, { realmId: this.realmId, kind, ids, reason });
  }

  async openThread(threadId: string, at: string): Promise<void> {
    const { userId } = this.actor;
    if (userId !== null) await openWindow(this, { realmId: this.realmId, userId, threadId, at });
  }

  async acknowledge(resultId: string): Promise<void> {
    const [clientId = '', mutationId = ''] = resultId.split('/');
    const { userId } = this.actor;
    if (userId === null) return;
    const { numAffectedRows } = await sql`
      delete from "sync_mutation_result" where "clientId" = ${clientId} and "mutationId" = ${mutationId}
        and "userId" = ${userId} and "realmId" = ${this.realmId}`.execute(this.trx);
    if (numAffectedRows === 0n) return;
    await writeEdges(this, {
      ...{ realmId: this.realmId, kind: RESULT_KIND, entityIds: [resultId], edges: [], reason: 'changed' },
    });
  }

  /** Shows the result of a refused mutation to its author. */
  async showResult(resultId: string, userId: string): Promise<void> {
    const edge = {
      realmId: this.realmId,
      audienceId: userAudience(userId, this.realmId),
      key: `${RESULT_PREFIX}${resultId}`,
      entityId: resultId,
    };
    await writeEdges(this, {
      ...{ realmId: this.realmId, kind: RESULT_KIND, entityIds: [resultId] },
      ...{ edges: [edge], reason: 'changed' },
    });
  }

  /**
   * Runs a part that may fail alone: when it throws, its writes, locks and after-commit tasks are undone and the error
   * is thrown on, while the rest of the transaction goes on.
   */
  async attempt<T>(part: () => Promise<T>): Promise<T> {
    const forgetLocks = this.versions.remember();
    const tasks = this.#afterCommit.length;
    await sql`savepoint attempt`.execute(this.trx);
    try {
      const value = await part();
      await sql`release savepoint attempt`.execute(this.trx);
      return value;
    } catch (error) {
      await sql`rollback to savepoint attempt`.execute(this.trx);
      forgetLocks();
      this.#positions.clear();
      this.#afterCommit.length = tasks;
      throw error;
    }
  }

  /** Registers what must only happen when this transaction is committed: pokes, mail, file removal. */
  afterCommit(task: AfterCommit): void {
    this.#afterCommit.push(task);
  }

  /** Used by writeInRealms once, after the commit. */
  async runAfterCommit(): Promise<void> {
    for (const task of this.#afterCommit) await task();
  }
}

/** Ids to settle after an insert: what follows a message follows its whole thread, so one of each thread is enough. */
function settling(kind: SyncedKind, rows: readonly object[], fresh: readonly string[]): readonly string[] {
  if (kind !== 'message' || fresh.length < 2) return fresh;
  const added = new Set(fresh);
  const ofThread = new Map<unknown, string>();
  for (const row of rows) {
    const id = entityIdOfRow(kind, row);
    if (added.has(id) && 'threadId' in row) ofThread.set(row.threadId, id);
  }
  return [...ofThread.values()];
}

async function positionOf({ trx, realmId }: ServerTx, userId: string): Promise<Position | undefined> {
  const { rows } = await sql<{ position: Position }>`
    select m."position" from "workspace_member" m join "workspace" w on w."id" = m."workspaceId"
    where m."workspaceId" = ${realmId} and m."userId" = ${userId} and w."deletedAt" is null`.execute(trx);
  return rows[0]?.position;
}

function selection(kind: SyncedKind): RawBuilder<unknown> {
  if (kind !== 'workspace_member') return sql`row.* from ${sql.table(kind)} as row`;
  return sql`row.*, u."forename", u."surname", u."username"
    from "workspace_member" as row join "user" u on u."id" = row."userId"`;
}
