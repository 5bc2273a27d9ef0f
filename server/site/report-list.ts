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
type Subject = Pick<
  Report,
  'workspaceId' | 'name' | 'visibility' | 'workspaceName' | 'ownerEmail' | 'hidden'
> &
  Pick<Row<'user'>, 'forename' | 'surname' | 'username'> & {
    workspaceSlug: string | null;
    spaceSlug: string | null;
  };
type Event = Omit<Report, 'ownerName' | 'link' | keyof Subject>;

/** Of a report whose subject was removed. */
const GONE: Subject = {
  workspaceId: null,
  name: null,
  visibility: null,
  workspaceName: null,
  ownerEmail: null,
  hidden: false,
  forename: null,
  surname: null,
  username: null,
  workspaceSlug: null,
  spaceSlug: null,
};

/** One page, newest first by default. */
export async function listReports(db: Database, { status, page, perPage, orderBy, order }: Query) {
  const state = status === 'open' ? sql`event."decidedAt" is null` : sql`event."decidedAt" is not null`;
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const { rows } = await sql<Event & { total: number }>`
    select event."id", split_part(event."kind", '.', 1) as "kind", event."resourceId",
      event."reason", event."details", event."email", event."created", event."decidedAt", event."decision",
      count(*) over () as "total"
    from "internal_event" event
    where event."kind" in ('space.report', 'thread.report') and ${state}
    order by event."created" ${direction}, event."id" ${direction}
    limit ${perPage} offset ${(page - 1) * perPage}`.execute(db);
  const total = rows[0]?.total ?? 0;
  const subjects = await findSubjects(
    db,
    rows.map(({ resourceId }) => resourceId),
  );
  return {
    result: rows.map(({ total: _total, ...event }) =>
      asReport(event, subjects.get(event.resourceId) ?? GONE),
    ),
    meta: { page, perPage, total, orderBy, order },
  };
}

/** The reported spaces and threads that are still there, by their ids. */
async function findSubjects(db: Database, ids: readonly string[]): Promise<Map<string, Subject>> {
  const { rows } = await sql<Subject & { id: string }>`
    select place."id", place."workspaceId", place."name", place."visibility", place."slug" as "spaceSlug",
      w."name" as "workspaceName", w."slug" as "workspaceSlug",
      u."email" as "ownerEmail", u."forename", u."surname", u."username", hidden."resourceId" is not null as "hidden"
    from (
      select "workspaceId", "id", "name", "visibility", "ownerId", "slug" from "space" where "id" = any(${ids}::text[])
      union all
      select "workspaceId", "id", "name", "visibility", "ownerId", null from "thread" where "id" = any(${ids}::text[])
    ) place
    join "workspace" w on w."id" = place."workspaceId"
    join "user" u on u."id" = place."ownerId"
    left join "hidden_resource" hidden
      on hidden."workspaceId" = place."workspaceId" and hidden."resourceId" = place."id"
    ${across('staff')}`.execute(db);
  return new Map(rows.map(({ id, ...subject }) => [id, subject]));
}

function asReport(event: Event, subject: Subject): Report {
  const {
    workspaceSlug: _workspaceSlug,
    spaceSlug: _spaceSlug,
    forename,
    surname,
    username,
    ...shown
  } = subject;
  const ownerName = shown.ownerEmail === null ? null : displayName({ forename, surname, username });
  return { ...event, ...shown, ownerName, link: linkTo({ ...event, ...subject }) };
}

function linkTo({ kind, resourceId, visibility, workspaceSlug, spaceSlug }: Event & Subject): string | null {
  if (workspaceSlug === null || visibility === null || !anonymousReads(visibility)) return null;
  return kind === 'space'
    ? pathTo('public_space', { workspace_slug: workspaceSlug, space_slug: spaceSlug ?? '' })
    : pathTo('public_thread', { workspace_slug: workspaceSlug, thread_id: resourceId });
}
