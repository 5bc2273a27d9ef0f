// The shared Tx on PostgreSQL: reads what the actor may read, writes rows, and updates the feed with each write.
// Everything happens in the one transaction of writeInRealms; permissions are checked elsewhere.
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { THREADS } from '#shared/threads/limits.ts';
import { formatCount } from '#shared/english.ts';
import { AppError } from '#shared/errors.ts';
import { isRepeatedInsert, type Tx } from '#shared/define/mutator.ts';
import type { Head, SyncedKind } from '#shared/entities.ts';
import { entityIdOf, KINDS } from '#shared/kinds.ts';
import type { Actor, Position } from '#shared/permissions.ts';
import { RESULT_PREFIX } from '#shared/sync/keys.ts';
import type { JobName, JobPayload } from '../jobs/jobs.ts';
import type { EnqueueOptions, JobQueue } from '../jobs/queue.ts';
import type { RequestOrigin } from '../request-origin.ts';
import { guestAudience, userAudience } from '../sync/readers/audiences.ts';
import {
  cascadeOf,
  reachesOthers,
  settleAfterInsert,
  settleCascade,
  settleOthers,
} from '../sync/readers/dependants.ts';
import { RESULT_KIND, touchRows, writeEdges, type FeedWriter, type TouchReason } from '../sync/feed.ts';
import { headColumns } from '../sync/heads.ts';
import { isGuestIn, readableBy, refuseOutside, type Reader } from '../sync/readable.ts';
import { openWindow } from '../sync/readers/windows.ts';
import { across } from './across.ts';
import type { Database } from './database.ts';
import { insertRows } from './insert-rows.ts';
import { followMemories, leaveSpaces, publicDate, recordDepartures } from './memory-followers.ts';
import type { RealmVersions } from './realm-versions.ts';
import { areRows, columnValue, entityIdSql, isRow } from './synced-tables.ts';
import type { Tables } from './tables.ts';

/** The actor of jobs: it reads every row of its realm and is never recorded as an editor. */
export const systemActor = { userId: null, spaceIds: null } as const;

/** Kinds whose ids devices choose. */
const CHOSEN_IDS = ['space', 'memory', 'thread', 'message'] as const satisfies readonly SyncedKind[];

export type TxActor = Reader | typeof systemActor;

/** Runs after a successful commit; must not throw, because the change is already made. */
export type AfterCommit = () => void | Promise<void>;

