/** Reads of memories that a person may see; deleted memories do not exist here. */
import { sql } from 'kysely';
import { DAY_MS } from '#shared/constants.ts';
import { CAPSULE_MIN_AGE_DAYS } from '#shared/memories/limits.ts';
import { SYNC } from '#shared/sync/limits.ts';
import type { ListMeta } from '#shared/define/endpoint.ts';
import { filtersOf, type PageQuery } from '#shared/define/list-query.ts';
import type { Id } from '#shared/ids.ts';
import type { TextAddress } from '#shared/memories/endpoints.ts';
import type { Database } from '../db/database.ts';
import { columnsOf } from '../db/entity-columns.ts';
import { planOnce } from '../db/prepared-statements.ts';
import { filterCondition } from '../http/list-page.ts';
import { readableBy, readerIn, type WorkspaceReader } from '../sync/readable.ts';

export type Reader = WorkspaceReader;

const COLUMNS = columnsOf('memory', ['urlKey', 'notes', 'deletedAt']);

/** The memories that the person reads, without columns. */
export function readableMemories(db: Database, reader: Reader) {
  return db
    .selectFrom('memory')
    .where('memory.workspaceId', '=', reader.workspaceId)
    .where('memory.deletedAt', 'is', null)
    .where(readableBy('memory', 'memory', readerIn(reader)));
}

/** The memories that the person reads, with notes only as far as replicas have them: for lists. */
export function memoriesFor(db: Database, reader: Reader) {
  return readableMemories(db, reader)
    .select(COLUMNS)
    .select((row) =>
      row
        .case()
        .when('memory.bodyBytes', '<=', SYNC.inlineNotesBytes)
        .then(row.ref('memory.notes'))
        .end()
        .as('notes'),
    );
}

export function findMemory(db: Database, reader: Reader, id: Id<'memory'>) {
  return readableMemories(db, reader)
    .select(COLUMNS)
    .select('memory.notes')
    .where('memory.id', '=', id)
    .modifyEnd(planOnce)
    .executeTakeFirst();
}

/** The texts in the requested order, as many as a response has room for; null for those that the person cannot read. */
export async function findTexts(db: Database, reader: Reader, asked: readonly TextAddress[]) {
  const rows = await readableMemories(db, reader)
    .leftJoin('memory_page', (join) =>
      join
        .onRef('memory_page.workspaceId', '=', 'memory.workspaceId')
        .onRef('memory_page.memoryId', '=', 'memory.id'),
    )
    .select(['memory.id', 'memory.notes as body', 'memory_page.text as page'])
    .where('memory.id', 'in', [...new Set(asked.map(({ id }) => id))])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found: (TextAddress & { text: string | null })[] = [];
  let bytes = 0;
  for (const { id, part } of asked) {
    if (bytes > SYNC.textsAnswerBytes) break;
    const text = byId.get(id)?.[part] ?? null;
    found.push({ id, part, text });
    bytes += Buffer.byteLength(text ?? '');
  }
  return found;
}

export interface RandomPlan {
  seed: string;
  limit: number;
  now: Date;
  query: Readonly<Record<string, unknown>>;
}

/** Memories in an order that follows from the seed, young ones last; archived and unfinished ones only if filters include them. */
export async function randomMemories(db: Database, reader: Reader, { seed, limit, now, query }: RandomPlan) {
  // Ids alone are ranked, so that thousands of rows need not be read for twenty.
  let ranked = readableMemories(db, reader).select('memory.id');
  const filters = filtersOf(query);
  const asked = new Set(filters.map(([field]) => field));
  if (!asked.has('archived')) ranked = ranked.where('memory.archived', '=', false);
  if (!asked.has('contentStatus')) ranked = ranked.where('memory.contentStatus', '=', 'completed');
  for (const [field, filter] of filters) {
    ranked = ranked.where(filterCondition(sql.ref(`memory.${field}`), filter));
  }
  const youngest = new Date(now.getTime() - CAPSULE_MIN_AGE_DAYS * DAY_MS).toISOString();
  const ids = await ranked
    .orderBy(sql`memory."created" > ${youngest}`)
    .orderBy(sql`encode(sha256(convert_to(${seed} || memory."id", 'UTF8')), 'hex')`)
    .limit(limit)
    .execute();
  if (ids.length === 0) return [];
  const order = ids.map(({ id }) => id);
  const rows = await memoriesFor(db, reader).where('memory.id', 'in', order).execute();
  return rows.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}

/** The tags of readable memories with their counts. */
export async function listTags(
  db: Database,
  reader: Reader,
  { page, perPage, orderBy, order }: PageQuery,
): Promise<{ result: { tag: string; count: number }[]; meta: ListMeta }> {
  const first = orderBy === 'tag' ? sql`"tag"` : sql`"count"`;
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const { rows } = await sql<{ tag: string; count: number; total: number }>`
    select "tag", count(*) as "count", count(*) over () as "total"
    from "memory" cross join lateral unnest("memory"."tags") as "tag"
    where "memory"."workspaceId" = ${reader.workspaceId} and "memory"."deletedAt" is null
      and ${readableBy('memory', 'memory', readerIn(reader))}
    group by "tag" order by ${first} ${direction}, "tag"
    limit ${perPage} offset ${(page - 1) * perPage}`.execute(db);
  const result = rows.map(({ tag, count }) => ({ tag, count }));
  return { result, meta: { page, perPage, total: rows[0]?.total ?? 0, orderBy, order } };
}
