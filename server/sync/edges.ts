// From ids to feed edges: reads the facts of rows, in bulk, and asks audiences.ts who reads them. One loader per kind;
// a row that is not there has no edges, so the feed lets go of it. Reads only.
import { sql } from 'kysely';
import type { Head, SyncedKind } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import type { Visibility } from '#shared/spaces/visibility.ts';
import { keyOf } from '#shared/sync/keys.ts';
import type { Database } from '../db/database.ts';
import { entityIdOfRow } from '../db/synced-tables.ts';
import {
  linkAudiences,
  memoryAudiences,
  messageAudience,
  userAudience,
  visibleAudiences,
  workspaceAudience,
  type MemoryFacts,
  type VisibleFacts,
} from './audiences.ts';

/** One row as one audience of one realm sees it. */
export interface Edge {
  realmId: string;
  audienceId: string;
  key: string;
  entityId: string;
}

type Loader = (db: Database, realmId: string, ids: readonly string[]) => Promise<Edge[]>;

function edgesTo(audiences: readonly string[], row: Omit<Edge, 'audienceId'>): Edge[] {
  return audiences.map((audienceId) => ({ ...row, audienceId }));
}

/** The workspace row lives in its own realm and in the account realm of every member. */
const workspaceEdges: Loader = async (db, _realmId, ids) => {
  const { rows } = await sql<{ id: Id<'workspace'>; members: string[] }>`
    select w."id", array(select "userId" from "workspace_member" where "workspaceId" = w."id") as "members"
    from "workspace" w where w."id" = any(${ids}::text[])`.execute(db);
  return rows.flatMap(({ id, members }) => {
    const row = { key: keyOf('workspace', { id }), entityId: id };
    return [
      ...edgesTo([workspaceAudience(id)], { ...row, realmId: id }),
      ...members.flatMap((userId) => edgesTo([userAudience(userId, userId)], { ...row, realmId: userId })),
    ];
  });
};

const memberEdges: Loader = async (db, realmId, ids) => {
  const { rows } = await sql<{ userId: Id<'user'> }>`
    select "userId" from "workspace_member"
    where "workspaceId" = ${realmId} and "userId" = any(${ids}::text[])`.execute(db);
  return rows.flatMap((row) =>
    edgesTo([workspaceAudience(realmId)], {
      realmId,
      key: keyOf('workspace_member', row),
      entityId: row.userId,
    }),
  );
};

interface VisibleRow<K extends 'space' | 'thread'> extends VisibleFacts {
  id: Id<K>;
  created: string;
}

async function visibleRows<K extends 'space' | 'thread'>(
  db: Database,
  kind: K,
  ids: readonly string[],
): Promise<VisibleRow<K>[]> {
  const { rows } = await sql<VisibleRow<K>>`
    select "id", "created", "workspaceId", "ownerId", "visibility"
    from ${sql.table(kind)} where "id" = any(${ids}::text[])`.execute(db);
  return rows;
}

const spaceEdges: Loader = async (db, realmId, ids) => {
  const rows = await visibleRows(db, 'space', ids);
  return rows.flatMap((row) =>
    edgesTo(visibleAudiences(row), { realmId, key: keyOf('space', row), entityId: row.id }),
  );
};

const threadEdges: Loader = async (db, realmId, ids) => {
  const rows = await visibleRows(db, 'thread', ids);
  return rows.flatMap((row) =>
    edgesTo(visibleAudiences(row), { realmId, key: keyOf('thread', row), entityId: row.id }),
  );
};

interface MemoryFactsRow extends Omit<MemoryFacts, 'home'> {
  id: Id<'memory'>;
  created: string;
  homeOwnerId: string | null;
  homeVisibility: Visibility | null;
}

function audiencesOf({ homeOwnerId, homeVisibility, ...row }: MemoryFactsRow): string[] {
  const homeless = homeOwnerId === null || homeVisibility === null;
  const home = homeless ? null : { ownerId: homeOwnerId, visibility: homeVisibility };
  return memoryAudiences({ ...row, home });
}

