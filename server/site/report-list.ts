/** Reports with their subjects, for staff. */
import { sql } from 'kysely';
import type { z } from 'zod';
import { displayName } from '#shared/accounts/display-name.ts';
import type { Row } from '#shared/entities.ts';
import { pathTo } from '#shared/pages.ts';
import type { reportEndpoints } from '#shared/site/report-endpoints.ts';
import { anonymousReads } from '#shared/spaces/visibility.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';

type Report = z.output<(typeof reportEndpoints)['report.list']['result']>[number];
type Query = z.output<(typeof reportEndpoints)['report.list']['query']>;
type Found = Omit<Report, 'ownerName' | 'link'> &
  Pick<Row<'user'>, 'forename' | 'surname' | 'username'> & {
    workspaceSlug: string | null;
    spaceSlug: string | null;
    total: number;
  };

/** One page, newest first by default. */
export async function listReports(db: Database, { status, page, perPage, orderBy, order }: Query) {
  const state = status === 'open' ? sql`event."decidedAt" is null` : sql`event."decidedAt" is not null`;
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const { rows } = await sql<Found>`
    select event."id", split_part(event."kind", '.', 1) as "kind", event."resourceId",
      coalesce(s."workspaceId", t."workspaceId") as "workspaceId", coalesce(s."name", t."name") as "name",
      coalesce(s."visibility", t."visibility") as "visibility",
      w."name" as "workspaceName", w."slug" as "workspaceSlug", s."slug" as "spaceSlug",
      u."email" as "ownerEmail", u."forename", u."surname", u."username",
      exists (select 1 from "hidden_resource" h where h."workspaceId" = coalesce(s."workspaceId", t."workspaceId")
        and h."resourceId" = event."resourceId") as "hidden",
      event."reason", event."details", event."email", event."created", event."decidedAt", event."decision",
      count(*) over () as "total"
    from "internal_event" event
    left join "space" s on s."id" = event."resourceId"
    left join "thread" t on t."id" = event."resourceId"
    left join "workspace" w on w."id" = coalesce(s."workspaceId", t."workspaceId")
    left join "user" u on u."id" = coalesce(s."ownerId", t."ownerId")
    where event."kind" in ('space.report', 'thread.report') and ${state}
    order by event."created" ${direction}, event."id" ${direction}
    limit ${perPage} offset ${(page - 1) * perPage} ${across('staff')}`.execute(db);
  const total = rows[0]?.total ?? 0;
  return { result: rows.map(asReport), meta: { page, perPage, total, orderBy, order } };
}

function asReport(found: Found): Report {
  const {
    total: _total,
    workspaceSlug: _workspaceSlug,
    spaceSlug: _spaceSlug,
    forename,
    surname,
    username,
    ...report
  } = found;
  const ownerName = report.ownerEmail === null ? null : displayName({ forename, surname, username });
  return { ...report, ownerName, link: linkTo(found) };
}

function linkTo({ kind, resourceId, visibility, workspaceSlug, spaceSlug }: Found): string | null {
  if (workspaceSlug === null || visibility === null || !anonymousReads(visibility)) return null;
  return kind === 'space'
    ? pathTo('public_space', { workspace_slug: workspaceSlug, space_slug: spaceSlug ?? '' })
    : pathTo('public_thread', { workspace_slug: workspaceSlug, thread_id: resourceId });
}
