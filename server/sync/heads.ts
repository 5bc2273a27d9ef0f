// What travels of a row: loads current values by kind and id as JSON text. The database writes the text and it is sent
// as it comes: parsing thousands of rows to write the same text again was most of a first pull. The projection must not
// depend on who reads.
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { SYNC } from '#shared/constants.ts';
import { timestamp } from '#shared/define/fields.ts';
import { ENTITIES, type SyncedKind } from '#shared/entities.ts';
import { isSyncedKind } from '#shared/kinds.ts';
import { memoryHead } from '#shared/memories/memory.ts';
import type { Database } from '../db/database.ts';
import { areRows, entityIdSql } from '../db/synced-tables.ts';
import { chunked, RESULT_KIND } from './feed.ts';

/** A row as the feed names it. */
export interface EntityRef {
  kind: string;
  entityId: string;
}

/** One string per row, for maps. */
export function refKey({ kind, entityId }: EntityRef): string {
  return `${kind} ${entityId}`;
}

/** A column under its own name, in the form in which columnTypes gives it to the rest of the server. */
function column(name: string, field: z.ZodType): RawBuilder<unknown> {
  const ref = sql.ref(`row.${name}`);
  const stored = field instanceof z.ZodNullable ? field.unwrap() : field;
  if (stored !== timestamp) return ref;
  return sql`to_char(${ref}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${sql.ref(name)}`;
}

const columns = (shape: Readonly<Record<string, z.ZodType>>) =>
  sql`${sql.join(Object.entries(shape).map(([name, field]) => column(name, field)))}`;

const notesInline = sql`case when row."bodyBytes" > ${sql.lit(SYNC.inlineNotesBytes)} then null else row."notes" end as "notes"`;

/** Columns of a head; the row's own except where the head is not the row. */
function headColumns(kind: SyncedKind): RawBuilder<unknown> {
  if (kind === 'memory') return sql`${columns(memoryHead.omit({ notes: true }).shape)}, ${notesInline}`;
  const own = columns(ENTITIES[kind].row.shape);
  return kind === 'workspace_member' ? sql`${own}, u."forename", u."surname", u."username"` : own;
}

/** Ids of links and grants are two columns; a join keeps their index in use. */
function matching(kind: SyncedKind, realmId: string, ids: readonly string[]): RawBuilder<unknown> {
  if (kind === 'grant') return sql`from "grant" as row where ${areRows('grant', realmId, ids)}`;
  if (kind !== 'space_memory') {
    const column = kind === 'workspace_member' ? sql.ref('row.userId') : sql.ref('row.id');
    return sql`from ${sql.table(kind)} as row ${joinUser(kind)} where ${column} = any(${ids}::text[])`;
  }
  const [spaceIds, memoryIds] = [0, 1].map((part) => ids.map((id) => id.split('/')[part]));
  return sql`from unnest(${spaceIds}::text[], ${memoryIds}::text[]) as wanted("spaceId", "memoryId")
    join "space_memory" as row on row."spaceId" = wanted."spaceId" and row."memoryId" = wanted."memoryId"`;
}

function joinUser(kind: SyncedKind): RawBuilder<unknown> {
  return kind === 'workspace_member' ? sql`join "user" u on u."id" = row."userId"` : sql``;
}

interface LoadedHead {
  entityId: string;
  json: string;
}

async function loadKind(
  db: Database,
  realmId: string,
  kind: string,
  ids: readonly string[],
): Promise<LoadedHead[]> {
  if (kind === RESULT_KIND) return loadResults(db, realmId, ids);
  if (!isSyncedKind(kind)) throw new Error(`The feed holds an unknown kind ${kind}`);
  const inRealm = kind === 'workspace_member' ? sql`and row."workspaceId" = ${realmId}` : sql``;
  const { rows } = await sql<LoadedHead>`
    select ${entityIdSql(kind, 'row')} as "entityId", (
      select row_to_json(head)::text from (select ${headColumns(kind)}) head) as "json"
    ${matching(kind, realmId, ids)} ${inRealm}`.execute(db);
  return rows;
}

async function loadResults(db: Database, realmId: string, ids: readonly string[]) {
  const { rows } = await sql<{ clientID: string; mutationID: number }>`
    select "clientId" as "clientID", "mutationId" as "mutationID", "workspaceId", "name", "args", "code", "message", "created"
    from "sync_mutation_result" where "realmId" = ${realmId} and "clientId" || '/' || "mutationId" = any(${ids}::text[])
      and "clientId" = any(${ids.map((id) => id.split('/')[0])}::text[])`.execute(db);
  return rows.map((row) => ({ entityId: `${row.clientID}/${row.mutationID}`, json: JSON.stringify(row) }));
}

/** JSON text of the current values, by refKey; a row that is gone is not in the map. */
export async function loadHeads(
  db: Database,
  realmId: string,
  refs: readonly EntityRef[],
): Promise<Map<string, string>> {
  const byKind = Map.groupBy(refs, ({ kind }) => kind);
  const values = new Map<string, string>();
  for (const [kind, list] of byKind) {
    for (const ids of chunked([...new Set(list.map(({ entityId }) => entityId))], SYNC.pageRows)) {
      for (const { entityId, json } of await loadKind(db, realmId, kind, ids)) {
        values.set(refKey({ kind, entityId }), json);
      }
    }
  }
  return values;
}
