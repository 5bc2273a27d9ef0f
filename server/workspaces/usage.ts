/**
 * Counts the content of a workspace. The counts include private content, which is why this file returns only numbers; they are
 * cached for five minutes.
 */
import { sql } from 'kysely';
import { DAY_MS } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import type { Usage } from '#shared/workspaces/usage.ts';
import { across } from '../db/across.ts';
import type { Context } from '../context.ts';

const KEEP_MS = 5 * 60_000;
const SERIES_DAYS = 30;

/** Limits that a hosted plan could set; answers by models have one if configured. */
const LIMITS = { memories: null, storage: null, aiCalls: null, members: null, apiRequests: null };

const kept = new WeakMap<Context['db'], Map<string, { at: number; usage: Promise<Usage> }>>();

/** The usage of a workspace; `full` adds what only owners and admins see. */
export async function usageOf(context: Context, workspaceId: Id<'workspace'>, full: boolean): Promise<Usage> {
  const byWorkspace = kept.get(context.db) ?? new Map<string, { at: number; usage: Promise<Usage> }>();
  kept.set(context.db, byWorkspace);
  const now = context.clock.now();
  const known = byWorkspace.get(workspaceId);
  const fresh = known && now.getTime() - known.at < KEEP_MS;
  const usage = fresh ? known.usage : countUsage(context, workspaceId, now);
  if (!fresh) byWorkspace.set(workspaceId, { at: now.getTime(), usage });
  const { ai, api, ...rest } = await usage;
  return { ...rest, ai: full ? ai : null, api: full ? api : { ...api, byKey: null } };
}

async function countUsage(context: Context, workspaceId: Id<'workspace'>, now: Date): Promise<Usage> {
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString();
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
  const period = { start, end };
  // Calls that this process has counted but not written belong to it.
  await context.calls.flush();
  const [content, publicViews, calls, byKey, series, top, ai] = await Promise.all([
    countContent(context, workspaceId, period),
    countPublicViews(context, workspaceId, period),
    countCalls(context, workspaceId, period),
    countKeyCalls(context, workspaceId, period),
    countSeries(context, workspaceId, now),
    countTop(context, workspaceId),
    countModelCalls(context, workspaceId, { ...period, now }),
  ]);
  return {
    period,
    ...content,
    ...top,
    series,
    ai,
    limits: { ...LIMITS, aiCalls: context.config.answersPerMonth ?? null },
    search: { queries: calls.searches },
    api: { requests: calls.requests, errors: calls.errors, byKey },
    publicViews,
  };
}

type Content = Pick<Usage, 'memories' | 'spaces' | 'threads' | 'messages' | 'members' | 'storage'>;

async function countContent(
  { db, clock }: Context,
  workspaceId: string,
  { start, end }: Usage['period'],
): Promise<Content> {
  const now = clock.now().toISOString();
  const groups = (table: string, column: string) => sql`
    coalesce((select jsonb_object_agg(value, number) from (
      select ${sql.ref(column)} as value, count(*) as number from ${sql.table(table)}
      where "workspaceId" = ${workspaceId} ${table === 'memory' ? sql`and "deletedAt" is null` : sql``}
      group by 1) as grouped), '{}')`;
  const visible = (table: string) => sql`(select jsonb_build_object('total', count(*),
      'public', count(*) filter (where "visibility" = 'public'))
    from ${sql.table(table)} where "workspaceId" = ${workspaceId} and "deletedAt" is null)`;
  const inPeriod = (column: string) =>
    sql`count(*) filter (where ${sql.ref(column)} >= ${start} and ${sql.ref(column)} < ${end})`;
  const { rows } = await sql<Content>`
    select (select jsonb_build_object('total', count(*), 'archived', count(*) filter (where "archived"),
        'created', ${inPeriod('created')}, 'byType', ${groups('memory', 'type')},
        'byOrigin', ${groups('memory', 'origin')}, 'byStatus', ${groups('memory', 'contentStatus')})
      from "memory" where "workspaceId" = ${workspaceId} and "deletedAt" is null) as "memories",
    ${visible('space')} as "spaces", ${visible('thread')} as "threads",
    (select jsonb_build_object('total', count(*), 'inPeriod', ${inPeriod('createdAt')},
        'byRole', ${groups('message', 'role')})
      from "message" where "workspaceId" = ${workspaceId}) as "messages",
    (select jsonb_build_object('total', count(*), 'byPosition', ${groups('workspace_member', 'position')},
        'pendingInvites', (select count(*) from "invite"
          where "workspaceId" = ${workspaceId} and "status" = 'pending' and "expiresAt" > ${now}))
      from "workspace_member" where "workspaceId" = ${workspaceId}) as "members",
    (select jsonb_build_object('bytes', notes + files, 'byKind', jsonb_build_object('notes', notes, 'files', files))
      from (select
        (select coalesce(sum("bodyBytes"), 0) from "memory" where "workspaceId" = ${workspaceId}) as notes,
        (select coalesce(sum("bytes"), 0) from "upload" where "workspaceId" = ${workspaceId}) as files
      ) as used) as "storage"`.execute(db);
  const [content] = rows;
  if (!content) throw new Error('Counting answered nothing');
  return content;
}

/** Visits to public resources of the workspace: one for each visitor, resource and day, as stored for trends. */
async function countPublicViews(
  { db }: Context,
  workspaceId: string,
  { start, end }: Usage['period'],
): Promise<Usage['publicViews']> {
  const views = (table: string) => sql`(select count(*) from "public_visit" v
    join ${sql.table(table)} row on row."id" = v."resourceId"
    where row."workspaceId" = ${workspaceId} and v."day" >= ${start}::date and v."day" < ${end}::date)`;
  const { rows } = await sql<Usage['publicViews']>`
    select ${views('space')} as "spaces", ${views('thread')} as "threads"`.execute(db);
  return rows[0] ?? { spaces: null, threads: null };
}

