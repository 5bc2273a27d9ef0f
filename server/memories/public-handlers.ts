/** The public calls about memories: the allow-list of fields, of live public and unlisted spaces only. */
import { sql } from 'kysely';
import { AppError } from '#shared/errors.ts';
import type { publicMemoryEndpoints } from '#shared/memories/public-endpoints.ts';
import { planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import type { Database } from '../db/database.ts';
import { textQueryOf } from '../db/text-query.ts';
import type { Handlers } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { publiclyReadable, publicMemoryUpdated, type PublicReach } from '../sync/public.ts';

const COLUMNS = [
  ...(['memory.id', 'memory.type', 'memory.title', 'memory.description', 'memory.summary'] as const),
  ...(['memory.url', 'memory.tags', 'memory.screenshot', 'memory.filename'] as const),
  ...(['memory.contentStatus', 'memory.created'] as const),
] as const;

/** Lists in the order of what is shown. */
const LISTED = { table: 'memory', shown: { updated: publicMemoryUpdated } } as const;

/** Memories that stand in a space which the public reaches; archived and deleted ones do not. */
function publicMemories(db: Database, reach: PublicReach, where: { workspaceId?: string; spaceId?: string }) {
  const { workspaceId, spaceId } = where;
  const inWorkspace = workspaceId === undefined ? sql`true` : sql`"space"."workspaceId" = ${workspaceId}`;
  const inSpace = spaceId === undefined ? sql`true` : sql`"space"."id" = ${spaceId}`;
  return db
    .selectFrom('memory')
    .select(COLUMNS)
    .select(publicMemoryUpdated.as('updated'))
    .where('memory.deletedAt', 'is', null)
    .where('memory.archived', '=', false)
    .where(
      sql<boolean>`exists (select 1 from "space_memory" link join "space" on "space"."id" = link."spaceId"
        where link."memoryId" = "memory"."id" and ${inWorkspace} and ${inSpace}
          and ${publiclyReadable('space', reach)})`,
    );
}

async function reachable(db: Database, { workspaceId, spaceId }: { workspaceId: string; spaceId: string }) {
  const { rows } = await sql<object>`select 1 from "space" where "id" = ${spaceId}
    and "workspaceId" = ${workspaceId} and ${publiclyReadable('space', 'address')}`.execute(db);
  if (rows.length === 0) throw new AppError('not_found', 'Space not found');
}

export const publicMemoryHandlers = {
  'public_memory.list': async ({ context, params, query }) => {
    await reachable(context.db, params);
    return listPage(publicMemories(context.db, 'address', params), { ...LISTED, query });
  },
  'public_memory.get': async ({ context, params: { id, ...place } }) => {
    await reachable(context.db, place);
    const row = await publicMemories(context.db, 'address', place)
      .where('memory.id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('not_found', 'Memory not found');
    return { result: row };
  },
  'public_memory.search': ({ context, body: { query, workspaceId, spaceId, page, perPage } }) => {
    const plan = planSearch(parseSearchQuery(query));
    // Without the weight of notes, a match never tells what private text says.
    const words = textQueryOf({ ...plan, excluded: [] }, 'all', 'shown');
    const reach = spaceId === undefined ? 'list' : 'address';
    const rows = publicMemories(context.db, reach, { workspaceId, spaceId }).where(
      words === ''
        ? sql<boolean>`false`
        : sql<boolean>`exists (select 1 from "memory_search" found
            where found."memoryId" = "memory"."id" and found."document" @@ ${words}::tsquery)`,
    );
    return listPage(rows, { ...LISTED, query: { page, perPage, orderBy: 'updated', order: 'desc' } });
  },
} satisfies Handlers<typeof publicMemoryEndpoints>;
