// What follows in the feed when the facts of one row decide who sees others: a space's readers reach its memories and
// links, a thread's readers its messages, a memory's home its links. Runs in the transaction of the change itself.
import { sql } from 'kysely';
import type { SyncedKind } from '#shared/entities.ts';
import { FEED_CHUNK, touchRows, type FeedWriter } from './feed.ts';
import { forgetWindows, settleMessageReaders, trimMessages } from './windows.ts';

/** Fields whose change moves other rows between audiences. */
const DECIDING: Partial<Record<SyncedKind, ReadonlySet<string>>> = {
  space: new Set(['visibility', 'ownerId', 'deletedAt']),
  thread: new Set(['visibility', 'ownerId']),
  memory: new Set(['spaceId', 'ownerId']),
};

/** True when an update of these fields reaches beyond the row. */
export function reachesOthers(kind: SyncedKind, fields: object): boolean {
  const deciding = DECIDING[kind];
  return deciding !== undefined && Object.keys(fields).some((field) => deciding.has(field));
}

/** Settles memories after their own facts or their links changed, and then their links. */
export async function settleMemories(
  writer: FeedWriter,
  realmId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await touchRows(writer, { realmId, kind: 'memory', ids, reason: 'audience' });
  await settleLinks(writer, realmId, ids);
}

async function settleLinks(writer: FeedWriter, realmId: string, memoryIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select "spaceId" || '/' || "memoryId" as "id" from "space_memory"
    where "memoryId" = any(${memoryIds}::text[])`.execute(writer.trx);
  const ids = rows.map(({ id }) => id);
  await touchRows(writer, { realmId, kind: 'space_memory', ids, reason: 'audience' });
}

/** Every memory filed in or captured into the space, newest first and in pieces, so that memory use stays flat. */
async function settleSpace(writer: FeedWriter, realmId: string, spaceId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select m."id" from "memory" m
    where m."id" in (select "id" from "memory" where "spaceId" = ${spaceId}
                     union select "memoryId" from "space_memory" where "spaceId" = ${spaceId})
    order by m."created" desc, m."id"`.execute(writer.trx);
  for (let start = 0; start < rows.length; start += FEED_CHUNK) {
    const ids = rows.slice(start, start + FEED_CHUNK).map(({ id }) => id);
    await settleMemories(writer, realmId, ids);
  }
}

type Settle = (writer: FeedWriter, realmId: string, id: string) => Promise<void>;

const SETTLE: Partial<Record<SyncedKind, Settle>> = {
  space: settleSpace,
  thread: settleMessageReaders,
  memory: settleLinksOfOne,
};

function settleLinksOfOne(writer: FeedWriter, realmId: string, id: string): Promise<void> {
  return settleLinks(writer, realmId, [id]);
}

/** To be called after a row's deciding fields changed and the row itself was touched. */
export async function settleOthers(
  writer: FeedWriter,
  realmId: string,
  row: { kind: SyncedKind; id: string },
): Promise<void> {
  await SETTLE[row.kind]?.(writer, realmId, row.id);
}

const ADDED: Partial<Record<SyncedKind, Settle>> = {
  space_memory: (writer, realmId, id) => settleMemories(writer, realmId, [memoryOfLink(id)]),
  message: trimMessages,
};

function memoryOfLink(id: string): string {
  return id.split('/')[1] ?? '';
}

/** To be called after a row was inserted and touched. */
export async function settleAfterInsert(
  writer: FeedWriter,
  realmId: string,
  row: { kind: SyncedKind; id: string },
): Promise<void> {
  await ADDED[row.kind]?.(writer, realmId, row.id);
}

/** What the database changes together with the removal of a row. */
export interface Cascade {
  /** Rows of this kind go too. */
  kind: SyncedKind;
  ids: string[];
  /** Memories whose readers may change. */
  memories: string[];
  /** Memories that lose their home. */
  homeless: string[];
}

const CASCADES: Partial<Record<SyncedKind, (writer: FeedWriter, id: string) => Promise<Cascade>>> = {
  space_memory: async (_writer, id) => ({
    ...{ kind: 'space_memory', ids: [], memories: [memoryOfLink(id)], homeless: [] },
  }),
  memory: async (writer, id) => ({
    ...{ kind: 'space_memory', ids: await linksWhere(writer, 'memoryId', id), memories: [], homeless: [] },
  }),
  space: async (writer, id) => {
    const ids = await linksWhere(writer, 'spaceId', id);
    const { rows } = await sql<{ id: string }>`
      select "id" from "memory" where "spaceId" = ${id}`.execute(writer.trx);
    const homeless = rows.map((row) => row.id);
    return { kind: 'space_memory', ids, memories: ids.map(memoryOfLink), homeless };
  },
  thread: async (writer, id) => {
    const { rows } = await sql<{ id: string }>`
      select "id" from "message" where "threadId" = ${id}`.execute(writer.trx);
    await forgetWindows(writer, id);
    return { kind: 'message', ids: rows.map((row) => row.id), memories: [], homeless: [] };
  },
};

async function linksWhere(writer: FeedWriter, column: 'spaceId' | 'memoryId', id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select "spaceId" || '/' || "memoryId" as "id" from "space_memory"
    where ${sql.ref(column)} = ${id}`.execute(writer.trx);
  return rows.map((row) => row.id);
}

/** To be called before a row is removed. */
export async function cascadeOf(
  writer: FeedWriter,
  row: { kind: SyncedKind; id: string },
): Promise<Cascade | undefined> {
  return CASCADES[row.kind]?.(writer, row.id);
}

/** To be called after the row was removed and touched. */
export async function settleCascade(writer: FeedWriter, realmId: string, cascade: Cascade): Promise<void> {
  const { kind, ids, memories, homeless } = cascade;
  await touchRows(writer, { realmId, kind, ids, reason: 'audience' });
  await touchRows(writer, { realmId, kind: 'memory', ids: homeless, reason: 'changed' });
  await settleMemories(writer, realmId, [...memories, ...homeless]);
}