/** Calls of members in the period, as they were counted by the processes. */
async function countCalls(
  { db }: Context,
  workspaceId: string,
  { start, end }: Usage['period'],
): Promise<{ requests: number; errors: number; searches: number }> {
  const sum = (column: string) => sql`coalesce(sum(${sql.ref(column)}), 0)::int as ${sql.ref(column)}`;
  const { rows } = await sql<{ requests: number; errors: number; searches: number }>`
    select ${sum('requests')}, ${sum('errors')}, ${sum('searches')} from "call_count"
    where "workspaceId" = ${workspaceId} and "day" >= ${start}::date and "day" < ${end}::date`.execute(db);
  return rows[0] ?? { requests: 0, errors: 0, searches: 0 };
}

/** Calls of each API key in the period, most used first; a revoked key has no name any more. */
async function countKeyCalls(
  { db }: Context,
  workspaceId: string,
  { start, end }: Usage['period'],
): Promise<NonNullable<Usage['api']['byKey']>> {
  const { rows } = await sql<NonNullable<Usage['api']['byKey']>[number]>`
    select c."keyId" as "id", k."name", sum(c."requests")::int as "requests"
    from "key_call_count" c left join "api_key" k on k."id" = c."keyId" and k."workspaceId" = c."workspaceId"
    where c."workspaceId" = ${workspaceId} and c."day" >= ${start}::date and c."day" < ${end}::date
    group by 1, 2 order by 3 desc, 1`.execute(db);
  return rows;
}

/** Calls and tokens of language models, in the period and on each of the last days. */
async function countModelCalls(
  { db }: Context,
  workspaceId: string,
  { start, end, now }: Usage['period'] & { now: Date },
): Promise<NonNullable<Usage['ai']>> {
  const sums = sql`coalesce(sum("calls"), 0)::int as "calls", coalesce(sum("tokensIn"), 0)::float8 as "tokensIn",
    coalesce(sum("tokensOut"), 0)::float8 as "tokensOut", coalesce(sum("estimated"), 0)::int as "estimated"`;
  const { rows: totals } = await sql<
    Omit<NonNullable<Usage['ai']>, 'byFeature' | 'byDay'> & { embedding: number }
  >`
    select ${sums}, coalesce(sum("embeddingCalls"), 0)::int as "embedding",
      coalesce(sum("embeddingTokens"), 0)::float8 as "embeddingTokens" from "model_usage"
    where "workspaceId" = ${workspaceId} and "day" >= ${start}::date and "day" < ${end}::date`.execute(db);
  const { rows: byDay } = await sql<NonNullable<Usage['ai']>['byDay'][number]>`
    select to_char("day", 'YYYY-MM-DD') as "date", "calls", "tokensIn"::float8, "tokensOut"::float8
    from "model_usage"
    where "workspaceId" = ${workspaceId} and "day" >= ${firstOfSeries(now)}::date and "calls" > 0
    order by "day"`.execute(db);
  const [total] = totals;
  if (total === undefined) throw new Error('Counting answered nothing');
  const { embedding, ...answers } = total;
  return { ...answers, byFeature: { chat: answers.calls, tags: 0, summary: 0, embedding }, byDay };
}

const firstOfSeries = (now: Date) =>
  new Date(now.getTime() - (SERIES_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);

/** Requests are unknown, not none, on days before the first that was counted. */
async function countSeries({ db }: Context, workspaceId: string, now: Date): Promise<Usage['series']> {
  const first = firstOfSeries(now);
  const today = now.toISOString().slice(0, 10);
  const perDay = (table: string, column: string) => sql`
    (select count(*)::int from ${sql.table(table)} where "workspaceId" = ${workspaceId}
      and ${sql.ref(column)} >= day and ${sql.ref(column)} < day + interval '1 day')`;
  const { rows } = await sql<Usage['series'][number]>`
    select to_char(day, 'YYYY-MM-DD') as "date", ${perDay('memory', 'created')} as "memories",
      ${perDay('message', 'createdAt')} as "messages",
      case when day.day >= (select min("day") from "call_count") then coalesce((select "requests" from "call_count" c
        where c."workspaceId" = ${workspaceId} and c."day" = day.day::date), 0) end as "requests"
    from generate_series(${first}::timestamptz, ${today}::timestamptz, interval '1 day') as day
    order by day ${across('installation')}`.execute(db);
  return rows;
}

async function countTop(
  { db }: Context,
  workspaceId: string,
): Promise<Pick<Usage, 'topDomains' | 'topTags'>> {
  const mine = sql`"workspaceId" = ${workspaceId} and "deletedAt" is null`;
  const domains = await sql<Usage['topDomains'][number]>`
    select substring("url" from '^https?://(?:www\.)?([^/:?#]+)') as "domain", count(*)::int as "count"
    from "memory" where ${mine} and "url" is not null group by 1 order by 2 desc, 1 limit 10`.execute(db);
  const tags = await sql<Usage['topTags'][number]>`
    select "tag", count(*)::int as "count" from "memory" cross join lateral unnest("tags") as "tag"
    where ${mine} group by 1 order by 2 desc, 1 limit 10`.execute(db);
  return { topDomains: domains.rows, topTags: tags.rows };
}