async function memoryFacts(db: Database, ids: readonly string[]): Promise<MemoryFactsRow[]> {
  const { rows } = await sql<MemoryFactsRow>`
    select m."id", m."created", m."workspaceId", m."ownerId",
           home."visibility" as "homeVisibility", home."ownerId" as "homeOwnerId",
           coalesce((select jsonb_agg(distinct jsonb_build_object('visibility', s."visibility", 'ownerId', s."ownerId"))
                     from "space_memory" link join "space" s on s."id" = link."spaceId"
                     where link."memoryId" = m."id" and s."deletedAt" is null), '[]') as "spaces"
    from "memory" m left join "space" home on home."id" = m."spaceId"
    where m."id" = any(${ids}::text[])`.execute(db);
  return rows;
}

const memoryEdges: Loader = async (db, realmId, ids) =>
  (await memoryFacts(db, ids)).flatMap((row) =>
    edgesTo(audiencesOf(row), { realmId, key: keyOf('memory', row), entityId: row.id }),
  );

interface LinkFactsRow extends VisibleFacts {
  spaceId: Id<'space'>;
  memoryId: Id<'memory'>;
}

const linkEdges: Loader = async (db, realmId, ids) => {
  const { rows } = await sql<LinkFactsRow>`
    select l."spaceId", l."memoryId", s."workspaceId", s."ownerId", s."visibility"
    from unnest(${ids.map((id) => id.split('/')[0])}::text[], ${ids.map((id) => id.split('/')[1])}::text[])
           as wanted("spaceId", "memoryId")
    join "space_memory" l on l."spaceId" = wanted."spaceId" and l."memoryId" = wanted."memoryId"
    join "space" s on s."id" = l."spaceId"`.execute(db);
  const facts = await memoryFacts(db, [...new Set(rows.map(({ memoryId }) => memoryId))]);
  const audiences = new Map<string, string[]>(facts.map((row) => [row.id, audiencesOf(row)]));
  return rows.flatMap((row) =>
    edgesTo(linkAudiences(row, audiences.get(row.memoryId) ?? []), {
      realmId,
      key: keyOf('space_memory', row),
      entityId: `${row.spaceId}/${row.memoryId}`,
    }),
  );
};

const notificationEdges: Loader = async (db, realmId, ids) => {
  const { rows } = await sql<{ id: Id<'notification'>; created: string }>`
    select "id", "created" from "notification" where "id" = any(${ids}::text[])`.execute(db);
  return rows.flatMap((row) =>
    edgesTo([userAudience(realmId, realmId)], {
      realmId,
      key: keyOf('notification', row),
      entityId: row.id,
    }),
  );
};

const messageEdges: Loader = async (db, realmId, ids) => {
  const { rows } = await sql<{ id: Id<'message'>; threadId: Id<'thread'>; createdAt: string }>`
    select "id", "threadId", "createdAt" from "message" where "id" = any(${ids}::text[])`.execute(db);
  return rows.flatMap((row) =>
    edgesTo([messageAudience(row.threadId)], { realmId, key: keyOf('message', row), entityId: row.id }),
  );
};

/** Kind → its loader; a new kind does not compile without one. */
export const EDGE_LOADERS: Record<SyncedKind, Loader> = {
  workspace: workspaceEdges,
  workspace_member: memberEdges,
  space: spaceEdges,
  thread: threadEdges,
  memory: memoryEdges,
  space_memory: linkEdges,
  notification: notificationEdges,
  message: messageEdges,
};

type EdgesOfNew<K extends SyncedKind> = (row: Head<K>) => { audiences: string[]; key: string } | undefined;

/** Kinds whose new rows tell by themselves who reads them; nothing can be linked to a row that was not there. */
const OF_NEW: { [K in SyncedKind]?: EdgesOfNew<K> } = {
  space: (row) => ({ audiences: visibleAudiences(row), key: keyOf('space', row) }),
  thread: (row) => ({ audiences: visibleAudiences(row), key: keyOf('thread', row) }),
  message: (row) => ({ audiences: [messageAudience(row.threadId)], key: keyOf('message', row) }),
  memory: (row) =>
    row.spaceId === null
      ? { audiences: memoryAudiences({ ...row, home: null, spaces: [] }), key: keyOf('memory', row) }
      : undefined,
};

/** The edges of a row that is being added, undefined when other rows decide about them. */
export function edgesOfNew<K extends SyncedKind>(kind: K, row: Head<K>, realmId: string): Edge[] | undefined {
  const known = OF_NEW[kind]?.(row);
  return known && edgesTo(known.audiences, { realmId, key: known.key, entityId: entityIdOfRow(kind, row) });
}
