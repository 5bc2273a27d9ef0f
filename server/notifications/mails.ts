/**
 * Notifications by mail: one at a time or collected into a digest. Whether a mail is still wanted is decided when it is
 * sent. Only proven addresses receive any.
 */
import { PRODUCT_NAME } from '#shared/constants.ts';
import { DIGEST } from '#shared/notifications/limits.ts';
import { countOf } from '#shared/english.ts';
import type { Row } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import { channelsFor, type NotificationSettings } from '#shared/notifications/settings.ts';
import type { Context } from '../context.ts';
import type { MailKind } from '../providers/mail-kinds.ts';
import { layoutMail, mailMoment, unlinked, type MailPart } from '../providers/mail-layout.ts';
import { readSettings } from './settings-store.ts';
import { nextDigestAt } from './digest-time.ts';
import { UNSUBSCRIBABLE, unsubscribeAddress, type Claim } from './unsubscribe.ts';

type MailContext = Pick<Context, 'db' | 'clock' | 'config' | 'mailer'>;
type Notification = Row<'notification'>;

/** Mails one notification, unless it was deleted or the person no longer wants it by mail. */
export async function mailNotification(
  context: MailContext,
  { userId, notificationId }: { userId: Id<'user'>; notificationId: Id<'notification'> },
): Promise<void> {
  const email = await findAddress(context, userId);
  const row = await context.db
    .selectFrom('notification')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', notificationId)
    .executeTakeFirst();
  if (email === undefined || row === undefined) return;
  if (!channelsFor(await readSettings(context.db, userId), row).email) return;
  const category = UNSUBSCRIBABLE.find((name) => name === row.category);
  const link = linkOf(context, row);
  const kind = 'notification';
  const title = unlinked(row.title);
  const parts: MailPart[] = [
    unlinked(row.body),
    ...(row.category === 'security' ? [`Time: ${mailMoment(row.created)}.`] : []),
    ...(link === undefined ? [] : [{ link, label: `Open in ${PRODUCT_NAME}` }]),
  ];
  if (category === undefined) return context.mailer.send({ kind, to: email, ...layoutMail(title, parts) });
  return sendUnsubscribable(context, { kind, email, claim: { category, id: userId } }, title, parts);
}

/** Queues the digests that are due and sets the time of the next ones; returns how many. */
export async function queueDigests({ db, clock, jobs }: Context): Promise<number> {
  const now = clock.now();
  const due = await db
    .selectFrom('notification_setting')
    .select(['userId', 'digest', 'timezone', 'digestDueAt'])
    .where('digestDueAt', '<=', now.toISOString())
    .execute();
  let queued = 0;
  for (const { userId, digest, timezone, digestDueAt } of due) {
    await db.transaction().execute(async (trx) => {
      const next = nextDigestAt(now, { digest, timezone });
      // Another process may have been faster.
      const { numUpdatedRows } = await trx
        .updateTable('notification_setting')
        .set({ digestDueAt: next?.toISOString() ?? null })
        .where('userId', '=', userId)
        .where('digestDueAt', '=', digestDueAt)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      await jobs.enqueue(trx, 'notification.digest_mail', { userId, until: now.toISOString() });
      queued += 1;
    });
  }
  return queued;
}

/** Mails the notifications that wait for the person's digest, and clears them. Sends no mail when none is left. */
export async function mailDigest(
  context: MailContext,
  { userId, until }: { userId: Id<'user'>; until: string },
): Promise<void> {
  const { db } = context;
  const settings = await readSettings(db, userId);
  const email = await findAddress(context, userId);
  const rows = (await waitingFor(context, userId, until)).filter((row) => isNews(settings, row));
  if (email !== undefined && rows.length > 0) {
    const shown = rows.slice(0, DIGEST.itemsMax);
    const title = countOf(rows.length, 'new notification');
    const left = rows.length - shown.length;
    const claim = { category: 'digest', id: userId } as const;
    await sendUnsubscribable(context, { kind: 'digest', email, claim }, title, [
      { items: shown.map((row) => itemOf(context, row)) },
      ...(left === 0 ? [] : [`And ${left} more in ${PRODUCT_NAME}.`]),
      { link: context.config.appOrigin, label: `Open ${PRODUCT_NAME}` },
    ]);
  }
  await db
    .deleteFrom('notification_digest_item')
    .where('userId', '=', userId)
    .where('created', '<=', until)
    .execute();
}

function waitingFor({ db }: MailContext, userId: Id<'user'>, until: string): Promise<Notification[]> {
  return db
    .selectFrom('notification_digest_item as item')
    .innerJoin('notification', (join) =>
      join
        .onRef('notification.id', '=', 'item.notificationId')
        .onRef('notification.userId', '=', 'item.userId'),
    )
    .selectAll('notification')
    .where('item.userId', '=', userId)
    .where('item.created', '<=', until)
    .orderBy('notification.created', 'desc')
    .execute();
}

/** Still wanted by mail, and not seen in the app meanwhile. What never appears in the app counts as seen there. */
function isNews(settings: NotificationSettings, row: Notification): boolean {
  const { inApp, email } = channelsFor(settings, row);
  return email && (!inApp || (!row.seen && row.status === 'active'));
}

function itemOf(context: MailContext, row: Notification): { title: string; text: string; link?: string } {
  const count = Number(row.metadata['count'] ?? 1);
  const link = linkOf(context, row);
  return {
    title: unlinked(count > 1 ? `${row.title} (${count})` : row.title),
    text: unlinked(row.body),
    ...(link === undefined ? {} : { link }),
  };
}

function linkOf({ config }: MailContext, { metadata }: Notification): string | undefined {
  const path = metadata['link'];
  return typeof path === 'string' && path.startsWith('/') ? `${config.appOrigin}${path}` : undefined;
}

/** The address of a person, when it is proven. */
async function findAddress({ db }: MailContext, userId: Id<'user'>): Promise<string | undefined> {
  const user = await db
    .selectFrom('user')
    .select('email')
    .where('id', '=', userId)
    .where('emailVerified', '=', true)
    .executeTakeFirst();
  return user?.email;
}

interface Recipient {
  kind: MailKind;
  email: string;
  claim: Claim;
}

/** Sends a mail that its reader can turn off by the link in it, or in the mail program by its headers. */
export async function sendUnsubscribable(
  context: MailContext,
  { kind, email, claim }: Recipient,
  title: string,
  parts: readonly MailPart[],
): Promise<void> {
  const address = await unsubscribeAddress(context, claim);
  const unsubscribe = { link: address, label: 'Turn these e-mails off' };
  return context.mailer.send({
    kind,
    to: email,
    ...layoutMail(title, parts, { unsubscribe }),
    headers: {
      'List-Unsubscribe': `<${address}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  });
}
