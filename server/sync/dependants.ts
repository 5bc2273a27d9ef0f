// What follows in the feed when the facts of one row decide who sees others: a space's readers reach its memories and
// links, a thread's readers its messages, a memory's home its links. Runs in the transaction of the change itself.
import { sql } from 'kysely';
import type { SyncedKind } from '#shared/entities.ts';
import { KINDS } from '#shared/kinds.ts';
import { outsidersRead, VISIBILITIES } from '#shared/spaces/visibility.ts';
import { workspaceAudience } from './audiences.ts';
import { touchRows, type FeedWriter } from './feed.ts';
import { moveResultsOfDeleted } from './memberships.ts';
import { settleDomainReaders, settlePlaceReaders } from './named-readers.ts';
import {
  endSpaceAudiences,
  findOutgrown,
  openOutside,
  openSpaceAudiences,
  settleSpaceReaders,
} from './space-audiences.ts';
import { forgetWindows, settleMessageReaders, trimMessages } from './windows.ts';

/** True when an update of these fields reaches beyond the row. */
export function reachesOthers(kind: SyncedKind, fields: object): boolean {
  const decides: readonly string[] | undefined = KINDS[kind].decides;
  return decides !== undefined && Object.keys(fields).some((field) => decides.includes(field));
}

const SHARED = VISIBILITIES.filter(outsidersRead);

/**
 * SQL: the readers of a memory under the alias `m` may depend on the spaces it is filed in. The whole workspace reads one
 * without a home, wherever it is filed; only people from outside the workspace read it through a space, or did so far.
 */
const dependsOnSpaces = (realmId: string) => sql<boolean>`(m."spaceId" is not null
  or exists (select 1 from "space_memory" link join "space" s on s."workspaceId" = ${realmId} and s."id" = link."spaceId"
    where link."workspaceId" = ${realmId} and link."memoryId" = m."id" and s."visibility" = any(${SHARED}::text[]))
  or exists (select 1 from "sync_entry" entry
    where entry."entityId" = m."id" and entry."realmId" = ${realmId} and entry."live"
      and entry."audienceId" <> ${workspaceAudience(realmId)}))`;

