/** Reads of spaces as the public sees them. */
import { sql } from 'kysely';
import { PUBLIC } from '#shared/spaces/limits.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { publiclyReadable, type PublicReach } from '../sync/public.ts';

const COLUMNS = [
  ...(['space.id', 'space.workspaceId', 'space.name', 'space.description', 'space.color'] as const),
  ...(['space.slug', 'space.publishText'] as const),
  ...(['space.created', 'space.updated'] as const),
] as const;

/**
 * The public memories of the space in the enclosing query, under the name `live`. `offset 0` forces the look-up by id:
 * with the statistics of a young database the planner would compare every memory with every link.
 */
const LIVE_MEMORIES = sql`"space_memory" link cross join lateral (
  select m."contentStatus" from "memory" m
  where m."workspaceId" = link."workspaceId" and m."id" = link."memoryId" and m."deletedAt" is null and not m."archived" offset 0) live
  where link."workspaceId" = "space"."workspaceId" and link."spaceId" = "space"."id"`;

/** The spaces that the public reaches, in the shape of publicSpace. */
export function publicSpaces(db: Database, reach: PublicReach) {
  return db
    .selectFrom('space')
    .innerJoin('workspace', 'workspace.id', 'space.workspaceId')
    .innerJoin('user', 'user.id', 'space.ownerId')
    .select(COLUMNS)
    .select([
      sql<PublicSpace['visibility']>`"space"."visibility"`.as('visibility'),
      sql<number>`(select count(*) from ${LIVE_MEMORIES})`.as('memoryCount'),
      sql<PublicSpace['workspace']>`jsonb_build_object('id', "workspace"."id", 'slug', "workspace"."slug",
        'name', "workspace"."name")`.as('workspace'),
      'workspace.publicChat',
      'user.username as author',
    ])
    .where(publiclyReadable('space', reach));
}

/** The space is not empty; an empty one is not listed. */
export const isWorthListing = sql<boolean>`exists (select 1 from ${LIVE_MEMORIES})`;

export interface Ranked {
  id: string;
  /** It was visited or copied; otherwise its rank only reflects its age. */
  trending: boolean;
}

/**
 * Trending spaces, best first: visits, copies and questions of visitors against age.
 */
export async function rankSpaces(db: Database, now: Date): Promise<Ranked[]> {
  const since = new Date(now.getTime() - PUBLIC.trendingDays * 86_400_000).toISOString().slice(0, 10);
  const { rows } = await sql<Ranked>`
    with scored as (
      select "space"."id", "space"."workspaceId", "space"."created",
        (coalesce(visited."visitors", 0) + ${PUBLIC.cloneWeight} * coalesce(copied."copies", 0)
          + ${PUBLIC.visitorThreadWeight}
            * (select count(*) from "visitor_thread" v
              where v."workspaceId" = "space"."workspaceId" and v."spaceId" = "space"."id"))
        / power(extract(epoch from ${now.toISOString()}::timestamptz - "space"."created") / 86400.0
          + ${PUBLIC.ageOffsetDays}, ${PUBLIC.agePower}) as "score"
      from "space"
      left join (select "resourceId", count(distinct "visitor") as "visitors" from "public_visit"
        where "day" >= ${since}::date group by 1) visited on visited."resourceId" = "space"."id"
      left join (select "sourceId", count(*) as "copies" from "space_clone" group by 1) copied
        on copied."sourceId" = "space"."id"
      where ${publiclyReadable('space', 'list')}
        and (select count(*) from ${LIVE_MEMORIES} and live."contentStatus" = 'completed')
          >= ${PUBLIC.trendingMinMemories}),
    placed as (
      select *, row_number() over (partition by "workspaceId" order by "score" desc, "created" desc) as "place"
      from scored)
    select "id", "score" > 0 as "trending" from placed where "place" <= ${PUBLIC.trendingPerWorkspace}
    order by "score" desc, "created" desc limit ${PUBLIC.trendingMax} ${across('public')}`.execute(db);
  return rows;
}
