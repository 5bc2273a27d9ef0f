// Updates of the feed when the facts of one row decide who sees others: a space's readers reach its memories and links, a
// thread's readers its messages, a memory's home its links. Runs in the transaction of the change itself.
import { sql } from 'kysely';
import type { SyncedKind } from '#shared/entities.ts';
import { KINDS } from '#shared/kinds.ts';
import { READ_BY } from '#shared/spaces/visibility.ts';
import { workspaceAudience } from './audiences.ts';
import { touchRows, type FeedWriter } from '../feed.ts';
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

/**
 * SQL: the readers of a memory under the alias `m` may depend on the spaces it is filed in. The whole workspace reads one
 * without a home, wherever it is filed; only people from outside the workspace read it through a space, or did so far.
 */
const dependsOnSpaces = (realmId: string) => sql<boolean>`(m."spaceId" is not null
  or exists (select 1 from "space_memory" link join "space" s on s."workspaceId" = ${realmId} and s."id" = link."spaceId"
    where link."workspaceId" = ${realmId} and link."memoryId" = m."id" and s."visibility" = any(${READ_BY.outsiders}::text[]))
  or exists (select 1 from "sync_entry" entry
    where entry."entityId" = m."id" and entry."realmId" = ${realmId} and entry."live"
      and entry."audienceId" <> ${workspaceAudience(realmId)}))`;