interface ServerTxParts {
  trx: Transaction<Tables>;
  versions: RealmVersions;
  /** The realm that the mutators' rows belong to. */
  realmId: string;
  actor: TxActor;
  now: Date;
  jobs?: Pick<JobQueue, 'enqueue'> | undefined;
  origin?: RequestOrigin | undefined;
  /** Where tables are spread over servers, the pool that looks for taken ids on all of them. */
  everywhere: Database | undefined;
}

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
  /** The request behind it; undefined for work of the server's own. */
  readonly origin: RequestOrigin | undefined;
  readonly #jobs: Pick<JobQueue, 'enqueue'> | undefined;
  readonly #everywhere: Database | undefined;
  readonly #afterCommit: AfterCommit[] = [];
  /** Positions read under the lock, until a row changes that could change them. */
  readonly #positions = new Map<string, Promise<Position | undefined>>();

  constructor(parts: ServerTxParts) {
    this.trx = parts.trx;
    this.versions = parts.versions;
    this.realmId = parts.realmId;
    this.actor = parts.actor;
    this.now = parts.now;
    this.origin = parts.origin;
    this.#jobs = parts.jobs;
    this.#everywhere = parts.everywhere;
  }

  /** Adds a job to the transaction; a host without a queue works on none. */
  async enqueue<N extends JobName>(name: N, payload: JobPayload<N>, options?: EnqueueOptions): Promise<void> {
    await this.#jobs?.enqueue(this.trx, name, payload, options);
  }

  /** Position of a member of the realm's workspace, by default the actor's; undefined when deleted or not a member. */
  readPosition(userId = this.actor.userId): Promise<Position | undefined> {
    if (userId === null || userId === this.realmId) return Promise.resolve(undefined);
    const known = this.#positions.get(userId) ?? positionOf(this, userId);
    this.#positions.set(userId, known);
    return known;
  }

  /** The same, or `guest` for a non-member with access to some content of the workspace. */
  async readStanding(userId = this.actor.userId): Promise<Actor['position'] | undefined> {
    const position = await this.readPosition(userId);
    if (position !== undefined || userId === null || userId === this.realmId) return position;
    const { rows } = await sql`
      select 1 where ${isGuestIn(this.realmId, userId)}`.execute(this.trx);
    return rows.length > 0 ? 'guest' : undefined;
  }

  /** The stored row, whose extra columns and full notes a replica does not have. */
  async get<K extends SyncedKind>(kind: K, id: string): Promise<Head<K> | undefined> {
    const { rows } = await sql<Head<K>>`
      select ${selection(kind)} where ${isRow(kind, this.realmId, id)} and ${this.#mayRead(kind)}`.execute(
      this.trx,
    );
    return rows[0];
  }

  /** As replicas hold them: a thousand rows with their long notes could fill the memory. */
  async getMany<K extends SyncedKind>(
    kind: K,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Head<K>>> {
    const { rows } = await sql<Head<K>>`
      select ${sql.raw(headColumns(kind))} from ${tableWithNames(kind)}
      where ${areRows(kind, this.realmId, ids)} and ${this.#mayRead(kind)}`.execute(this.trx);
    return new Map(rows.map((row) => [entityIdOf(kind, row), row]));
  }

  #mayRead(kind: SyncedKind): RawBuilder<boolean> {
    const { userId, spaceIds } = this.actor;
    return userId === null ? sql`true` : readableBy(kind, 'row', { realmId: this.realmId, userId, spaceIds });
  }

  async insert<K extends SyncedKind>(kind: K, row: Head<K>): Promise<boolean> {
    const added = await this.insertMany(kind, [row]);
    return added.size > 0;
  }

  /** Adds rows of one kind in one statement and returns the ids of the new ones, as `insert` does. @throws conflict */
  async insertMany<K extends SyncedKind>(kind: K, rows: readonly Head<K>[]): Promise<ReadonlySet<string>> {
    for (const row of rows) refuseOutside(this.actor.spaceIds, kind, row);
    await this.#refuseTaken(
      kind,
      rows.map((row) => entityIdOf(kind, row)),
    );
    const inserted = insertRows(this, kind, rows);
    const [{ added, entered }] = await Promise.all([
      inserted,
      kind === 'memory' &&
        followMemories(
          this,
          rows.map((row) => entityIdOf(kind, row)),
          'all',
        ),
    ]);
    const fresh = rows.map((row) => entityIdOf(kind, row)).filter((id) => added.has(id));
    for (const row of rows) {
      const id = entityIdOf(kind, row);
      if (added.has(id)) continue;
      const found = await this.get(kind, id);
      if (found !== undefined && isRepeatedInsert(kind, found, row)) continue;
      throw new AppError('conflict', 'This id is taken');
    }
    if (!entered) await this.touch(kind, fresh);
    await settleAfterInsert(this, this.realmId, { kind, ids: settling(kind, rows, fresh) });
    return added;
  }

  update<K extends SyncedKind>(kind: K, id: string, fields: Partial<Head<K>>): Promise<void> {
    return this.updateMany(kind, [id], fields);
  }

  /** Sets the same fields on many rows of one kind, in a few statements whatever their number. */
  async updateMany<K extends SyncedKind>(
    kind: K,
    ids: readonly string[],
    fields: Partial<Head<K>>,
  ): Promise<void> {
    const given = new Map(
      Object.entries(fields).map(([column, value]) => [column, sql`${columnValue(kind, column, value)}`]),
    );
    if (given.size === 0 || ids.length === 0) return;
    const pairs = this.#assignments(kind, given);
    if (kind === 'memory' && 'spaceId' in fields) refuseOutside(this.actor.spaceIds, kind, fields);
    const [only] = ids;
    const which =
      ids.length === 1 && only !== undefined
        ? isRow(kind, this.realmId, only)
        : areRows(kind, this.realmId, ids);
    const [, { numAffectedRows }] = await Promise.all([
      kind === 'memory' && given.has('spaceId') && recordDepartures(this, ids, given.get('spaceId')),
      sql`update ${sql.table(kind)} as row set ${sql.join(pairs)} where ${which}`.execute(this.trx),
      kind === 'memory' && followMemories(this, ids, [...given.keys()]),
    ]);
    if (numAffectedRows === 0n) return;
    await this.touch(kind, ids);
    if (reachesOthers(kind, fields)) await settleOthers(this, this.realmId, { kind, ids });
  }

  async updateEach<K extends SyncedKind>(
    kind: K,
    changes: ReadonlyMap<string, Partial<Head<K>>>,
  ): Promise<void> {
    for (const { columns, rows } of bySameColumns(kind, changes)) {
      if (columns.length === 0) continue;
      if (kind === 'memory' && columns.includes('spaceId'))
        for (const id of rows.keys()) refuseOutside(this.actor.spaceIds, kind, changes.get(id) ?? {});
      if (kind === 'memory' && columns.includes('spaceId'))
        await this.#recordMoves(changes, [...rows.keys()]);
      const pairs = this.#assignments(
        kind,
        new Map(columns.map((column) => [column, sql.ref(`given.${column}`)])),
      );
      await sql`
        update ${sql.table(kind)} as row set ${sql.join(pairs)}
        from jsonb_populate_recordset(null::${sql.table(kind)}, ${JSON.stringify([...rows.values()])}::jsonb) given
        where ${areRows(kind, this.realmId, [...rows.keys()])}
          and ${entityIdSql(kind, 'row')} = ${entityIdSql(kind, 'given')}`.execute(this.trx);
      if (kind === 'memory') await followMemories(this, [...rows.keys()], columns);
    }
    const ids = [...changes.keys()];
    await this.touch(kind, ids);
    const deciding = ids.filter((id) => reachesOthers(kind, changes.get(id) ?? {}));
    if (deciding.length > 0) await settleOthers(this, this.realmId, { kind, ids: deciding });
  }

  /** Those with the same new home together. */
  async #recordMoves(changes: ReadonlyMap<string, object>, ids: readonly string[]): Promise<void> {
    const homeOf = (id: string): unknown =>
      Object.entries(changes.get(id) ?? {}).find(([name]) => name === 'spaceId')?.[1];
    for (const [home, some] of Map.groupBy(ids, homeOf)) await recordDepartures(this, some, sql`${home}`);
  }

  /**
   * Ids that devices choose are unique in the installation. Where tables are spread no index can see to that, so committed
   * rows are looked through, by another connection: this transaction stays on one server. Only who made an id knows it
   * before its row is committed.
   */
  async #refuseTaken(kind: SyncedKind, ids: readonly string[]): Promise<void> {
    if (this.#everywhere === undefined || !CHOSEN_IDS.some((chosen) => chosen === kind)) return;
    const { rows } = await sql`
      select 1 from ${sql.table(kind)} where "id" = any(${ids}::text[]) and "workspaceId" <> ${this.realmId} limit 1
      ${across('installation')}`.execute(this.#everywhere);
    if (rows.length > 0) throw new AppError('conflict', 'This id is taken');
  }

  /** What an update sets, with the date that follows from it. */
  #assignments(kind: SyncedKind, given: ReadonlyMap<string, RawBuilder<unknown>>): RawBuilder<unknown>[] {
    const pairs = [...given].map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    const date = kind === 'memory' ? publicDate(this.realmId, given) : undefined;
    return date === undefined ? pairs : [...pairs, date];
  }

  remove(kind: SyncedKind, id: string): Promise<void> {
    return this.removeMany(kind, [id]);
  }

  /** Removes rows of one kind in a few statements, however many they are. */
  async removeMany(kind: SyncedKind, ids: readonly string[]): Promise<void> {
    const found = await this.#idsOf(kind, ids);
    if (found.length === 0) return;
    const cascade = await cascadeOf(this, this.realmId, { kind, ids: found });
    if (kind === 'memory') await recordDepartures(this, found);
    if (cascade?.homeless !== undefined) await leaveSpaces(this, cascade.homeless);
    await sql`
      delete from ${sql.table(kind)} as row where ${areRows(kind, this.realmId, found)}`.execute(this.trx);
    await this.touch(kind, found);
    if (cascade !== undefined) await settleCascade(this, this.realmId, cascade);
  }

  /** The ids among these that are rows of this realm. */
  async #idsOf(kind: SyncedKind, ids: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select ${entityIdSql(kind, 'row')} as "id" from ${sql.table(kind)} as row
      where ${areRows(kind, this.realmId, ids)}`.execute(this.trx);
    return rows.map(({ id }) => id);
  }

  /** Makes raw writes of synced rows visible; `audience` when only their readers may have changed. */
  touch(kind: SyncedKind, ids: readonly string[], reason: TouchReason = 'changed'): Promise<void> {
    if (kind === 'workspace' || kind === 'workspace_member') this.#positions.clear();
    return touchRows(this, { realmId: this.realmId, kind, ids, reason });
  }

  async ownGrants(): Promise<readonly Head<'grant'>[]> {
    const { userId } = this.actor;
    if (userId === null) return [];
    const { rows } = await sql<Head<'grant'>>`
      select * from "grant" where "workspaceId" = ${this.realmId} and ("userId" = ${userId} or "holder" = (
        select "position" from "workspace_member"
        where "workspaceId" = ${this.realmId} and "userId" = ${userId}))`.execute(this.trx);
    return rows;
  }

  async messagesUpTo({ threadId, createdAt, id }: Head<'message'>): Promise<Head<'message'>[]> {
    const { rows } = await sql<Head<'message'>>`
      select * from "message" where "workspaceId" = ${this.realmId} and "threadId" = ${threadId} and "versionOf" is null
        and ("createdAt", "id") <= (${createdAt}::timestamptz, ${id})
      order by "createdAt", "id" limit ${THREADS.branchMax + 1}`.execute(this.trx);
    if (rows.length > THREADS.branchMax)
      throw new AppError('conflict', `A branch can hold ${formatCount(THREADS.branchMax)} messages at most`);
    return rows;
  }

  async openThread(threadId: string, at: string): Promise<void> {
    const { userId } = this.actor;
    if (userId !== null) await openWindow(this, { realmId: this.realmId, userId, threadId, at });
  }

  async acknowledge(resultId: string): Promise<void> {
    await this.acknowledgeMany([resultId]);
  }

  /** Deletes results of refused mutations that their author acknowledged, in two statements however many they are. */
  async acknowledgeMany(resultIds: readonly string[]): Promise<void> {
    const { userId } = this.actor;
    if (userId === null || resultIds.length === 0) return;
    const [clientIds, mutationIds] = [0, 1].map((part) => resultIds.map((id) => id.split('/')[part] ?? ''));
    const { rows } = await sql<{ id: string }>`
      delete from "sync_mutation_result" result
      using unnest(${clientIds}::text[], ${mutationIds}::bigint[]) as given("clientId", "mutationId")
      where result."clientId" = given."clientId" and result."mutationId" = given."mutationId"
        and result."userId" = ${userId} and result."realmId" = ${this.realmId}
      returning result."clientId" || '/' || result."mutationId"::text as "id"`.execute(this.trx);
    if (rows.length === 0) return;
    await writeEdges(this, {
      realmId: this.realmId,
      kind: RESULT_KIND,
      entityIds: rows.map(({ id }) => id),
      edges: [],
      reason: 'changed',
    });
  }

  /** Shows the result of a refused mutation to its author. */
  async showResult(resultId: string, userId: string): Promise<void> {
    const edge = {
      realmId: this.realmId,
      key: `${RESULT_PREFIX}${resultId}`,
      entityId: resultId,
    };
    const audiences = [userAudience(userId, this.realmId)];
    // An author is a member or a guest, and may become the other.
    if (userId !== this.realmId) audiences.push(guestAudience(userId, this.realmId));
    await writeEdges(this, {
      realmId: this.realmId,
      kind: RESULT_KIND,
      entityIds: [resultId],
      edges: audiences.map((audienceId) => ({ ...edge, audienceId })),
      reason: 'changed',
    });
  }

  /**
   * Runs a part that may fail on its own: when it throws, its writes, locks and after-commit tasks are undone and the
   * error is rethrown, while the transaction stays usable.
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
    const id = entityIdOf(kind, row);
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
  if (kind !== 'workspace_member') return sql`row.* from ${tableWithNames(kind)}`;
  return sql`row.*, u."forename", u."surname", u."username" from ${tableWithNames(kind)}`;
}

/** The table under the alias `row`, of members with the account behind them. */
function tableWithNames(kind: SyncedKind): RawBuilder<unknown> {
  const table = sql`${sql.table(kind)} as row`;
  return KINDS[kind].joined === undefined ? table : sql`${table} join "user" u on u."id" = row."userId"`;
}

/** Changes of the same fields together, each as JSON with the columns that name its row. */
function bySameColumns<K extends SyncedKind>(
  kind: K,
  changes: ReadonlyMap<string, Partial<Head<K>>>,
): readonly { columns: readonly string[]; rows: ReadonlyMap<string, object> }[] {
  const groups = new Map<string, { columns: string[]; rows: Map<string, object> }>();
  for (const [id, fields] of changes) {
    const columns = Object.keys(fields).sort();
    const name = columns.join();
    const group = groups.get(name) ?? { columns, rows: new Map<string, object>() };
    const parts = KINDS[kind].id.length === 1 ? [id] : id.split('/');
    group.rows.set(id, {
      ...fields,
      ...Object.fromEntries(KINDS[kind].id.map((column, index) => [column, parts[index]])),
    });
    groups.set(name, group);
  }
  return [...groups.values()];
}
