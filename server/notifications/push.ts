/**
 * Push messages to browsers (RFC 8030), encrypted for the one browser that subscribed (RFC 8291). The address of a
 * push service comes from the browser, so it is reached only through the egress guard.
 */
import { sql } from 'kysely';
import webpush from 'web-push';
import { LIMITS } from '#shared/constants.ts';
import { PUSH } from '#shared/notifications/limits.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { channelsFor } from '#shared/notifications/settings.ts';
import type { Context } from '../context.ts';
import type { SessionPerson } from '../http/call.ts';
import { checkedUrl, EgressError } from '../providers/egress.ts';
import { pushIdentity } from './push-keys.ts';
import { readSettings } from './settings-store.ts';

export interface Subscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** The browsers of a person that receive push messages, newest first. */
export function subscriptionsOf({ db }: Pick<Context, 'db'>, { userId, credential }: SessionPerson) {
  return db
    .selectFrom('push_subscription as subscription')
    .innerJoin('session', 'session.id', 'subscription.sessionId')
    .select(['subscription.sessionId as id', 'subscription.created', 'session.userAgent'])
    .select(sql<boolean>`${sql.ref('subscription.sessionId')} = ${credential.id}`.as('current'))
    .where('subscription.userId', '=', userId)
    .orderBy('subscription.created', 'desc');
}

/** Sends push messages to the browser of this session from now on. @throws invalid, conflict */
export async function subscribe(
  context: Context,
  person: SessionPerson,
  { endpoint, keys }: Subscription,
): Promise<void> {
  const { db, clock, config } = context;
  try {
    checkedUrl(endpoint, config.egress);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw new AppError('invalid', 'endpoint: this server sends no messages to this address');
  }
  const { userId, credential } = person;
  await db.transaction().execute(async (trx) => {
    // A browser keeps its endpoint when another person logs in there. Knowing its keys proves that it is the same browser.
    const holder = await trx
      .selectFrom('push_subscription')
      .select(['userId', 'p256dh', 'auth'])
      .where('endpoint', '=', endpoint)
      .forUpdate()
      .executeTakeFirst();
    const isSame = holder?.p256dh === keys.p256dh && holder.auth === keys.auth;
    if (holder && holder.userId !== userId && !isSame)
      throw new AppError('conflict', 'endpoint: this address belongs to another subscription');
    await trx.deleteFrom('push_subscription').where('endpoint', '=', endpoint).execute();
    const { count } = await trx
      .selectFrom('push_subscription')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('userId', '=', userId)
      .where('sessionId', '!=', credential.id)
      .executeTakeFirstOrThrow();
    if (count >= PUSH.perPerson)
      throw new AppError('conflict', `Push messages go to ${PUSH.perPerson} browsers at most`);
    const row = { userId, endpoint, ...keys, created: clock.now().toISOString() };
    await trx
      .insertInto('push_subscription')
      .values({ sessionId: credential.id, ...row })
      .onConflict((conflict) => conflict.column('sessionId').doUpdateSet(row))
      .execute();
  });
}

/** Ends push messages to one of the person's browsers. @throws not_found */
export async function unsubscribeBrowser(
  { db }: Pick<Context, 'db'>,
  userId: Id<'user'>,
  sessionId: Id<'session'>,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('push_subscription')
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new AppError('not_found', 'Subscription not found');
}

/** Statuses with which a push service says that the subscription has ended (RFC 8030, section 7.3). */
const GONE: ReadonlySet<number> = new Set([404, 410]);

/** Sends one notification to one browser. A refusal that may pass is thrown, so that the job tries again. */
export async function pushNotification(
  context: Context,
  address: { userId: Id<'user'>; notificationId: Id<'notification'>; sessionId: Id<'session'> },
): Promise<void> {
  const { db, clock, egress } = context;
  const { userId, notificationId, sessionId } = address;
  const found = await db
    .selectFrom('push_subscription')
    .innerJoin('notification', 'notification.userId', 'push_subscription.userId')
    .selectAll('notification')
    .select(['push_subscription.endpoint', 'push_subscription.p256dh', 'push_subscription.auth'])
    .where('push_subscription.sessionId', '=', sessionId)
    .where('push_subscription.userId', '=', userId)
    .where('notification.id', '=', notificationId)
    .executeTakeFirst();
  if (!found) return;
  const settings = await readSettings(db, userId);
  if (!channelsFor(settings, found).push) return;
  const message = webpush.generateRequestDetails(
    { endpoint: found.endpoint, keys: { p256dh: found.p256dh, auth: found.auth } },
    JSON.stringify(await payloadOf(context, found)),
    {
      vapidDetails: await pushIdentity(context),
      TTL: PUSH.ttlSeconds,
      urgency: found.priority === 'high' ? 'high' : 'normal',
      contentEncoding: 'aes128gcm',
    },
  );
  const { status } = await post(egress, found.endpoint, {
    headers: message.headers,
    body: message.body ?? Buffer.alloc(0),
  });
  if (GONE.has(status)) await unsubscribeBrowser(context, userId, sessionId);
  else if (status === undefined || status >= 300) throw new Error(`The push service answered ${status}`);
  else
    await db
      .updateTable('push_subscription')
      .set({ lastSentAt: clock.now().toISOString() })
      .where('sessionId', '=', sessionId)
      .execute();
}

/** An endpoint that may not be reached ends the subscription, as one that no longer exists does. */
async function post(
  egress: Context['egress'],
  endpoint: string,
  message: { headers: Record<string, string>; body: Buffer },
): Promise<{ status: number }> {
  try {
    return await egress.post(endpoint, message);
  } catch (error) {
    if (error instanceof EgressError && error.fault === 'blocked') return { status: 410 };
    throw error;
  }
}

async function payloadOf(
  { db }: Context,
  row: { id: string; userId: Id<'user'>; title: string; body: string; metadata: Record<string, unknown> },
) {
  const { unseen } = await db
    .selectFrom('notification')
    .select(({ fn }) => fn.countAll<number>().as('unseen'))
    .where('userId', '=', row.userId)
    .where('status', '=', 'active')
    .where('seen', '=', false)
    .executeTakeFirstOrThrow();
  const link = row.metadata['link'];
  return {
    id: row.id,
    title: row.title.slice(0, LIMITS.title),
    body: row.body.slice(0, PUSH.textMax),
    link: typeof link === 'string' ? link : '/',
    unseen,
  };
}
