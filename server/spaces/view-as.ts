/**
 * A space as other people see it, from the read rule itself: for members the audience of the workspace, for guests the
 * audiences of this space, for visitors what is public. Nothing is guessed from the visibility.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Memory } from '#shared/memories/memory.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import type { Space } from '#shared/spaces/space.ts';
import { type SpaceView, type ViewedMemory, SPACE_VIEW_MAX } from '#shared/spaces/space-view.ts';
import { VISIBILITY, workspaceReads, type SpaceViewer, type Visibility } from '#shared/spaces/visibility.ts';
import type { Database } from '../db/database.ts';
import { filedAudience, homeAudience, namedAudience, outsideAudience } from '../sync/readers/audiences.ts';
import { publiclyReadable } from '../sync/public.ts';
import { readableByAll } from '../sync/readable.ts';

type Viewed = Pick<Space, 'id' | 'workspaceId' | 'visibility' | 'name' | 'description' | 'publishText'>;

/** Whether the viewer reads the memory `m` of the space; used only if the viewer reads the space. */
const READS: Readonly<Record<SpaceViewer, (space: Viewed) => RawBuilder<boolean>>> = {
  member: ({ workspaceId }) => readableByAll('m', workspaceId),
  guest: ({ id, workspaceId }) => sql<boolean>`exists (
    select 1 from "sync_entry" entry
    where entry."entityId" = m."id" and entry."realmId" = ${workspaceId} and entry."live"
      and entry."audienceId" = any(${[
        namedAudience(id),
        outsideAudience(id),
        homeAudience(id),
        filedAudience(id),
      ]}::text[]))`,
  visitor: () => sql<boolean>`true`,
};

/** Characters of a text that may name a memory without a title. */
const BEGINNING = 1_000;

/** The beginning of the text of the memory `m`; null for visitors where the space does not publish texts. */
function beginningFor(viewer: SpaceViewer, { publishText }: Viewed): RawBuilder<string | null> {
  const beginning = sql<string | null>`left(m."notes", ${BEGINNING})`;
  if (viewer !== 'visitor') return beginning;
  return publishText ? sql`case when m."type" = 'note' then ${beginning} end` : sql<null>`null`;
}

/** A space or a thread, which have the same visibilities. */
interface Place {
  kind: 'space' | 'thread';
  workspaceId: string;
  id: string;
  visibility: Visibility;
}

/**
 * The role in which a member, a guest or a visitor can read the space or thread; undefined when they cannot. A guest who was
 * not invited to a public one reads it as a visitor.
 */
export async function readsAs(
  db: Database,
  place: Place,
  viewer: SpaceViewer,
): Promise<SpaceViewer | undefined> {
  const { kind, workspaceId, id, visibility } = place;
  if (viewer === 'member') return workspaceReads(visibility) ? 'member' : undefined;
  if (viewer === 'guest' && VISIBILITY[visibility].guests) return 'guest';
  const { rows } = await sql`
    select 1 from ${sql.table(kind)}
    where "workspaceId" = ${workspaceId} and "id" = ${id} and ${publiclyReadable(kind, 'address')}`.execute(
    db,
  );
  return rows.length > 0 ? 'visitor' : undefined;
}

type FoundMemory = ViewedMemory & Pick<Memory, 'filename' | 'url' | 'notes'> & { total: number };

/** A space as a member, a guest or a visitor sees it; empty where they cannot read it. */
export async function viewSpaceAs(db: Database, space: Viewed, viewer: SpaceViewer): Promise<SpaceView> {
  const reader = await readsAs(db, { kind: 'space', ...space }, viewer);
  if (reader === undefined) return { viewer, reads: false, space: null, memories: [], total: 0 };
  const { rows } = await sql<FoundMemory>`
    select m."id", m."type", m."title", m."filename", m."url", ${beginningFor(reader, space)} as "notes",
      m."description", m."tags", m."created", count(*) over () as "total"
    from "space_memory" link
    join "memory" m on m."workspaceId" = link."workspaceId" and m."id" = link."memoryId"
    where link."workspaceId" = ${space.workspaceId} and link."spaceId" = ${space.id}
      and m."deletedAt" is null and not m."archived" and ${READS[reader](space)}
    order by m."created" desc, m."id" limit ${SPACE_VIEW_MAX}`.execute(db);
  const { name, description } = space;
  return {
    viewer,
    reads: true,
    space: { name, description },
    memories: rows.map(({ total: _total, filename, url, notes, ...memory }) => ({
      ...memory,
      title: memoryTitle({ ...memory, filename, url, notes }),
    })),
    total: rows[0]?.total ?? 0,
  };
}
