/**
 * Repeated POSTs (SECURITY 4.5): with an Idempotency-Key the first successful answer is kept for a day and given again.
 * What each write transaction of the request gave is kept in that transaction, so that a request which is made again
 * after a crash, or after a failure past its writes, goes on behind them. Failures are not kept, and answers of public
 * calls are not, because they may hold secrets.
 */
import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { KeptWrites } from '../db/kept-writes.ts';
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

/** A slot that this run of the request holds. */
interface Claim extends Slot {
  claim: string;
  /** What earlier runs of the same request committed. */
  writes: readonly string[];
}

/** Runs the handler, or answers what it answered before. @throws idempotency_mismatch, conflict */
export async function replayable(
  attempt: Attempt,
  run: (context: Context) => Promise<Reply>,
): Promise<Reply> {
  const { context, endpoint, raw, userId } = attempt;
  const key = raw.request.header('idempotency-key');
  if (key === undefined || endpoint.method !== 'POST' || !userId) return run(context);
  if (!KEY.test(key)) {
    throw new AppError('bad_request', 'Idempotency-Key: use 1 to 255 printable characters');
  }
  const { params, query, body } = raw;
  const requestHash = createHash('sha256')
    .update(JSON.stringify([params, query, body]))
    .digest('base64url');
  const slot = { userId, route: endpoint.path, key };
  const claim = await take(context, slot, requestHash);
  if (claim === undefined) return storedAnswer(context, slot, requestHash);
  try {
    const reply = await run({ ...context, keptWrites: keptWritesOf(claim) });
    await keepAnswer(attempt, claim, reply);
    return reply;
  } catch (error) {
    await release(context, claim);
    throw error;
  }
}

const isSlot = ({ userId, route, key }: Slot) =>
  sql`"userId" = ${userId} and "route" = ${route} and "key" = ${key}`;
const isMine = (held: Claim) => sql`${isSlot(held)} and "claim" = ${held.claim}`;

function keptWritesOf(held: Claim): KeptWrites {
  let made = 0;
  return {
    next() {
      const earlier = held.writes[made];
      made += 1;
      return {
        earlier,
        async keep(trx, outcome) {
          const { numAffectedRows } = await sql`
            update "idempotency_key" set "writes" = array_append("writes", ${JSON.stringify(outcome)}::text)
            where ${isMine(held)} ${planOnce}`.execute(trx);
          // Too slow: another run of the request took over, and this write would be the second.
          if (numAffectedRows !== 1n) throw new AppError('conflict', 'The same request was started again');
        },
      };
    },
  };
}

/** Lets the request be made again; what it wrote before it failed stays known. */
async function release(context: Context, held: Claim): Promise<void> {
  await sql`
    with "gone" as (delete from "idempotency_key" where ${isMine(held)} and "writes" = '{}')
    update "idempotency_key" set "claim" = null
    where ${isMine(held)} and "writes" <> '{}' and "status" is null ${planOnce}`.execute(context.db);
}

/** Takes the slot for this run, unless it is answered or another run holds it; one that is too old is taken anew. */
async function take(context: Context, slot: Slot, requestHash: string): Promise<Claim | undefined> {
  const { userId, route, key } = slot;
  const claim = randomUUID();
  const now = context.clock.now().getTime();
  const before = (ms: number) => new Date(now - ms).toISOString();
  const isOld = sql`kept."created" < ${before(KEEP_ANSWER_MS)}`;
  const { rows } = await sql<{ writes: string[] }>`
    insert into "idempotency_key" as kept ("userId", "route", "key", "requestHash", "created", "claim")
    values (${userId}, ${route}, ${key}, ${requestHash}, ${before(0)}, ${claim})
    on conflict ("userId", "route", "key") do update
      set "requestHash" = excluded."requestHash", "created" = excluded."created", "claim" = excluded."claim",
          "writes" = case when ${isOld} then '{}' else kept."writes" end,
          "status" = null, "body" = null, "headers" = null
      where ${isOld} or (kept."status" is null and kept."requestHash" = excluded."requestHash"
        and (kept."claim" is null or kept."created" < ${before(IN_FLIGHT_MS)}))
    returning "writes" ${planOnce}`.execute(context.db);
  const [taken] = rows;
  return taken && { ...slot, claim, writes: taken.writes };
}

async function storedAnswer(context: Context, slot: Slot, requestHash: string): Promise<Reply> {
  const row = await context.db
    .selectFrom('idempotency_key')
    .select(['requestHash', 'status', 'body', 'headers'])
    .where('userId', '=', slot.userId)
    .where('route', '=', slot.route)
    .where('key', '=', slot.key)
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

async function keepAnswer({ context, endpoint }: Attempt, held: Claim, reply: Reply): Promise<void> {
  const body = JSON.stringify({ result: reply.result, meta: reply.meta });
  await sql`
    update "idempotency_key" set "status" = ${reply.status ?? endpoint.status ?? 200}, "body" = ${body},
      "headers" = ${JSON.stringify(reply.headers ?? {})}::jsonb, "claim" = null
    where ${isMine(held)} ${planOnce}`.execute(context.db);
}
