// Notifications as other features cause them: written into the recipient's account realm inside the transaction of the
// event itself. Mail and settings are not decided here.
import { sql } from 'kysely';
import type { Notification } from '#shared/notifications/notification.ts';
import { NOTIFICATION_DEDUPE_MS } from '#shared/constants.ts';
import { newId, type Id } from '#shared/ids.ts';
import { touchRows } from '../sync/feed.ts';
import type { ServerTx } from '../db/server-tx.ts';

/** What an event tells its recipient. */
export interface Notice extends Pick<
  Notification,
  'userId' | 'workspaceId' | 'category' | 'triggerId' | 'title' | 'body' | 'priority'
> {
  /** What it is about; the same trigger and subject within ten minutes count up instead of piling up. */
  subject: string;
  /** Path inside the app. */
  link?: string;
}

/** Tells a user; the same thing again within NOTIFICATION_DEDUPE_MS raises the count of the first notice. */
export async function notify(tx: ServerTx, notice: Notice): Promise<void> {
  const realmId = notice.userId;
  await tx.versions.lock([realmId]);
  const id = (await countUp(tx, notice)) ?? (await insertNotice(tx, notice));
  await touchRows(tx, { realmId, kind: 'notification', ids: [id], reason: 'changed' });
}

async function countUp(tx: ServerTx, notice: Notice): Promise<Id<'notification'> | undefined> {
  const since = new Date(tx.now.getTime() - NOTIFICATION_DEDUPE_MS).toISOString();
  const { rows } = await sql<{ id: Id<'notification'> }>`
    update "notification" set "seen" = false, "status" = 'active', "updated" = ${tx.now.toISOString()},
      "metadata" = jsonb_set("metadata", '{count}', to_jsonb(coalesce(("metadata"->>'count')::int, 1) + 1))
    where "id" = (select "id" from "notification"
      where "userId" = ${notice.userId} and "triggerId" = ${notice.triggerId}
        and "metadata"->>'subject' = ${notice.subject} and "created" > ${since}
      order by "created" desc limit 1)
    returning "id"`.execute(tx.trx);
  return rows[0]?.id;
}

async function insertNotice(tx: ServerTx, { subject, link, ...notice }: Notice): Promise<Id<'notification'>> {
  const id = newId('notification');
  const now = tx.now.toISOString();
  const metadata = JSON.stringify({ subject, count: 1, ...(link === undefined ? {} : { link }) });
  const times = { created: now, updated: now };
  await tx.trx
    .insertInto('notification')
    .values({ ...notice, ...times, id, metadata, seen: false, status: 'active' })
    .execute();
  return id;
}