/** Settles memories after a link of theirs came or went. */
async function settleFiled(writer: FeedWriter, realmId: string, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select m."id" from "memory" m
    where m."workspaceId" = ${realmId} and m."id" = any(${ids}::text[]) and ${dependsOnSpaces(realmId)}`.execute(
    writer.trx,
  );
  const homed = rows.map(({ id }) => id);
  await touchRows(writer, { realmId, kind: 'memory', ids: homed, reason: 'audience' });
}

/** Settles the links of memories after these came to another home. */
async function settleLinks(writer: FeedWriter, realmId: string, memoryIds: readonly string[]): Promise<void> {
  const ids = await linksWhere(writer, realmId, { memoryId: memoryIds });
  await touchRows(writer, { realmId, kind: 'space_memory', ids, reason: 'audience' });
}

export interface SpacePart {
  spaceId: string;
  /** Only memories with larger ids, and so many at most. */
  after: string;
  limit: number | null;
}

/**
 * Settles what is filed in or captured into a space; returns the last id of a part that may not have been the last one.
 */
export async function settleContents(
  writer: FeedWriter,
  realmId: string,
  { spaceId, after, limit }: SpacePart,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; depends: boolean; filed: boolean }>`
    select m."id", ${dependsOnSpaces(realmId)} as "depends", link."memoryId" is not null as "filed"
    from (select "id" from "memory" where "workspaceId" = ${realmId} and "spaceId" = ${spaceId}
          union select "memoryId" from "space_memory"
          where "workspaceId" = ${realmId} and "spaceId" = ${spaceId}) content
    join "memory" m on m."workspaceId" = ${realmId} and m."id" = content."id"
    left join "space_memory" link
      on link."workspaceId" = ${realmId} and link."spaceId" = ${spaceId} and link."memoryId" = m."id"
    where m."id" > ${after} order by m."id" limit ${limit}`.execute(writer.trx);
  const homed = rows.flatMap(({ id, depends }) => (depends ? [id] : []));
  const links = rows.flatMap(({ id, filed }) => (filed ? [`${spaceId}/${id}`] : []));
  await touchRows(writer, { realmId, kind: 'memory', ids: homed, reason: 'audience' });
  await touchRows(writer, { realmId, kind: 'space_memory', ids: links, reason: 'audience' });
  return rows.length === limit ? rows.at(-1)?.id : undefined;
}

/** A large space only has other readers; in a small one every memory is looked at. */
async function settleSpace(writer: FeedWriter, realmId: string, spaceId: string): Promise<void> {
  const size = await settleSpaceReaders(writer, realmId, spaceId);
  await openOutside(writer, realmId, spaceId);
  if (size !== 'settled') await settleContents(writer, realmId, { spaceId, after: '', limit: null });
}

type Settle = (writer: FeedWriter, realmId: string, ids: readonly string[]) => Promise<void>;

const SETTLE: Partial<Record<SyncedKind, Settle>> = {
  workspace: async (writer, realmId) => {
    await moveResultsOfDeleted(writer, realmId);
    await settleDomainReaders(writer, realmId);
  },
  space: async (writer, realmId, ids) => {
    await settlePlaceReaders(writer, realmId, ids);
    for (const id of ids) await settleSpace(writer, realmId, id);
  },
  thread: async (writer, realmId, ids) => {
    await settlePlaceReaders(writer, realmId, ids);
    for (const id of ids) await settleMessageReaders(writer, realmId, id);
  },
  memory: settleLinks,
  grant: (writer, realmId, ids) => settlePlaceReaders(writer, realmId, ids.map(placeOfGrant)),
};

/** A new place has no grants yet, and may be the first that the domain of the workspace reads. */
const settleNewPlace: Settle = (writer, realmId) => settleDomainReaders(writer, realmId);

interface Rows {
  kind: SyncedKind;
  ids: readonly string[];
}

/** To be called after deciding fields of rows changed and the rows themselves were touched. */
export async function settleOthers(writer: FeedWriter, realmId: string, { kind, ids }: Rows): Promise<void> {
  await SETTLE[kind]?.(writer, realmId, ids);
}

const ADDED: Partial<Record<SyncedKind, Settle>> = {
  space: settleNewPlace,
  thread: settleNewPlace,
  grant: (writer, realmId, ids) => settlePlaceReaders(writer, realmId, ids.map(placeOfGrant)),
  space_memory: async (writer, realmId, ids) => {
    for (const spaceId of await findOutgrown(writer, realmId, ids.map(spaceOfLink)))
      await enlarge(writer, realmId, spaceId);
    await settleFiled(writer, realmId, ids.map(memoryOfLink));
  },
  message: async (writer, realmId, ids) => {
    for (const id of ids) await trimMessages(writer, realmId, id);
  },
};

/** Gives a space audiences of its own and moves all that is in it there; no person reads more or less because of it. */
export async function enlarge(writer: FeedWriter, realmId: string, spaceId: string): Promise<void> {
  await openSpaceAudiences(writer, realmId, { spaceId, settled: true });
  await settleContents(writer, realmId, { spaceId, after: '', limit: null });
}

function spaceOfLink(id: string): string {
  return id.split('/')[0] ?? '';
}

function placeOfGrant(id: string): string {
  return id.split('/')[0] ?? '';
}

function memoryOfLink(id: string): string {
  return id.split('/')[1] ?? '';
}

/** To be called after rows of one kind were inserted and touched. */
export async function settleAfterInsert(
  writer: FeedWriter,
  realmId: string,
  { kind, ids }: Rows,
): Promise<void> {
  if (ids.length > 0) await ADDED[kind]?.(writer, realmId, ids);
}

/** What the database changes together with the removal of rows. */
export interface Cascade {
  /** Rows of this kind go too. */
  kind: SyncedKind;
  ids: string[];
  /** Memories whose readers may change. */
  memories?: string[];
  /** Memories that lose their home. */
  homeless?: string[];
  /** Spaces whose own audiences end. */
  spaces?: readonly string[];
  /** Spaces and threads whose named readers may change. */
  places?: readonly string[];
  grants?: readonly string[];
}

type FindCascade = (writer: FeedWriter, realmId: string, ids: readonly string[]) => Promise<Cascade>;

const CASCADES: Partial<Record<SyncedKind, FindCascade>> = {
  space_memory: async (_writer, _realmId, ids) => ({
    kind: 'space_memory',
    ids: [],
    memories: ids.map(memoryOfLink),
  }),
  grant: async (_writer, _realmId, ids) => ({ kind: 'grant', ids: [], places: ids.map(placeOfGrant) }),
  memory: async (writer, realmId, ids) => ({
    kind: 'space_memory',
    ids: await linksWhere(writer, realmId, { memoryId: ids }),
  }),
  space: async (writer, realmId, ids) => {
    const links = await linksWhere(writer, realmId, { spaceId: ids });
    const { rows: captured } = await sql<{ id: string }>`
      select "id" from "memory"
      where "workspaceId" = ${realmId} and "spaceId" = any(${ids}::text[])`.execute(writer.trx);
    return {
      kind: 'space_memory',
      ids: links,
      memories: links.map(memoryOfLink),
      homeless: captured.map((row) => row.id),
      spaces: ids,
      places: ids,
      grants: await removeGrants(writer, realmId, ids),
    };
  },
  thread: async (writer, realmId, ids) => {
    const { rows } = await sql<{ id: string }>`
      select "id" from "message"
      where "workspaceId" = ${realmId} and "threadId" = any(${ids}::text[])`.execute(writer.trx);
    for (const id of ids) await forgetWindows(writer, realmId, id);
    return {
      kind: 'message',
      ids: rows.map((row) => row.id),
      places: ids,
      grants: await removeGrants(writer, realmId, ids),
    };
  },
};

/** Grants are of spaces and of threads, so no foreign key removes them. */
async function removeGrants(
  writer: FeedWriter,
  realmId: string,
  placeIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from "grant" where "workspaceId" = ${realmId} and "resourceId" = any(${placeIds}::text[])
    returning "resourceId" || '/' || "holder" as "id"`.execute(writer.trx);
  return rows.map(({ id }) => id);
}

