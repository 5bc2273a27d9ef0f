// Values of rows in sync: the row that an entry of the feed names, as JSON text. The database writes the text and it is
// sent unchanged: parsing thousands of rows to write the same text again was most of a first pull. The projection must not
// depend on the reader.
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { SYNC } from '#shared/sync/limits.ts';
import { timestamp } from '#shared/define/fields.ts';
import { ENTITIES, type SyncedKind } from '#shared/entities.ts';
import { isSyncedKind, KINDS, SYNCED_KINDS } from '#shared/kinds.ts';
import { memoryHead } from '#shared/memories/memory.ts';
import type { Database } from '../db/database.ts';
import { planOnce } from '../db/prepared-statements.ts';
import { chunked, RESULT_KIND } from './feed.ts';

export interface EntityRef {
  kind: string;
  entityId: string;
}

/** A column under its own name, in the form in which columnTypes returns it to the rest of the server. */
function column(name: string, field: z.ZodType = z.unknown()): string {
  const stored = field instanceof z.ZodNullable ? field.unwrap() : field;
  if (stored !== timestamp) return `row."${name}"`;
  return `to_char(row."${name}", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "${name}"`;
}

const columns = (shape: Readonly<Record<string, z.ZodType>>): string =>
  Object.entries(shape)
    .map(([name, field]) => column(name, field))
    .join(', ');

/** SQL: the columns of a head, from a row under the alias `row`; those of an account are under `u`. */
export function headColumns(kind: SyncedKind): string {
  if (kind === 'memory') {
    const isLong = `row."bodyBytes" > ${SYNC.inlineNotesBytes}`;
    return `${columns(memoryHead.omit({ notes: true, beginning: true }).shape)},
      case when ${isLong} then null else row."notes" end as "notes",
      case when ${isLong} then left(row."notes", ${SYNC.beginningLength}) end as "beginning"`;
  }
  const joined = (KINDS[kind].joined ?? []).map((name) => `, u."${name}"`);
  return columns(ENTITIES[kind].row.shape) + joined.join('');
}

/**
 * The row that the entry names. An account's realm names workspaces, which are in a realm of their own. The realm is given
 * by its value, which says on which server of many the row is.
 */
function isNamed(kind: SyncedKind, realmId: string): RawBuilder<unknown> {
  const { id, realm } = KINDS[kind];
  const parts = id.map((name, index) => {
    const part = id.length === 1 ? 'e."entityId"' : `split_part(e."entityId", '/', ${index + 1})`;
    return `row."${name}" = ${part}`;
  });
  const named = sql.raw(parts.join(' and '));
  return kind === 'workspace' ? named : sql`${named} and ${sql.ref(`row.${realm}`)} = ${realmId}`;
}

function headOf(kind: SyncedKind, realmId: string): RawBuilder<unknown> {
  const user = sql.raw(KINDS[kind].joined === undefined ? '' : 'join "user" u on u."id" = row."userId"');
  return sql`when ${sql.lit(kind)} then (select row_to_json(head)::text from (
    select ${sql.raw(headColumns(kind))} from ${sql.table(kind)} as row ${user} where ${isNamed(kind, realmId)}) head)`;
}

const resultHead = (realmId: string) => sql`(select row_to_json(head)::text from (
  select row."clientId" as "clientID", row."mutationId" as "mutationID", row."workspaceId", row."name", row."args",
    row."code", row."message", ${sql.raw(column('created', timestamp))}
  from "sync_mutation_result" as row
  where row."realmId" = ${realmId} and row."clientId" = regexp_replace(e."entityId", '/[0-9]+$', '')
    and row."mutationId" = substring(e."entityId" from '[0-9]+$')::bigint) head)`;

/**
 * The value of an entry `e` (its columns kind and entityId) of a realm as JSON text; null when the row is deleted. One look-up
 * by key for each entry, in the statement that finds the entries.
 */
export const headIn = (realmId: string): RawBuilder<string | null> =>
  sql<string | null>`case e."kind" ${sql.join(
    SYNCED_KINDS.map((kind) => headOf(kind, realmId)),
    sql` `,
  )} when ${sql.lit(RESULT_KIND)} then ${resultHead(realmId)} end`;

/** @throws Error for an entry of a newer version of the server; reporting it as deleted would delete it on the device */
export function assertKnown({ kind }: EntityRef): void {
  if (kind !== RESULT_KIND && !isSyncedKind(kind)) {
    throw new Error(`The feed holds an unknown kind ${kind}`);
  }
}

/** JSON text of the current values, in the order of the refs; null for a deleted row. */
export async function loadHeads(
  db: Database,
  realmId: string,
  refs: readonly EntityRef[],
): Promise<(string | null)[]> {
  const values: (string | null)[] = [];
  for (const some of chunked(refs, SYNC.pageRows)) {
    some.forEach(assertKnown);
    const { rows } = await sql<{ json: string | null }>`
      select ${headIn(realmId)} as "json" from (
        select ref."kind", ref."entityId", ref."place" from unnest(
          ${some.map(({ kind }) => kind)}::text[], ${some.map(({ entityId }) => entityId)}::text[])
        with ordinality as ref("kind", "entityId", "place")) e
      order by e."place" ${planOnce}`.execute(db);
    for (const { json } of rows) values.push(json);
  }
  return values;
}
