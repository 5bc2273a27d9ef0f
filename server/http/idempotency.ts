/**
 * Repeated POSTs (SECURITY 4.5): with an Idempotency-Key the first successful answer is kept for a day and given again.
 * Failures are not kept, because their transaction left nothing behind; answers of public calls are not, because they
 * may hold secrets.
 */
import { createHash } from 'node:crypto';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { RawCall, Reply } from './call.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;
const KEEP_MS = 24 * 3_600_000;
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
    await ofSlot(attempt.context, slot).execute();
    throw error;
  }
}

function ofSlot(context: Context, slot: Slot) {
  return context.db
    .deleteFrom('idempotency_key')
    .where('userId', '=', slot.userId)
    .where('route', '=', slot.route)
    .where('key', '=', slot.key);
}

/** Takes the key for this request, or answers what is stored under it. */
async function claim(context: Context, slot: Slot, requestHash: string): Promise<Reply | undefined> {
  const now = context.clock.now().getTime();
  const before = (ms: number) => new Date(now - ms).toISOString();
  await context.db
    .deleteFrom('idempotency_key')
    .where('userId', '=', slot.userId)
    .where((row) =>
      row.or([
        row('created', '<', before(KEEP_MS)),
        row.and([row('status', 'is', null), row('created', '<', before(IN_FLIGHT_MS))]),
      ]),
    )
    .execute();
  const taken = await context.db
    .insertInto('idempotency_key')
    .values({ ...slot, requestHash, status: null, body: null, headers: null, created: before(0) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 1n) return undefined;
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

async function keep({ context, endpoint }: Attempt, slot: Slot, reply: Reply): Promise<void> {
  await context.db
    .updateTable('idempotency_key')
    .set({
      status: reply.status ?? endpoint.status ?? 200,
      body: JSON.stringify({ result: reply.result, meta: reply.meta }),
      headers: JSON.stringify(reply.headers ?? {}),
    })
    .where('userId', '=', slot.userId)
    .where('route', '=', slot.route)
    .where('key', '=', slot.key)
    .execute();
}
