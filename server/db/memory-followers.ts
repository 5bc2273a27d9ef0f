/**
 * What follows a memory in other tables, and the date that visitors see: its search document, whether its vectors are of its
 * present text, and the space that it left. It is written with the memory and not by triggers, because a trigger that
 * writes another table cannot run where tables are spread over servers.
 */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { publicMemory } from '#shared/memories/public-memory.ts';
import type { RealmVersions } from './realm-versions.ts';
import type { Tables } from './tables.ts';

interface MemoryWriter {
  trx: Transaction<Tables>;
  versions: RealmVersions;
  realmId: string;
}

/** Columns whose words are in the search document. */
const SEARCHED: readonly string[] = ['title', 'tags', 'description', 'summary', 'url', 'notes'];
/** Columns by which a search chooses documents. */
const STATE: readonly string[] = ['spaceId', 'archived', 'deletedAt'];
/** Columns of which vectors are made, and the one that ends them. */
const EMBEDDED: readonly string[] = ['title', 'tags', 'description', 'summary', 'notes', 'deletedAt'];
/** An id and a time of birth never change, the date itself is what moves, and both texts are made of the notes. */
const NO_PUBLIC_CHANGE = new Set(['id', 'created', 'updated', 'text', 'excerpt']);
/** Columns that the public sees. Notes are public in spaces that publish texts alone. */
const PUBLIC = Object.keys(publicMemory.shape).filter((column) => !NO_PUBLIC_CHANGE.has(column));

