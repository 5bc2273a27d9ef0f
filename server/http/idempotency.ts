/**
 * Repeated POSTs (SECURITY 4.5): with an Idempotency-Key the first successful answer is kept for a day and given again.
 * Failures are not kept, because their transaction left nothing behind; answers of public calls are not, because they
 * may hold secrets.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { planOnce } from '../db/prepared-statements.ts';
import type { RawCall, Reply } from './call.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;
/** How long the answer to a request with a key is given again. */
export const KEEP_ANSWER_MS = 24 * 3_600_000;
/** A first request that has not ended by then died with its process. */
const IN_FLIGHT_MS = 60_000;

interface Attempt {
  context: Context;
  endpoint: AnyEndpoint;
  raw: RawCall;
  userId: Id<'user'> | undefined;
}

interface Slot {
  userId: string;
  route: string;
  key: string;
}

/** Runs the handler, or answers what it answered before. @throws idempotency_mismatch, conflict */
export async function replayable(attempt: Attempt, run: () => Promise<Reply>): Promise<Reply> {
  const key = attempt.raw.request.header('idempotency-key');
  if (key === undefined || attempt.endpoint.method !== 'POST' || !attempt.userId) return run();
  if (!KEY.test(key)) {
    throw new AppError('bad_request', 'Idempotency-Key: use 1 to 255 printable characters');
  }
  const slot = { userId: attempt.userId, route: attempt.endpoint.path, key };
  const { params, query, body } = attempt.raw;
  const requestHash = createHash('sha256')
    .update(JSON.stringify([params, query, body]))
    .digest('base64url');
  const earlier = await claim(attempt.context, slot, requestHash);
  if (earlier) return earlier;
  try {
    const reply = await run();
    await keep(attempt, slot, reply);
    return reply;
  } catch (error) {
    await release(attempt.context, slot);
    throw error;
  }
}

async function release(context: Context, { userId, route, key }: Slot): Promise<void> {
  await sql`
    delete from "idempotency_key"
    where "userId" = ${userId} and "route" = ${route} and "key" = ${key} ${planOnce}`.execute(context.db);
}

/** Takes the key for this request, or answers what is stored under it; a key that is too old is taken anew. */
async function claim(context: Context, slot: Slot, requestHash: string): Promise<Reply | undefined> {
  const { userId, route, key } = slot;
  const now = context.clock.now().getTime();
  const before = (ms: number) => new Date(now - ms).toISOString();
  const { rows: taken } = await sql`
    insert into "idempotency_key" as kept ("userId", "route", "key", "requestHash", "created")
    values (${userId}, ${route}, ${key}, ${requestHash}, ${before(0)})
    on conflict ("userId", "route", "key") do update
      set "requestHash" = excluded."requestHash", "created" = excluded."created",
          "status" = null, "body" = null, "headers" = null
      where kept."created" < ${before(KEEP_ANSWER_MS)}
        or (kept."status" is null and kept."created" < ${before(IN_FLIGHT_MS)})
    returning 1 ${planOnce}`.execute(context.db);
  if (taken.length > 0) return undefined;
  const row = await context.db
    .selectFrom('idempotency_key')
    .select(['requestHash', 'status', 'body', 'headers'])
    .where('userId', '=', userId)
    .where('route', '=', route)
    .where('key', '=', key)
    .executeTakeFirst();
  if (row && row.requestHash !== requestHash) {
    throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used for another request');
  }
  if (!row || row.status === null || row.body === null) {
    throw new AppError('conflict', 'The same request is still running', { retryAfter: 1 });
  }
  const answer: Pick<Reply, 'result' | 'meta'> = JSON.parse(row.body);
  return { ...answer, status: row.status, headers: { ...row.headers, 'Idempotent-Replayed': 'true' } };
}

async function keep(
  { context, endpoint }: Attempt,
  { userId, route, key }: Slot,
  reply: Reply,
): Promise<void> {
  const body = JSON.stringify({ result: reply.result, meta: reply.meta });
  await sql`
    update "idempotency_key" set "status" = ${reply.status ?? endpoint.status ?? 200}, "body" = ${body},
      "headers" = ${JSON.stringify(reply.headers ?? {})}::jsonb
    where "userId" = ${userId} and "route" = ${route} and "key" = ${key} ${planOnce}`.execute(context.db);
}
