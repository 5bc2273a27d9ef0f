/**
 * One attempt at a delivery: signed, sent through the egress guard, and logged. A failed one is retried at growing intervals; a
 * webhook that accepts nothing for days is disabled, and its owner is notified.
 */
import { sql } from 'kysely';
import { DAY_MS } from '#shared/constants.ts';
import { WEBHOOKS } from '#shared/webhooks/limits.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import { EgressError, type EgressFault } from '../providers/egress.ts';
import type { SecretColumns } from '../db/secret-columns.ts';
import { readSecret } from '../stored-secret.ts';
import { secretPlace, signedHeaders } from './signature.ts';

export interface DeliveryRef {
  workspaceId: Id<'workspace'>;
  deliveryId: Id<'webhook_delivery'>;
}

interface Pending extends SecretColumns {
  webhookId: Id<'webhook'>;
  ownerId: Id<'user'>;
  payload: string;
  attempts: number;
  url: string;
  failingSince: string | null;
  isCurrent: boolean;
}

const GONE = 410;

/** Sends a delivery that is still wanted. */
export async function deliverWebhook(context: Context, ref: DeliveryRef): Promise<void> {
  const pending = await findPending(context.db, ref);
  if (pending === undefined) return;
  if (!pending.isCurrent) {
    await settle(context, ref, {
      status: 'failed',
      error: 'The webhook was disabled or its address changed',
    });
    return;
  }
  const at = context.clock.now();
  const outcome = await send(context, pending, { id: ref.deliveryId, at });
  // The webhook before the log, so that its managers, who watch the log, find the webhook in the state that the log shows.
  if (outcome.error === null) {
    await setFailing(context.db, ref.workspaceId, pending.webhookId, null);
    await settle(context, ref, { status: 'delivered', attempt: true, ...outcome });
    return;
  }
  await noteFailure(context, ref.workspaceId, { ...pending, isGone: outcome.httpStatus === GONE, at });
  const delaySeconds = outcome.httpStatus === GONE ? undefined : WEBHOOKS.retrySeconds[pending.attempts];
  const nextAt =
    delaySeconds === undefined ? null : new Date(at.getTime() + delaySeconds * 1_000).toISOString();
  await context.db.transaction().execute(async (trx) => {
    const status = delaySeconds === undefined ? 'failed' : 'pending';
    await settle({ ...context, db: trx }, ref, { status, attempt: true, nextAt, ...outcome });
    if (delaySeconds === undefined) return;
    await context.jobs.enqueue(trx, 'webhook.deliver', ref, {
      group: pending.webhookId,
      afterSeconds: delaySeconds,
    });
  });
}

async function findPending(
  db: Database,
  { workspaceId, deliveryId }: DeliveryRef,
): Promise<Pending | undefined> {
  const { rows } = await sql<Pending>`
    select d."webhookId", w."ownerId", d."payload", d."attempts", w."url", w."secret", w."sealedSecret",
      w."failingSince", w."enabled" and w."ownerId" = d."ownerId" as "isCurrent"
    from "webhook_delivery" d
    join "webhook" w on w."workspaceId" = d."workspaceId" and w."id" = d."webhookId"
    where d."workspaceId" = ${workspaceId} and d."id" = ${deliveryId} and d."status" = 'pending'`.execute(db);
  return rows[0];
}

/** Why there was no response, as the log shows it. */
const FAULT_WORDS: Readonly<Record<EgressFault, string>> = {
  off: 'This server sends nothing to other servers',
  blocked: 'The address does not lead to the public internet',
  unknown_host: 'The host was not found',
  network: 'The connection was refused or broke off',
  timeout: 'The receiver took too long to answer',
  too_large: 'The answer was too large',
  redirects: 'The receiver redirected the request',
  tls: 'The certificate of the receiver is not valid',
  type: 'The answer had an unexpected type',
};

/** The operator has changed SECRETS_KEY. */
const UNREADABLE = 'The secret cannot be read with the key of this server. Renew it';

interface Outcome {
  httpStatus: number | null;
  /** Null when the receiver took it. */
  error: string | null;
}

async function send(
  { egress, secrets }: Context,
  { webhookId, url, payload, ...stored }: Pending,
  { id, at }: { id: string; at: Date },
): Promise<Outcome> {
  const secret = readSecret(secrets, stored, secretPlace(webhookId));
  if (secret === undefined) return { httpStatus: null, error: UNREADABLE };
  try {
    const headers = signedHeaders(secret, { id, at, body: payload });
    const { status } = await egress.post(url, { headers, body: Buffer.from(payload) });
    const isTaken = status >= 200 && status < 300;
    return { httpStatus: status, error: isTaken ? null : `The receiver answered ${status}` };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { httpStatus: null, error: FAULT_WORDS[error.fault] };
  }
}

interface Settled {
  status: 'pending' | 'delivered' | 'failed';
  attempt?: boolean;
  httpStatus?: number | null;
  error?: string | null;
  nextAt?: string | null;
}

async function settle(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { workspaceId, deliveryId }: DeliveryRef,
  { status, attempt = false, httpStatus = null, error = null, nextAt = null }: Settled,
): Promise<void> {
  await sql`
    update "webhook_delivery" set "status" = ${status}, "attempts" = "attempts" + ${attempt ? 1 : 0},
      "httpStatus" = ${httpStatus}, "error" = ${error}, "nextAt" = ${nextAt}, "updated" = ${clock.now().toISOString()}
    where "workspaceId" = ${workspaceId} and "id" = ${deliveryId}`.execute(db);
}

async function setFailing(
  db: Database,
  workspaceId: string,
  webhookId: string,
  since: string | null,
): Promise<void> {
  await sql`
    update "webhook" set "failingSince" = ${since}
    where "workspaceId" = ${workspaceId} and "id" = ${webhookId}
      and ("failingSince" is null) <> (${since}::timestamptz is null)`.execute(db);
}

interface Failure extends Pick<Pending, 'webhookId' | 'ownerId' | 'failingSince' | 'url'> {
  isGone: boolean;
  at: Date;
}

async function noteFailure(context: Context, workspaceId: Id<'workspace'>, failure: Failure): Promise<void> {
  const { webhookId, failingSince, isGone, at } = failure;
  await setFailing(context.db, workspaceId, webhookId, failingSince ?? at.toISOString());
  const failingMs = failingSince === null ? 0 : at.getTime() - Date.parse(failingSince);
  if (isGone) await disableWebhook(context, { workspaceId, ...failure }, 'The receiver answered 410 Gone');
  else if (failingMs >= WEBHOOKS.disabledAfterDays * DAY_MS) {
    const reason = `Nothing could be delivered for ${WEBHOOKS.disabledAfterDays} days`;
    await disableWebhook(context, { workspaceId, ...failure }, reason);
  }
}

/** Disables a webhook and sends its owner a notice. */
export async function disableWebhook(
  context: Context,
  given: { workspaceId: Id<'workspace'>; webhookId: Id<'webhook'>; ownerId: Id<'user'>; url: string },
  reason: string,
): Promise<void> {
  const { workspaceId, webhookId, ownerId } = given;
  await writeInRealm(context, ownerId, systemActor, async (tx) => {
    const { numAffectedRows } = await sql`
      update "webhook" set "enabled" = false, "disabledReason" = ${reason}, "updated" = ${tx.now.toISOString()}
      where "workspaceId" = ${workspaceId} and "id" = ${webhookId} and "enabled"`.execute(tx.trx);
    if (numAffectedRows === 0n) return;
    await emit(tx, 'webhook.disabled', { webhook: { ...given, id: webhookId }, reason });
  });
}
