/** The public calls about memories: the allow-list of fields, of live public and unlisted spaces only. */
import { sql, type RawBuilder } from 'kysely';
import { LIMITS } from '#shared/constants.ts';
import { SYNC } from '#shared/sync/limits.ts';
import type { ListMeta } from '#shared/define/endpoint.ts';
import type { PageQuery } from '#shared/define/list-query.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { memoryTitle, notesExcerpt } from '#shared/memories/memory-text.ts';
import type { PlacedMemory, PublicMemory } from '#shared/memories/public-memory.ts';
import type { publicMemoryEndpoints } from '#shared/memories/public-endpoints.ts';
import { planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { textQueryOf, type QueryReach } from '../db/text-query.ts';
import type { Handlers } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { publiclyReadable, publicMemoryUpdated, type PublicReach } from '../sync/public.ts';

const COLUMNS = [
  ...(['memory.id', 'memory.type', 'memory.title', 'memory.description', 'memory.summary'] as const),
  ...(['memory.url', 'memory.tags', 'memory.screenshot', 'memory.filename'] as const),
  ...(['memory.contentStatus', 'memory.created'] as const),
] as const;

/** Characters of a text from which its excerpt is made: marks of Markdown may fill some of them. */
const EXCERPT_READ = 4 * LIMITS.excerpt;

/** Lists in the order of the public values. */
const LISTED = { table: 'memory', shown: { updated: publicMemoryUpdated }, nullable: ['title'] } as const;

/** Which spaces make memories public here, and whether whole texts are read. */
interface PublicView {
  reach: PublicReach;
  workspaceId?: string | undefined;
  spaceId?: string | undefined;
  /** A list includes short texts only. */
  isList: boolean;
}

/** The memory is in a space that is public; `texts`: in one that publishes the texts of notes. */
function isShown({ reach, workspaceId, spaceId }: PublicView, texts = false): RawBuilder<boolean> {
  const inWorkspace = workspaceId === undefined ? sql`true` : sql`"space"."workspaceId" = ${workspaceId}`;
  const inSpace = spaceId === undefined ? sql`true` : sql`"space"."id" = ${spaceId}`;
  return sql<boolean>`exists (select 1 from "space_memory" link
    join "space" on "space"."workspaceId" = link."workspaceId" and "space"."id" = link."spaceId"
    where link."workspaceId" = "memory"."workspaceId" and link."memoryId" = "memory"."id" and ${inWorkspace} and ${inSpace}
      and ${publiclyReadable('space', reach)} and ${texts ? sql`"space"."publishText"` : sql`true`})`;
}

const hasPublicText = (view: PublicView): RawBuilder<boolean> =>
  sql<boolean>`("memory"."type" = 'note' and ${isShown(view, true)})`;

/** Memories in a space that is public within the reach; archived and deleted ones are excluded. */
function publicMemories(db: Database, view: PublicView) {
  const text = view.isList
    ? sql`case when "memory"."bodyBytes" <= ${SYNC.inlineNotesBytes} then "memory"."notes" end`
    : sql`"memory"."notes"`;
  const rows = db
    .selectFrom('memory')
    .select(COLUMNS)
    .select([
      publicMemoryUpdated.as('updated'),
      sql<string | null>`case when ${hasPublicText(view)} then ${text} end`.as('text'),
      sql<
        string | null
      >`case when ${hasPublicText(view)} then left("memory"."notes", ${EXCERPT_READ}) end`.as('beginning'),
    ])
    .where('memory.deletedAt', 'is', null)
    .where('memory.archived', '=', false)
    .where(isShown(view));
  const { workspaceId } = view;
  return workspaceId === undefined
    ? rows.modifyEnd(across('public'))
    : rows.where(sql<boolean>`"memory"."workspaceId" = ${workspaceId}`);
}

type FoundMemory = Omit<PublicMemory, 'excerpt'> & { beginning: string | null };

function shapeOf({ beginning, ...row }: FoundMemory): PublicMemory {
  const excerpt = notesExcerpt(beginning ?? '', row.title, LIMITS.excerpt);
  return { ...row, excerpt };
}

async function listOf(
  rows: ReturnType<typeof publicMemories>,
  query: PageQuery,
): Promise<{ result: PublicMemory[]; meta: ListMeta }> {
  const { result, meta } = await listPage(rows, { ...LISTED, query });
  return { result: result.map(shapeOf), meta };
}

/** Neighbours of a memory in its space, and the space of its canonical page. */
async function placeOf(db: Database, place: { workspaceId: string; spaceId: string }, id: Id<'memory'>) {
  const own = sql`(select m."created", m."id" from "memory" m
    where m."workspaceId" = ${place.workspaceId} and m."id" = ${id})`;
  const beside = async (side: 'newer' | 'older'): Promise<PlacedMemory['newer']> => {
    const [comparison, order] = side === 'newer' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
    const row = await publicMemories(db, { reach: 'address', isList: true, ...place })
      .where(sql<boolean>`("memory"."created", "memory"."id") ${comparison} ${own}`)
      .orderBy(sql`"memory"."created" ${order}`)
      .orderBy(sql`"memory"."id" ${order}`)
      .limit(1)
      .executeTakeFirst();
    return row ? { id: row.id, title: memoryTitle({ ...row, notes: row.beginning }) } : null;
  };
  const [newer, older, canonical] = await Promise.all([
    beside('newer'),
    beside('older'),
    sql<{ slug: string }>`select "space"."slug" from "space_memory" link
      join "space" on "space"."workspaceId" = link."workspaceId" and "space"."id" = link."spaceId"
      where link."workspaceId" = ${place.workspaceId} and link."memoryId" = ${id}
        and "space"."publishText" and ${publiclyReadable('space', 'list')}
      order by "space"."created", "space"."id" limit 1`.execute(db),
  ]);
  return { newer, older, canonicalSpace: canonical.rows[0]?.slug ?? null };
}

async function reachable(db: Database, { workspaceId, spaceId }: { workspaceId: string; spaceId: string }) {
  const { rows } = await sql<object>`select 1 from "space" where "id" = ${spaceId}
    and "workspaceId" = ${workspaceId} and ${publiclyReadable('space', 'address')}`.execute(db);
  if (rows.length === 0) throw new AppError('not_found', 'Space not found');
}

export const publicMemoryHandlers = {
  'public_memory.list': async ({ context, params, query }) => {
    await reachable(context.db, params);
    return listOf(publicMemories(context.db, { reach: 'address', isList: true, ...params }), query);
  },
  'public_memory.get': async ({ context, params: { id, ...place } }) => {
    await reachable(context.db, place);
    const row = await publicMemories(context.db, { reach: 'address', isList: false, ...place })
      .where('memory.id', '=', id)
      .executeTakeFirstOrThrow(() => new AppError('not_found', 'Memory not found'));
    return { result: { ...shapeOf(row), ...(await placeOf(context.db, place, id)) } };
  },
  'public_memory.search': ({ context, body: { query, workspaceId, spaceId, page, perPage } }) => {
    const plan = planSearch(parseSearchQuery(query));
    const asked = { ...plan, excluded: [] };
    const view = {
      reach: spaceId === undefined ? 'list' : 'address',
      workspaceId,
      spaceId,
      isList: true,
    } as const;
    const matches = (reach: QueryReach) => {
      const words = textQueryOf(asked, 'all', reach);
      return words === '' ? sql`false` : sql`found."document" @@ ${words}::tsquery`;
    };
    // Private notes have no weight here, so a match never reveals their content.
    const rows = publicMemories(context.db, view).where(
      sql<boolean>`exists (select 1 from "memory_search" found
        where found."workspaceId" = "memory"."workspaceId" and found."memoryId" = "memory"."id"
        and (${matches('shown')} or (${matches('all')} and ${hasPublicText(view)})))`,
    );
    return listOf(rows, { page, perPage, orderBy: 'updated', order: 'desc' });
  },
} satisfies Handlers<typeof publicMemoryEndpoints>;