/** SQL: the memory is in a public or unlisted space that publishes the texts of its notes. */
export const isTextPublished = (
  workspaceId: string,
  memoryId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from "space_memory" filed
  join "space" home on home."workspaceId" = filed."workspaceId" and home."id" = filed."spaceId"
  where filed."workspaceId" = ${workspaceId} and filed."memoryId" = ${memoryId}
    and home."publishText" and home."deletedAt" is null and home."visibility" in ('public', 'unlisted'))`;

const list = (refs: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql`row(${sql.join(refs)})`;

/**
 * SQL: what an update of the alias `row` sets as the date that visitors see, given the new value of each column; undefined
 * when no column matters to them.
 */
export function publicDate(
  realmId: string,
  given: ReadonlyMap<string, RawBuilder<unknown>>,
): RawBuilder<unknown> | undefined {
  const changed = PUBLIC.filter((column) => given.has(column));
  const notes = given.get('notes');
  if (changed.length === 0 && notes === undefined) return undefined;
  const olds = changed.map((column) => sql.ref(`row.${column}`));
  const news = changed.flatMap((column) => given.get(column) ?? []);
  const moves = changed.length === 0 ? sql`false` : sql`${list(olds)} is distinct from ${list(news)}`;
  const notesMove =
    notes === undefined
      ? sql`false`
      : sql`${given.get('type') ?? sql.ref('row.type')} = 'note' and row."notes" is distinct from ${notes}
          and ${isTextPublished(realmId, sql.ref('row.id'))}`;
  return sql`"publicUpdated" = case when ${moves} or (${notesMove})
    then ${given.get('updated') ?? sql.ref('row.updated')} else row."publicUpdated" end`;
}

/** Before memories get another home, or are removed where `home` is undefined: records which space each leaves. */
export async function recordDepartures(
  { trx, versions, realmId }: MemoryWriter,
  ids: readonly string[],
  home?: RawBuilder<unknown>,
): Promise<void> {
  const leaves = home === undefined ? sql`true` : sql`row."spaceId" is distinct from ${home}`;
  await sql`
    insert into "memory_departure" ("workspaceId", "spaceId", "memoryId", "ver")
    select row."workspaceId", row."spaceId", row."id", ${versions.of(realmId)}::bigint from "memory" row
    where row."workspaceId" = ${realmId} and row."id" = any(${ids}::text[]) and row."spaceId" is not null and ${leaves}
    on conflict ("workspaceId", "spaceId", "memoryId") do update set "ver" = excluded."ver"`.execute(trx);
}

/** After memories were added, or columns of them written. */
export async function followMemories(
  writer: MemoryWriter,
  ids: readonly string[],
  columns: readonly string[] | 'all',
): Promise<void> {
  const writes = (some: readonly string[]) =>
    columns !== 'all' && columns.some((name) => some.includes(name));
  await Promise.all([
    columns === 'all' || writes(SEARCHED)
      ? storeDocuments(writer, ids)
      : writes(STATE) && storeState(writer, ids),
    writes(EMBEDDED) && forgetEmbeddings(writer, ids),
    writes(['deletedAt']) && forgetVectors(writer, ids),
  ]);
}

/** A title, B tags, description and summary, C address, D notes. Tags are folded, for the operator tag:. */
async function storeDocuments({ trx, realmId }: MemoryWriter, ids: readonly string[]): Promise<void> {
  await sql`
    insert into "memory_search" ("memoryId", "workspaceId", "spaceId", "archived", "deleted", "created", "tags", "document")
    select m."id", m."workspaceId", m."spaceId", m."archived", m."deletedAt" is not null, m."created",
      array(select "search_fold"("tag") from unnest(m."tags") as "tag"),
      setweight("search_vector"(coalesce(m."title", '')), 'A') ||
      setweight("search_vector"(array_to_string(m."tags", ' , ') || ' . ' || coalesce(m."description", '')
        || ' . ' || coalesce(m."summary", '')), 'B') ||
      setweight("search_vector"(regexp_replace(coalesce(m."url", ''), '^[a-zA-Z]+://(www\\.)?', '')), 'C') ||
      setweight("search_vector"(coalesce(m."notes", '')), 'D')
    from "memory" m where m."workspaceId" = ${realmId} and m."id" = any(${ids}::text[])
    on conflict ("workspaceId", "memoryId") do update set "spaceId" = excluded."spaceId", "archived" = excluded."archived",
      "deleted" = excluded."deleted", "tags" = excluded."tags", "document" = excluded."document"`.execute(
    trx,
  );
}

async function storeState({ trx, realmId }: MemoryWriter, ids: readonly string[]): Promise<void> {
  await sql`
    update "memory_search" s set "spaceId" = m."spaceId", "archived" = m."archived", "deleted" = m."deletedAt" is not null
    from "memory" m where m."workspaceId" = ${realmId} and m."id" = any(${ids}::text[])
      and s."workspaceId" = ${realmId} and s."memoryId" = m."id"`.execute(trx);
}

/**
 * Makes memories due whose text was written. A job that is storing vectors of the former text holds a lock on the memory,
 * for which the write that came before has waited.
 */
async function forgetEmbeddings({ trx, realmId }: MemoryWriter, ids: readonly string[]): Promise<void> {
  await sql`
    delete from "memory_embedding" where "workspaceId" = ${realmId} and "memoryId" = any(${ids}::text[])`.execute(
    trx,
  );
}

async function forgetVectors({ trx, realmId }: MemoryWriter, ids: readonly string[]): Promise<void> {
  await sql`
    delete from "memory_vector" v using "memory" m
    where v."workspaceId" = ${realmId} and v."memoryId" = any(${ids}::text[]) and m."workspaceId" = ${realmId}
      and m."id" = v."memoryId" and m."deletedAt" is not null`.execute(trx);
}

/** Makes memories due whose page got another text, once a job that is storing vectors of the former one has ended. */
export async function forgetEmbeddingsOfPages(writer: MemoryWriter, ids: readonly string[]): Promise<void> {
  const { trx, realmId } = writer;
  await Promise.all([
    sql`select 1 from "memory" where "workspaceId" = ${realmId} and "id" = any(${ids}::text[])
      order by "id" for no key update`.execute(trx),
    forgetEmbeddings(writer, ids),
  ]);
}

/** Before spaces are removed: their memories lose their home. */
export async function leaveSpaces(writer: MemoryWriter, memoryIds: readonly string[]): Promise<void> {
  const { trx, realmId } = writer;
  await Promise.all([
    recordDepartures(writer, memoryIds, sql`null`),
    sql`update "memory" set "spaceId" = null
      where "workspaceId" = ${realmId} and "id" = any(${memoryIds}::text[])`.execute(trx),
    storeState(writer, memoryIds),
  ]);
}
