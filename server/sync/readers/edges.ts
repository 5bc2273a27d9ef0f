// From ids to feed edges: reads the facts of rows, in bulk, and asks audiences.ts who reads them. One loader per kind; a
// missing row has no edges, so the feed removes it. Reads only.
import { sql } from 'kysely';
import type { Head, SyncedKind } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import type { PlaceFacts } from '#shared/memories/readers.ts';
import { entityIdOf, KINDS, type ComputedKind, type KeyFacts, type Readers } from '#shared/kinds.ts';
import { READ_BY } from '#shared/spaces/visibility.ts';
import { keyOf } from '#shared/sync/keys.ts';
import type { Database } from '../../db/database.ts';
import { entityIdSql } from '../../db/synced-tables.ts';
import {
  guestAudience,
  linkAudiences,
  memoryAudiences,
  messageAudience,
  namedAudience,
  userAudience,
  visibleAudiences,
  workspaceAudience,
  type LinkFacts,
  type MemoryFacts,
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

/** The workspace row is in its own realm and, until it is deleted, in the account realm of every member. */
const workspaceEdges: Loader = async (db, _realmId, ids) => {
  const { rows } = await sql<{ id: Id<'workspace'>; members: string[] }>`
    select w."id", array(select "userId" from "workspace_member"
        where "workspaceId" = w."id" and w."deletedAt" is null) as "members"
    from "workspace" w where w."id" = any(${ids}::text[])`.execute(db);
  return rows.flatMap(({ id, members }) => {
    const row = { key: keyOf('workspace', { id }), entityId: id };
    return [
      ...edgesTo([workspaceAudience(id)], { ...row, realmId: id }),
      ...members.flatMap((userId) => edgesTo([userAudience(userId, userId)], { ...row, realmId: userId })),
    ];
  });
};

/** The columns that determine the readers of a row; each kind has those that it needs. */
type OwnFacts = PlaceFacts & { id: string; deletedAt: string | null; threadId: string; userId: string };

interface OwnReaders {
  columns: readonly (keyof OwnFacts)[];
  audiences(realmId: string, row: OwnFacts): string[];
}

const OWN: Record<Exclude<Readers, 'computed'>, OwnReaders> = {
  workspace: { columns: [], audiences: (realmId) => [workspaceAudience(realmId)] },
  person: { columns: ['userId'], audiences: (realmId, { userId }) => [userAudience(userId, realmId)] },
  visibility: {
    columns: ['id', 'ownerId', 'visibility', 'deletedAt'],
    audiences: (workspaceId, row) =>
      visibleAudiences({ ...row, workspaceId, isDeleted: row.deletedAt !== null }),
  },
  thread: { columns: ['threadId'], audiences: (_realmId, { threadId }) => [messageAudience(threadId)] },
};

/** The edges of rows whose readers follow from their own columns. */
function ownEdges<K extends SyncedKind>(kind: K, { columns, audiences }: OwnReaders): Loader {
  const { id, realm, time, key } = KINDS[kind];
  const ofKey = key === undefined ? [] : [time, ...(key.parent === undefined ? [] : [key.parent])];
  const names = [...new Set<string>([...id, ...ofKey, ...columns])].map((column) => sql.ref(`row.${column}`));
  return async (db, realmId, ids) => {
    const { rows } = await sql<KeyFacts<K> & OwnFacts>`
      select ${sql.join(names)} from ${sql.table(kind)} as row
      where ${sql.ref(`row.${realm}`)} = ${realmId} and ${entityIdSql(kind, 'row')} = any(${ids}::text[])`.execute(
      db,
    );
    return rows.flatMap((row) =>
      edgesTo(audiences(realmId, row), { realmId, key: keyOf(kind, row), entityId: entityIdOf(kind, row) }),
    );
  };
}

/** SQL: a space with an audience of its own under the alias `large`, as `SpaceFacts` has it. */
const SPACE_FACTS = sql`jsonb_build_object('id', s."id", 'visibility', s."visibility", 'ownerId', s."ownerId",
  'isDeleted', s."deletedAt" is not null, 'isLarge', large."spaceId" is not null,
  'hasOutside', coalesce(large."hasOutside", false))`;

interface MemoryFactsRow extends MemoryFacts {
  id: Id<'memory'>;
  created: string;
}

/** A deleted space widens no access; a large one checks by itself whether it is deleted. */
const memoryEdges: Loader = async (db, realmId, ids) => {
  const { rows } = await sql<MemoryFactsRow>`
    select m."id", m."created", m."workspaceId", m."ownerId",
           (select ${SPACE_FACTS} from "space" s
            left join "sync_space_audience" large on large."realmId" = ${realmId} and large."spaceId" = s."id"
            where s."workspaceId" = ${realmId} and s."id" = m."spaceId") as "home",
           coalesce((select jsonb_agg(${SPACE_FACTS})
                     from "space_memory" link
                     join "space" s on s."workspaceId" = ${realmId} and s."id" = link."spaceId"
                     left join "sync_space_audience" large on large."realmId" = ${realmId} and large."spaceId" = s."id"
                     where link."workspaceId" = ${realmId} and link."memoryId" = m."id" and (s."deletedAt" is null or large."spaceId" is not null)), '[]') as "spaces"
    from "memory" m where m."workspaceId" = ${realmId} and m."id" = any(${ids}::text[])`.execute(db);
  return rows.flatMap((row) =>
    edgesTo(memoryAudiences(row), { realmId, key: keyOf('memory', row), entityId: row.id }),
  );
};

interface LinkFactsRow extends LinkFacts {
  memoryId: Id<'memory'>;
}

const linkEdges: Loader = async (db, realmId, ids) => {
  const [spaceIds, memoryIds] = [0, 1].map((part) => ids.map((id) => id.split('/')[part]));
  const { rows } = await sql<LinkFactsRow>`
    select s."id", s."workspaceId", s."ownerId", s."visibility", s."deletedAt" is not null as "isDeleted",
           large."spaceId" is not null as "isLarge", coalesce(large."hasOutside", false) as "hasOutside",
           m."id" as "memoryId", m."spaceId" as "homeId"
    from unnest(${spaceIds}::text[], ${memoryIds}::text[]) as wanted("spaceId", "memoryId")
    join "space_memory" l on l."workspaceId" = ${realmId}
      and l."spaceId" = wanted."spaceId" and l."memoryId" = wanted."memoryId"
    join "memory" m on m."workspaceId" = ${realmId} and m."id" = l."memoryId"
    join "space" s on s."workspaceId" = ${realmId} and s."id" = l."spaceId"
    left join "sync_space_audience" large on large."realmId" = ${realmId} and large."spaceId" = s."id"`.execute(
    db,
  );
  return rows.flatMap((row) => {
    const entityId = `${row.id}/${row.memoryId}`;
    return edgesTo(linkAudiences(row), { realmId, key: `${KINDS.space_memory.prefix}${entityId}`, entityId });
  });
};

interface GrantFacts extends Pick<Head<'grant'>, 'resourceId' | 'holder' | 'userId'> {
  managers: string[];
  holders: string[];
  isDeleted: boolean;
}

/**
 * A grant is read by its holder while it counts, and by those who may change it: the owner of the place, and of the
 * workspace's owners and admins those who read the place.
 */
const grantEdges: Loader = async (db, realmId, ids) => {
  const { rows } = await sql<GrantFacts>`
    select g."resourceId", g."holder", g."userId", place."deletedAt" is not null as "isDeleted",
      array(select place."ownerId" union select m."userId" from "workspace_member" m
        where m."workspaceId" = ${realmId} and m."position" in ('owner', 'admin')
          and (place."visibility" = any(${READ_BY.workspace}::text[]) or exists (
            select 1 from "sync_audience_member" named
            where named."realmId" = ${realmId} and named."audienceId" = ${namedAudience('')} || place."id" and named."userId" = m."userId"))) as "managers",
      array(select g."userId" where g."userId" is not null and place."visibility" = any(${READ_BY.guests}::text[])
        union select m."userId" from "workspace_member" m
        where m."workspaceId" = ${realmId} and m."position" = g."holder"
          and place."visibility" = any(${READ_BY.positions}::text[])) as "holders"
    from "grant" g join (
      select "id", "ownerId", "visibility", "deletedAt" from "space" where "workspaceId" = ${realmId}
      union all select "id", "ownerId", "visibility", "deletedAt" from "thread" where "workspaceId" = ${realmId}
    ) place on place."id" = g."resourceId"
    where g."workspaceId" = ${realmId} and ${entityIdSql('grant', 'g')} = any(${ids}::text[])`.execute(db);
  return rows.flatMap(({ managers, holders, isDeleted, ...row }) => {
    const readers = [...new Set([...managers, ...holders])].map((userId) => userAudience(userId, realmId));
    const guests = isDeleted ? [] : holders.map((userId) => guestAudience(userId, realmId));
    return edgesTo([...readers, ...guests], {
      realmId,
      key: keyOf('grant', row),
      entityId: entityIdOf('grant', row),
    });
  });
};

const COMPUTED: Record<ComputedKind, Loader> = {
  workspace: workspaceEdges,
  memory: memoryEdges,
  space_memory: linkEdges,
  grant: grantEdges,
};

function isComputed(kind: SyncedKind): kind is ComputedKind {
  return Object.hasOwn(COMPUTED, kind);
}

export function loadEdges(
  db: Database,
  { realmId, kind, ids }: { realmId: string; kind: SyncedKind; ids: readonly string[] },
): Promise<Edge[]> {
  const { readers } = KINDS[kind];
  if (readers !== 'computed') return ownEdges(kind, OWN[readers])(db, realmId, ids);
  if (!isComputed(kind)) throw new Error(`The readers of ${kind} have no loader`);
  return COMPUTED[kind](db, realmId, ids);
}

/** The edges of a row that is being added, undefined when other rows decide about them. */
export function edgesOfNew<K extends SyncedKind>(kind: K, row: Head<K>, realmId: string): Edge[] | undefined {
  const audiences = audiencesOfNew(kind, row, realmId);
  return audiences && edgesTo(audiences, { realmId, key: keyOf(kind, row), entityId: entityIdOf(kind, row) });
}

function audiencesOfNew(kind: SyncedKind, row: object, realmId: string): string[] | undefined {
  const { readers } = KINDS[kind];
  // The head of a kind has the columns of its readers: both are in the row of the kind.
  if (readers !== 'computed') return OWN[readers].audiences(realmId, row as OwnFacts);
  // A memory without a home is read by the whole workspace, and a new one has no links yet.
  return kind === 'memory' && 'spaceId' in row && row.spaceId === null
    ? [workspaceAudience(realmId)]
    : undefined;
}
