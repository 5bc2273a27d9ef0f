/**
 * Writes by visitors of public pages: visit counts that identify no visitor, and reports. Both return the same for resources
 * that do not exist.
 */
import { sql } from 'kysely';
import { PUBLIC } from '#shared/spaces/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { ReportReason } from '#shared/spaces/report-reasons.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import { planOnce } from '../db/prepared-statements.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm, writeInRealms } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import type { RequestFacts } from '../http/call.ts';
import { dayOf, visitorKey } from '../http/visitor-key.ts';

export {
  approveAccess,
  approvedAddress,
  recordJoin,
  sendAccessLink,
  sendNewsConfirmation,
} from './early-access.ts';

/** The workspace that has or had an address, for any caller; visibility is checked afterwards. */
export async function placeBySlug(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  slug: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select "id" from "workspace" where "slug" = ${slug}
    union all select "targetId" from "slug_redirect"
      where "scope" = '' and "slug" = ${slug} and "until" > ${clock.now().toISOString()}
    limit 1 ${across('address')}`.execute(db);
  return rows[0]?.id;
}

/** Counts a visit to a public resource, once per visitor and day. */
export async function recordVisit(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  resourceId: string,
  request: RequestFacts,
): Promise<void> {
  request.onVisit?.(resourceId);
  const day = dayOf(clock.now());
  const visitor = await visitorKey({ db, clock }, request);
  if (visitor === null) return;
  await sql`insert into "public_visit" ("resourceId", "day", "visitor")
    values (${resourceId}, ${day}::date, ${visitor}) on conflict do nothing ${planOnce}`.execute(db);
}

/** Days for which visits are stored: slightly more than two calendar months. */
const VISIT_DAYS = 65;

/** Forgets old looks. */
export async function forgetVisits(db: Context['db'], now: Date): Promise<void> {
  const first = new Date(now.getTime() - VISIT_DAYS * 86_400_000).toISOString().slice(0, 10);
  await sql`delete from "public_visit" where "day" < ${first}::date`.execute(db);
}

export interface Report {
  kind: 'space' | 'thread';
  resourceId: string;
  reason: ReportReason;
  details?: string | undefined;
  email?: string | undefined;
}

/** Stores a report of an existing resource; enough different reporters hide it from lists until staff decide. */
export async function report(context: Context, given: Report, request: RequestFacts): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  const reporter = (await visitorKey(context, request)) ?? 'inside';
  const { rows } = await sql<{ name: string; workspaceId: Id<'workspace'> }>`
    select "name", "workspaceId" from ${sql.table(given.kind)} where "id" = ${given.resourceId}
      and "visibility" in ('public', 'unlisted') and "deletedAt" is null ${across('public')}`.execute(db);
  const subject = rows[0];
  if (subject === undefined) return;
  await db
    .insertInto('internal_event')
    .values({
      id: newId('internal_event'),
      kind: `${given.kind}.report`,
      resourceId: given.resourceId,
      reason: given.reason,
      details: given.details ?? null,
      email: given.email ?? null,
      reporter,
      created: now.toISOString(),
    })
    .execute();
  if (await hasManyReporters(db, { ...subject, resourceId: given.resourceId }, now)) {
    // Under the version lock, because stored pages are served until the version of their workspace differs.
    await writeInRealm(context, subject.workspaceId, systemActor, ({ trx }) =>
      trx
        .insertInto('hidden_resource')
        .values({ workspaceId: subject.workspaceId, resourceId: given.resourceId, since: now.toISOString() })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }
  const [first, ...others] = await staffOf(context);
  if (first === undefined) return;
  await writeInRealms(context, [first, ...others], systemActor, (tx) =>
    emit(tx, 'report.received', { ...given, name: subject.name, staffIds: [first, ...others] }),
  );
}

/** Whether enough people reported a resource within a day to hide it, and it is not hidden yet. */
async function hasManyReporters(
  db: Context['db'],
  { workspaceId, resourceId }: { workspaceId: string; resourceId: string },
  now: Date,
): Promise<boolean> {
  const since = new Date(now.getTime() - 86_400_000).toISOString();
  const { rows } = await sql<{ many: boolean }>`
    select count(distinct "reporter") >= ${PUBLIC.hideAfterReporters}
      and not exists (select 1 from "hidden_resource"
        where "workspaceId" = ${workspaceId} and "resourceId" = ${resourceId}) as "many"
    from "internal_event"
    where "resourceId" = ${resourceId} and "created" > ${since} and "decidedAt" is null`.execute(db);
  return rows[0]?.many ?? false;
}

/** Everyone who runs this server. */
async function staffOf({ config, db }: Context): Promise<Id<'user'>[]> {
  const { rows } = await sql<{ id: Id<'user'> }>`
    select "id" from "user" where lower("email") = any(${[...config.staffEmails]}::text[])
      and "emailVerified" order by "id"`.execute(db);
  return rows.map(({ id }) => id);
}
