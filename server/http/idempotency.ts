/**
 * Repeated POSTs: with an Idempotency-Key the first successful response is stored for a day and sent again. What each write
 * transaction of the request returned is stored in that transaction, and no run reserves the key beforehand: a request that is
 * made again after a crash, or while the first still runs, finds the write or repeats it. Failures are not stored.
 *
 * Responses that may hold a secret are encrypted with values that only the caller has: the bearer token and the key, or on
 * public calls the key alone, which must then be too long to guess and is stored as a hash.
 */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { IdempotencyLog } from '../db/idempotency-log.ts';
import { planOnce } from '../db/prepared-statements.ts';
import type { RawCall, Reply } from './call.ts';
import { deriveKey, openText, sealText } from '../sealed-text.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;
/** Characters that the key of a public call has at least: its callers have no account to distinguish them. */
const PUBLIC_KEY_MIN = 16;
const PUBLIC_CALLER = 'public';
/** How long the response to a request with a key is sent again. */
export const ANSWER_STORED_MS = 24 * 3_600_000;

interface Attempt {
  context: Context;
  endpoint: AnyEndpoint;
  raw: RawCall;
  userId: Id<'user'> | undefined;
}

/** One key of one caller at one endpoint, and the request it was used for. */
interface Slot {
  caller: string;
  route: string;
  key: string;
  requestHash: string;
  seal: Seal;
}

interface StoredRequest {
  status: number | null;
  body: string | null;
  headers: Record<string, string> | null;
  writes: readonly string[];
}

/** Runs the handler, or sends what it sent before. @throws idempotency_mismatch */
export async function replayable(
  attempt: Attempt,
  run: (context: Context) => Promise<Reply>,
): Promise<Reply> {
  const { context, endpoint, raw } = attempt;
  const key = raw.request.header('idempotency-key');
  if (key === undefined || endpoint.method !== 'POST') return run(context);
  const slot = slotOf(attempt, key);
  const found = await findStored(context, slot);
  if (found?.status && found.body !== null) {
    const answer: Pick<Reply, 'result' | 'meta'> = JSON.parse(found.body);
    return { ...answer, status: found.status, headers: { ...found.headers, 'Idempotent-Replayed': 'true' } };
  }
  const reply = await run({ ...context, idempotencyLog: logOf(context, slot, found?.writes ?? []) });
  await storeAnswer(attempt, slot, reply);
  return reply;
}

/** @throws bad_request for a key that is malformed, or short on a public call */
function slotOf({ endpoint, raw, userId }: Attempt, key: string): Slot {
  if (!KEY.test(key)) throw new AppError('bad_request', 'Idempotency-Key: use 1 to 255 printable characters');
  if (userId === undefined && key.length < PUBLIC_KEY_MIN) {
    throw new AppError(
      'bad_request',
      `Idempotency-Key: without a credential use at least ${PUBLIC_KEY_MIN} random characters, such as a UUID`,
    );
  }
  const { params, query, body, request } = raw;
  const isSensitive = endpoint.secret === true || endpoint.rate === 'login';
  const seal = createSeal({
    // Other requests may be repeated after a new log-in.
    token: userId !== undefined && isSensitive ? (request.header('authorization') ?? '') : '',
    key,
    hidesAnswers: userId === undefined || isSensitive,
  });
  return {
    caller: userId ?? PUBLIC_CALLER,
    route: endpoint.path,
    key: userId === undefined ? seal.nameOf(key) : key,
    requestHash: seal.nameOf(JSON.stringify([params, query, body])),
    seal,
  };
}

/** @throws idempotency_mismatch when the key belongs to another request */
async function findStored(context: Context, slot: Slot): Promise<StoredRequest | undefined> {
  const { caller, route, key, seal } = slot;
  const { rows } = await sql<StoredRequest & { requestHash: string }>`
    select "requestHash", "status", "body", "headers", "writes" from "idempotency_key"
    where "caller" = ${caller} and "route" = ${route} and "key" = ${key}
      and "created" >= ${forgottenBefore(context)} ${planOnce}`.execute(context.db);
  const [row] = rows;
  if (row && row.requestHash !== slot.requestHash) {
    throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used for another request');
  }
  return (
    row && {
      ...row,
      body: row.body === null ? null : seal.open(row.body),
      writes: row.writes.map((write) => seal.open(write)),
    }
  );
}

function logOf(context: Context, slot: Slot, writes: readonly string[]): IdempotencyLog {
  let made = 0;
  return {
    next() {
      const place = made;
      made += 1;
      return {
        stored: writes[place],
        read: async () => (await findStored(context, slot))?.writes[place],
        async store(trx, outcome) {
          const { numAffectedRows } = await sql`
            ${insertSlot(context, slot)} array[${slot.seal.close(JSON.stringify(outcome))}::text], null, null, null)
            on conflict ("caller", "route", "key") do update
              set ${overwritten}, "writes" = case when ${isForgotten(context)} then excluded."writes"
                else stored."writes" || excluded."writes" end
              where ${isForgotten(context)} and ${place} = 0
                or stored."requestHash" = excluded."requestHash" and cardinality(stored."writes") = ${place}
            ${planOnce}`.execute(trx);
          // Another run of the request has committed this write; the transaction must not commit it again.
          if (numAffectedRows !== 1n)
            throw new AppError('conflict', 'The same request is still running', { retryAfter: 1 });
        },
      };
    },
  };
}

async function storeAnswer({ context, endpoint }: Attempt, slot: Slot, reply: Reply): Promise<void> {
  const body = slot.seal.close(JSON.stringify({ result: reply.result, meta: reply.meta }));
  const headers = JSON.stringify(reply.headers ?? {});
  await sql`
    ${insertSlot(context, slot)} '{}', ${reply.status ?? endpoint.status ?? 200}, ${body}, ${headers}::jsonb)
    on conflict ("caller", "route", "key") do update set ${overwritten}
      where ${isForgotten(context)} or stored."requestHash" = excluded."requestHash" and stored."status" is null
    ${planOnce}`.execute(context.db);
}

const overwritten = sql`"requestHash" = excluded."requestHash", "created" = excluded."created",
  "status" = excluded."status", "body" = excluded."body", "headers" = excluded."headers"`;

function insertSlot({ clock }: Context, { caller, route, key, requestHash }: Slot) {
  return sql`insert into "idempotency_key" as stored
    ("caller", "route", "key", "requestHash", "created", "writes", "status", "body", "headers")
    values (${caller}, ${route}, ${key}, ${requestHash}, ${clock.now().toISOString()},`;
}

function forgottenBefore({ clock }: Context): string {
  return new Date(clock.now().getTime() - ANSWER_STORED_MS).toISOString();
}

const isForgotten = (context: Context) => sql`stored."created" < ${forgottenBefore(context)}`;

interface Seal {
  /** A hash that cannot be compared with guesses without the request's own key. */
  nameOf(text: string): string;
  close(text: string): string;
  open(stored: string): string;
}

/** The seal of one caller's key, derived from values that the server never stores; `token` is empty on public calls. */
function createSeal(given: { token: string; key: string; hidesAnswers: boolean }): Seal {
  const derive = (purpose: string) => deriveKey(`${given.token}\n${given.key}`, `idempotency ${purpose}`);
  const nameOf = (text: string) => createHmac('sha256', derive('name')).update(text).digest('base64url');
  if (!given.hidesAnswers) return { nameOf, close: (text) => text, open: (stored) => stored };
  return {
    nameOf,
    close: (text) => sealText(derive('answer'), text),
    open: (stored) => openText(derive('answer'), stored),
  };
}
