/** The public pages that live in the database, as the sitemap lists them. */
import { sql } from 'kysely';
import { pathTo } from '#shared/pages.ts';
import type { Context } from '../context.ts';
import { publiclyReadable, publicThreadUpdated } from '../sync/public.ts';

/** A sitemap may hold 50,000 addresses; the rest of them is the site's own. */
const MOST = 45_000;

interface Row {
  kind: 'space' | 'thread' | 'workspace';
  workspace: string;
  key: string;
  updated: string;
}

function pathOf({ kind, workspace, key }: Row): string {
  if (kind === 'space') return pathTo('public_space', { workspace_slug: workspace, space_slug: key });
  if (kind === 'thread') return pathTo('public_thread', { workspace_slug: workspace, thread_id: key });
  return pathTo('public_workspace', { workspace_slug: workspace });
}

/** Addresses of everything that search engines may list, newest first: never what is unlisted or hidden by reports. */
export async function listSharedPages({
  db,
}: Pick<Context, 'db'>): Promise<{ path: string; updated: string }[]> {
  const { rows } = await sql<Row>`
    with listed as (
      select 'space' as "kind", w."slug" as "workspace", "space"."slug" as "key", "space"."updated"
      from "space" join "workspace" w on w."id" = "space"."workspaceId" where ${publiclyReadable('space', 'list')}
      union all
      select 'thread', w."slug", "thread"."id", ${publicThreadUpdated}
      from "thread" join "workspace" w on w."id" = "thread"."workspaceId" where ${publiclyReadable('thread', 'list')})
    select * from listed
    union all select 'workspace', "workspace", '', max("updated") from listed group by "workspace"
    order by "updated" desc limit ${MOST}`.execute(db);
  return rows.map((row) => ({ path: pathOf(row), updated: new Date(row.updated).toISOString() }));
}
