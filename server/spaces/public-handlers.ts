/** The public calls about spaces, and the copy of one into a workspace of one's own. */
import { sql } from 'kysely';
import { PUBLIC } from '#shared/spaces/limits.ts';
import { AppError } from '#shared/errors.ts';
import type { publicSpaceEndpoints } from '#shared/spaces/public-endpoints.ts';
import type { PublicSpace, TrendingSpace } from '#shared/spaces/public-space.ts';
import { queryTermsOf } from '#shared/memories/text-analysis.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import { containsPattern } from '../db/text-query.ts';
import type { Handlers } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { written } from '../http/write.ts';
import { placeBySlug, recordVisit, report } from '../site/service.ts';
import { cloneSpace } from './clone.ts';
import { isWorthListing, publicSpaces, rankSpaces, type Ranked } from './public-store.ts';
import { findIdBySlug, spacesFor } from './store.ts';

/** Trending spaces per server, until they are counted again. */
const trending = new WeakMap<Context['db'], { until: number; ranked: Ranked[] }>();

/** Counted every PUBLIC.trendingCacheMs; spaces that are no longer public are filtered out in every call. */
async function trendingSpaces(context: Context): Promise<TrendingSpace[]> {
  const now = context.clock.now();
  let counted = trending.get(context.db);
  if (counted === undefined || counted.until < now.getTime()) {
    counted = { until: now.getTime() + PUBLIC.trendingCacheMs, ranked: await rankSpaces(context.db, now) };
    // The first public space of a server should not wait for its place.
    if (counted.ranked.length > 0) trending.set(context.db, counted);
  }
  const rows = await byIds(
    context,
    counted.ranked.map(({ id }) => id),
  );
  const spaces = counted.ranked.flatMap(({ id, trending: isTrending }) =>
    rows.filter((row) => row.id === id).map((row) => ({ ...row, trending: isTrending })),
  );
  if (spaces.length > 0) return spaces;
  return (await newestSpaces(context)).map((space) => ({ ...space, trending: false }));
}

/** Shown while there are no trending spaces. */
function newestSpaces({ db }: Context): Promise<PublicSpace[]> {
  return publicSpaces(db, 'list')
    .where(isWorthListing)
    .orderBy('space.created', 'desc')
    .orderBy('space.id', 'desc')
    .modifyEnd(across('public'))
    .limit(PUBLIC.trendingMax)
    .execute();
}

async function byIds({ db }: Context, ids: readonly string[]): Promise<PublicSpace[]> {
  if (ids.length === 0) return [];
  return publicSpaces(db, 'list')
    .where(sql<boolean>`"space"."id" = any(${ids}::text[])`)
    .modifyEnd(across('public'))
    .execute();
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new AppError('not_found', 'Space not found');
  return row;
}

export const publicSpaceHandlers = {
  'public_space.trending': async ({ context }) => ({ result: await trendingSpaces(context) }),
  'public_space.newest': ({ context, query }) =>
    listPage(publicSpaces(context.db, 'list').where(isWorthListing).modifyEnd(across('public')), {
      table: 'space',
      query,
    }),
  'public_space.get_by_slug': async ({ context, params, request }) => {
    const now = context.clock.now();
    const workspaceId = await placeBySlug(context, params.workspaceSlug);
    const id = workspaceId && (await findIdBySlug(context.db, { workspaceId, slug: params.slug, now }));
    const space = found(
      id
        ? await publicSpaces(context.db, 'address')
            .where(sql<boolean>`"space"."workspaceId" = ${workspaceId}`)
            .where('space.id', '=', id)
            .executeTakeFirst()
        : undefined,
    );
    await recordVisit(context, space.id, request);
    return { result: space };
  },
  'public_space.list': ({ context, params, query }) =>
    listPage(publicSpaces(context.db, 'list').where('space.workspaceId', '=', params.workspaceId), {
      table: 'space',
      query,
    }),
  'public_space.get': async ({ context, params, request }) => {
    const space = found(
      await publicSpaces(context.db, 'address')
        .where('space.id', '=', params.id)
        .where('space.workspaceId', '=', params.workspaceId)
        .executeTakeFirst(),
    );
    await recordVisit(context, space.id, request);
    return { result: space };
  },
  'public_space.search': async ({ context, body }) => {
    let rows = publicSpaces(context.db, 'list');
    rows =
      body.workspaceId === undefined
        ? rows.modifyEnd(across('public'))
        : rows.where('space.workspaceId', '=', body.workspaceId);
    const words = queryTermsOf(body.query);
    if (words.length === 0) rows = rows.where(sql<boolean>`false`);
    for (const word of words) {
      const text = sql`search_fold("space"."name" || ' ' || coalesce("space"."description", ''))`;
      rows = rows.where(sql<boolean>`${text} like ${containsPattern(word)}`);
    }
    const { page, perPage } = body;
    const query = { page, perPage, orderBy: 'updated', order: 'desc' } as const;
    const { result, meta } = await listPage(rows, { table: 'space', query });
    // A search has page numbers alone.
    return { result, meta: { ...meta, nextCursor: undefined } };
  },
  'public_space.report': async ({
    context,
    body: { id, memoryId, reason, details: words, email },
    request,
  }) => {
    const details = memoryId === undefined ? words : [`Memory: ${memoryId}`, words ?? ''].join('\n').trim();
    await report(context, { kind: 'space', resourceId: id, reason, details, email }, request);
  },
  'space.clone': async ({ context, actor, body }) => {
    const { version, value } = await cloneSpace(context, actor, body.spaceId);
    const { id, copied, linked } = value;
    const row = await spacesFor(context.db, actor).where('space.id', '=', id).executeTakeFirst();
    return written({ version, value: { ...found(row), copied, linked } });
  },
} satisfies Handlers<typeof publicSpaceEndpoints>;