async function linksWhere(
  writer: FeedWriter,
  realmId: string,
  ends: { spaceId: readonly string[] } | { memoryId: readonly string[] },
): Promise<string[]> {
  const [column, ids] = 'spaceId' in ends ? ['spaceId', ends.spaceId] : ['memoryId', ends.memoryId];
  const { rows } = await sql<{ id: string }>`
    select "spaceId" || '/' || "memoryId" as "id" from "space_memory"
    where "workspaceId" = ${realmId} and ${sql.ref(column)} = any(${ids}::text[])`.execute(writer.trx);
  return rows.map((row) => row.id);
}

/** To be called before rows of one kind are removed. */
export async function cascadeOf(
  writer: FeedWriter,
  realmId: string,
  { kind, ids }: Rows,
): Promise<Cascade | undefined> {
  return CASCADES[kind]?.(writer, realmId, ids);
}

/** To be called after the rows were removed and touched. */
export async function settleCascade(writer: FeedWriter, realmId: string, cascade: Cascade): Promise<void> {
  const { kind, ids, memories = [], homeless = [], spaces = [], places = [], grants = [] } = cascade;
  await touchRows(writer, { realmId, kind, ids, reason: 'audience' });
  await touchRows(writer, { realmId, kind: 'memory', ids: homeless, reason: 'changed' });
  await settleFiled(writer, realmId, memories);
  await settleLinks(writer, realmId, homeless);
  if (spaces.length > 0) await endSpaceAudiences(writer, realmId, spaces);
  await touchRows(writer, { realmId, kind: 'grant', ids: grants, reason: 'changed' });
  if (places.length > 0) await settlePlaceReaders(writer, realmId, places);
}
