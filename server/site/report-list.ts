/** Reports with their subjects, for staff. */
import { sql } from 'kysely';
import type { z } from 'zod';
import type { reportEndpoints } from '#shared/site/report-endpoints.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';

type Reports = z.output<(typeof reportEndpoints)['report.list']['result']>;
type Query = z.output<(typeof reportEndpoints)['report.list']['query']>;

/** One page, newest first by default. */
export async function listReports(db: Database, { status, page, perPage, orderBy, order }: Query) {
  const state = status === 'open' ? sql`event."decidedAt" is null` : sql`event."decidedAt" is not null`;
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const { rows } = await sql<Reports[number] & { total: number }>`
    select event."id", split_part(event."kind", '.', 1) as "kind", event."resourceId",
      coalesce(s."workspaceId", t."workspaceId") as "workspaceId", coalesce(s."name", t."name") as "name",
      coalesce(s."visibility", t."visibility") as "visibility",
      exists (select 1 from "hidden_resource" h where h."workspaceId" = coalesce(s."workspaceId", t."workspaceId")
        and h."resourceId" = event."resourceId") as "hidden",
      event."reason", event."details", event."email", event."created", event."decidedAt", event."decision",
      count(*) over () as "total"
    from "internal_event" event
    left join "space" s on s."id" = event."resourceId"
    left join "thread" t on t."id" = event."resourceId"
    where event."kind" in ('space.report', 'thread.report') and ${state}
    order by event."created" ${direction}, event."id" ${direction}
    limit ${perPage} offset ${(page - 1) * perPage} ${across('staff')}`.execute(db);
  const total = rows[0]?.total ?? 0;
  return {
    result: rows.map(({ total: _total, ...report }) => report),
    meta: { page, perPage, total, orderBy, order },
  };
}
