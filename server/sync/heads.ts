// What travels of a row (SYNC 2.6 step 8): loads current values by kind and id, as JSON text, so that it is rendered
// once. The projection must not depend on who reads.
import { sql, type RawBuilder } from 'kysely';
import { SYNC } from '#shared/constants.ts';
import { ENTITIES, SYNCED, type SyncedKind } from '#shared/entities.ts';
import { memoryHead } from '#shared/memories/memory.ts';
import type { Database } from '../db/database.ts';
import { entityIdSql } from '../db/synced-tables.ts';
import { chunked, RESULT_KIND } from './feed.ts';

/** A row as the feed names it. */
export interface EntityRef {
  kind: string;
  entityId: string;
}

function isSyncedKind(kind: string): kind is SyncedKind {
  return Object.hasOwn(SYNCED, kind);
}

/** One string per row, for maps. */
export function refKey({ kind, entityId }: EntityRef): string {
  return `${kind} ${entityId}`;
}

const columns = (names: readonly string[]) => sql`${sql.join(names.map((name) => sql.ref(`row.${name}`)))}`;

const notesInline = sql`case when row."bodyBytes" > ${SYNC.inlineNotesBytes} then null else row."notes" end as "notes"`;

/** Columns of a head; the row's own except where the head is not the row. */
function headColumns(kind: SyncedKind): RawBuilder<unknown> {
  if (kind === 'memory') {
    const names = Object.keys(memoryHead.shape).filter((name) => name !== 'notes');
    return sql`${columns(names)}, ${notesInline}`;
  }
  const own = columns(Object.keys(ENTITIES[kind].row.shape));
  return kind === 'workspace_member' ? sql`${own}, u."forename", u."surname", u."username"` : own;
}

/** Ids of links are two columns; a join keeps their index in use. */
function matching(kind: SyncedKind, ids: readonly string[]): RawBuilder<unknown> {
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

async function loadKind(db: Database, realmId: string, kind: string, ids: readonly string[]) {
  if (kind === RESULT_KIND) return loadResults(db, realmId, ids);
  if (!isSyncedKind(kind)) throw new Error(`The feed holds an unknown kind ${kind}`);
  const inRealm = kind === 'workspace_member' ? sql`and row."workspaceId" = ${realmId}` : sql``;
  const { rows } = await sql<{ entityId: string }>`
    select ${headColumns(kind)}, ${entityIdSql(kind, 'row')} as "entityId" ${matching(kind, ids)} ${inRealm}`.execute(
    db,
  );
  return rows.map(({ entityId, ...head }) => ({ entityId, json: JSON.stringify(head) }));
}

async function loadResults(db: Database, realmId: string, ids: readonly string[]) {
  const { rows } = await sql<{ clientID: string; mutationID: number }>`
    select "clientId" as "clientID", "mutationId" as "mutationID", "name", "args", "code", "message", "created"
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
