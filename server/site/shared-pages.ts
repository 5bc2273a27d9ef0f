/** The public pages from the database, as the sitemap lists them. */
import { sql } from 'kysely';
import { publicMemoryPath } from '#shared/citation-path.ts';
import { pathTo } from '#shared/pages.ts';
import { across } from '../db/across.ts';
import type { Context } from '../context.ts';
import { publiclyReadable, publicMemoryUpdated, publicThreadUpdated } from '../sync/public.ts';

/** A sitemap may hold 50,000 addresses; the rest of them is the site's own. */
const MOST = 45_000;

interface Row {
  kind: 'space' | 'memory' | 'thread' | 'workspace';
  workspace: string;
  key: string;
  /** Of a memory, in the space `key`. */
  memoryId: string;
  updated: string;
}

function pathOf({ kind, workspace, key, memoryId }: Row): string {
  if (kind === 'memory')
    return publicMemoryPath({ workspaceSlug: workspace, spaceSlug: key, memoryId, hasPage: true });
  if (kind === 'space') return pathTo('public_space', { workspace_slug: workspace, space_slug: key });
  if (kind === 'thread') return pathTo('public_thread', { workspace_slug: workspace, thread_id: key });
  return pathTo('public_workspace', { workspace_slug: workspace });
}

/** Addresses of all pages that search engines may list, newest first: never unlisted ones or those hidden by reports. */
export async function listSharedPages({
  db,
}: Pick<Context, 'db'>): Promise<{ path: string; updated: string }[]> {
  const { rows } = await sql<Row>`
    with listed as (
      select 'space' as "kind", w."slug" as "workspace", "space"."slug" as "key", '' as "memoryId", "space"."updated"
      from "space" join "workspace" w on w."id" = "space"."workspaceId" where ${publiclyReadable('space', 'list')}
      union all
      select 'thread', w."slug", "thread"."id", '', ${publicThreadUpdated}
      from "thread" join "workspace" w on w."id" = "thread"."workspaceId" where ${publiclyReadable('thread', 'list')}),
    memories as (
      select distinct on ("memory"."id") 'memory', w."slug", "space"."slug", "memory"."id",
        ${publicMemoryUpdated} as "updated"
      from "space" join "workspace" w on w."id" = "space"."workspaceId"
      join "space_memory" link on link."workspaceId" = "space"."workspaceId" and link."spaceId" = "space"."id"
      join "memory" on "memory"."workspaceId" = link."workspaceId" and "memory"."id" = link."memoryId" and "memory"."deletedAt" is null and not "memory"."archived"
      where "space"."publishText" and ${publiclyReadable('space', 'list')}
      order by "memory"."id", "space"."created", "space"."id")
    select * from listed
    union all select * from memories
    union all select 'workspace', "workspace", '', '', max("updated") from listed group by "workspace"
    order by "updated" desc limit ${MOST} ${across('public')}`.execute(db);
  return rows.map((row) => ({ path: pathOf(row), updated: new Date(row.updated).toISOString() }));
}