/** Settles memories after one of their links was added or removed. */
async function settleFiled(writer: FeedWriter, realmId: string, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select m."id" from "memory" m
    where m."workspaceId" = ${realmId} and m."id" = any(${ids}::text[]) and ${dependsOnSpaces(realmId)}`.execute(
    writer.trx,
  );
  const homed = rows.map(({ id }) => id);
  await touchRows(writer, { realmId, kind: 'memory', ids: homed, reason: 'audience' });
}

/** Settles the links of memories after their home has changed. */
async function settleLinks(writer: FeedWriter, realmId: string, memoryIds: readonly string[]): Promise<void> {
  const ids = await linksWhere(writer, realmId, { memoryId: memoryIds });
  await touchRows(writer, { realmId, kind: 'space_memory', ids, reason: 'audience' });
}

/** Settles the memories filed in or captured into a space. */
async function settleContents(writer: FeedWriter, realmId: string, spaceId: string): Promise<void> {
  const { rows } = await sql<{ id: string; depends: boolean; filed: boolean }>`
    select m."id", ${dependsOnSpaces(realmId)} as "depends", link."memoryId" is not null as "filed"
    from (select "id" from "memory" where "workspaceId" = ${realmId} and "spaceId" = ${spaceId}
          union select "memoryId" from "space_memory"
          where "workspaceId" = ${realmId} and "spaceId" = ${spaceId}) content
    join "memory" m on m."workspaceId" = ${realmId} and m."id" = content."id"
    left join "space_memory" link
      on link."workspaceId" = ${realmId} and link."spaceId" = ${spaceId} and link."memoryId" = m."id"
    order by m."id"`.execute(writer.trx);
  const homed = rows.flatMap(({ id, depends }) => (depends ? [id] : []));
  const links = rows.flatMap(({ id, filed }) => (filed ? [`${spaceId}/${id}`] : []));
  await touchRows(writer, { realmId, kind: 'memory', ids: homed, reason: 'audience' });
  await touchRows(writer, { realmId, kind: 'space_memory', ids: links, reason: 'audience' });
}

/** A large space only has other readers; in a small one every memory is looked at. */
async function settleSpace(writer: FeedWriter, realmId: string, spaceId: string): Promise<void> {
  const isLarge = await settleSpaceReaders(writer, realmId, spaceId);
  await openOutside(writer, realmId, spaceId);
  if (!isLarge) await settleContents(writer, realmId, spaceId);
}

/** Rows that the database changes when rows are removed. */
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

type Settle = (writer: FeedWriter, realmId: string, ids: readonly string[]) => Promise<void>;
type FindCascade = (
  writer: FeedWriter,
  realmId: string,
  ids: readonly string[],
) => Promise<Cascade | undefined>;

/** How rows of one kind decide who reads others. */
interface Reach {
  /** After fields that decide were changed. */
  changed: Settle;
  added: Settle;
  /** Before rows are removed. */
  cascade: FindCascade;
}

const nothing: Settle = async () => undefined;
const nothingElse: FindCascade = async () => undefined;
const NO_REACH: Reach = { changed: nothing, added: nothing, cascade: nothingElse };

const settlePlacesOfGrants: Settle = (writer, realmId, ids) =>
  settlePlaceReaders(writer, realmId, ids.map(placeOfGrant));

/** A new place has no grants yet, and may be the first that the domain of the workspace reads. */
const settleNewPlace: Settle = (writer, realmId) => settleDomainReaders(writer, realmId);

const REACH: Record<SyncedKind, Reach> = {
  workspace: {
    ...NO_REACH,
    changed: async (writer, realmId) => {
      await moveResultsOfDeleted(writer, realmId);
      await settleDomainReaders(writer, realmId);
    },
  },
  workspace_member: NO_REACH,
  sidebar: NO_REACH,
  notification: NO_REACH,
  grant: {
    changed: settlePlacesOfGrants,
    added: settlePlacesOfGrants,
    cascade: async (_writer, _realmId, ids) => ({ kind: 'grant', ids: [], places: ids.map(placeOfGrant) }),
  },
  space: {
    changed: async (writer, realmId, ids) => {
      await settlePlaceReaders(writer, realmId, ids);
      for (const id of ids) await settleSpace(writer, realmId, id);
    },
    added: settleNewPlace,
    cascade: cascadeOfSpaces,
  },
  space_memory: {
    changed: nothing,
    added: async (writer, realmId, ids) => {
      for (const spaceId of await findOutgrown(writer, realmId, ids.map(spaceOfLink)))
        await enlarge(writer, realmId, spaceId);
      await settleFiled(writer, realmId, ids.map(memoryOfLink));
    },
    cascade: async (_writer, _realmId, ids) => ({
      kind: 'space_memory',
      ids: [],
      memories: ids.map(memoryOfLink),
    }),
  },
  memory: {
    changed: settleLinks,
    added: nothing,
    cascade: async (writer, realmId, ids) => ({
      kind: 'space_memory',
      ids: await linksWhere(writer, realmId, { memoryId: ids }),
    }),
  },
  thread: {
    changed: async (writer, realmId, ids) => {
      await settlePlaceReaders(writer, realmId, ids);
      for (const id of ids) await settleMessageReaders(writer, realmId, id);
    },
    added: settleNewPlace,
    cascade: cascadeOfThreads,
  },
  message: {
    ...NO_REACH,
    added: async (writer, realmId, ids) => {
      for (const id of ids) await trimMessages(writer, realmId, id);
    },
  },
};

/** Rows of one kind. */
interface Rows {
  kind: SyncedKind;
  ids: readonly string[];
}

/** To be called after deciding fields of rows changed and the rows themselves were touched. */
export async function settleOthers(writer: FeedWriter, realmId: string, { kind, ids }: Rows): Promise<void> {
  await REACH[kind].changed(writer, realmId, ids);
}

/** To be called after rows of one kind were inserted and touched. */
export async function settleAfterInsert(
  writer: FeedWriter,
  realmId: string,
  { kind, ids }: Rows,
): Promise<void> {
  if (ids.length > 0) await REACH[kind].added(writer, realmId, ids);
}

/** Creates audiences for a space and moves its content there; this changes no person's access. */
export async function enlarge(writer: FeedWriter, realmId: string, spaceId: string): Promise<void> {
  await openSpaceAudiences(writer, realmId, spaceId);
  await settleContents(writer, realmId, spaceId);
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

async function cascadeOfSpaces(
  writer: FeedWriter,
  realmId: string,
  ids: readonly string[],
): Promise<Cascade> {
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
}

async function cascadeOfThreads(
  writer: FeedWriter,
  realmId: string,
  ids: readonly string[],
): Promise<Cascade> {
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
}

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
  return REACH[kind].cascade(writer, realmId, ids);
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
