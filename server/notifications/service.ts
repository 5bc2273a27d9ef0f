// Notifications as other features cause them: written into the recipient's account realm inside the transaction of the event
// itself, together with the jobs that send them by mail and push.
import { sql } from 'kysely';
import type { Notification } from '#shared/notifications/notification.ts';
import { NOTIFICATION_DEDUPE_MS } from '#shared/notifications/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import { channelsFor, isMuted, type NotificationSettings } from '#shared/notifications/settings.ts';
import { TRIGGERS, type TriggerId, type TriggerRow } from '#shared/notifications/triggers.ts';
import { touchRows } from '../sync/feed.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { planDigest, readSettings } from './settings-store.ts';

export { sendUnsubscribable } from './mails.ts';
export { readSettings };

export interface Notice extends Pick<Notification, 'userId' | 'workspaceId' | 'title' | 'body' | 'priority'> {
  triggerId: TriggerId;
  /** The same trigger and subject within ten minutes increase a count instead of adding a notification. */
  subject: string;
  /** Path inside the app. */
  link?: string | undefined;
}

/** How a notice appears in the list in the app. */
type Place = Pick<Notification, 'seen' | 'status'>;

/**
 * Notifies a person on the channels that their settings name. The same event again within NOTIFICATION_DEDUPE_MS raises the
 * count of the first notification and is neither mailed nor pushed.
 */
export async function notify(tx: ServerTx, notice: Notice): Promise<void> {
  const realmId = notice.userId;
  const trigger: TriggerRow = TRIGGERS[notice.triggerId];
  const source = { ...notice, category: trigger.category };
  await tx.versions.lock([realmId]);
  const settings = await readSettings(tx.trx, notice.userId);
  const { inApp, email, push } = channelsFor(settings, source);
  if (!inApp && !email && !push) return;
  const place: Place = {
    seen: !inApp || isMuted(settings, source),
    // A notice that is only mailed or pushed is stored as archived.
    status: inApp ? 'active' : 'archived',
  };
  const counted = await countUp(tx, notice, place);
  const id = counted ?? (await insertNotice(tx, source, place));
  await touchRows(tx, { realmId, kind: 'notification', ids: [id], reason: 'changed' });
  if (counted !== undefined) return;
  if (email && trigger.mailedApart !== true) {
    const isCollected =
      trigger.collected === true || (settings.digest !== 'off' && trigger.category !== 'security');
    await (isCollected
      ? collect(tx, settings, { userId: notice.userId, id })
      : queueMail(tx, notice.userId, id));
  }
  if (push) await queuePush(tx, notice.userId, id);
}

async function countUp(
  tx: ServerTx,
  notice: Notice,
  { seen, status }: Place,
): Promise<Id<'notification'> | undefined> {
  const since = new Date(tx.now.getTime() - NOTIFICATION_DEDUPE_MS).toISOString();
  const { rows } = await sql<{ id: Id<'notification'> }>`
    update "notification" set "seen" = ${seen}, "status" = ${status}, "updated" = ${tx.now.toISOString()},
      "title" = ${notice.title}, "body" = ${notice.body},
      "metadata" = jsonb_set("metadata", '{count}', to_jsonb(coalesce(("metadata"->>'count')::int, 1) + 1))
    where "userId" = ${notice.userId} and "id" = (select "id" from "notification"
      where "userId" = ${notice.userId} and "triggerId" = ${notice.triggerId}
        and "metadata"->>'subject' = ${notice.subject} and "created" > ${since}
      order by "created" desc limit 1)
    returning "id"`.execute(tx.trx);
  return rows[0]?.id;
}

async function insertNotice(
  tx: ServerTx,
  { subject, link, ...notice }: Notice & Pick<Notification, 'category'>,
  place: Place,
): Promise<Id<'notification'>> {
  const id = newId('notification');
  const now = tx.now.toISOString();
  const metadata = JSON.stringify({ subject, count: 1, ...(link === undefined ? {} : { link }) });
  await tx.trx
    .insertInto('notification')
    .values({ ...notice, ...place, id, metadata, created: now, updated: now })
    .execute();
  return id;
}

function queueMail(tx: ServerTx, userId: Id<'user'>, notificationId: Id<'notification'>): Promise<void> {
  return tx.enqueue('notification.mail', { userId, notificationId });
}

async function collect(
  tx: ServerTx,
  settings: NotificationSettings,
  { userId, id }: { userId: Id<'user'>; id: Id<'notification'> },
): Promise<void> {
  await tx.trx
    .insertInto('notification_digest_item')
    .values({ userId, notificationId: id, created: tx.now.toISOString() })
    .execute();
  if (settings.digest === 'off') await planDigest(tx.trx, { userId, settings, now: tx.now });
}

async function queuePush(
  tx: ServerTx,
  userId: Id<'user'>,
  notificationId: Id<'notification'>,
): Promise<void> {
  const browsers = await tx.trx
    .selectFrom('push_subscription')
    .select('sessionId')
    .where('userId', '=', userId)
    .execute();
  for (const { sessionId } of browsers)
    await tx.enqueue('notification.push', { userId, notificationId, sessionId });
}
