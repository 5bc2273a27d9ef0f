/**
 * Requests for early access. One is stored for each address, and neither the answer nor its time reveals whether it existed
 * before. News needs a confirmation by mail; staff approve requests in batches, and each approval mails a link.
 */
import { randomBytes } from 'node:crypto';
import { DAY_MS, PRODUCT_NAME } from '#shared/constants.ts';
import { EARLY_ACCESS } from '#shared/site/limits.ts';
import { AppError } from '#shared/errors.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { hashToken } from '../http/credentials.ts';
import { layoutMail } from '../providers/mail-layout.ts';

const TOKEN_BYTES = 32;

const after = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString();

/** Stores a request, once. A robot that filled in the honeypot gets the same response, and nothing is stored. */
export async function requestAccess(
  { db, clock, jobs }: Pick<Context, 'db' | 'clock' | 'jobs'>,
  { email: given, news, website }: { email: string; news: boolean; website?: string | undefined },
): Promise<void> {
  if (website !== undefined && website !== '') return;
  const email = given.toLowerCase();
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('newsletter_signup')
      .values({ email, created: now.toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    if (!news) return;
    const { numUpdatedRows } = await tx
      .updateTable('newsletter_signup')
      .set({ wantsNews: true, newsHash: null, newsExpiresAt: after(now, EARLY_ACCESS.confirmMs) })
      .where('email', '=', email)
      .where('newsConfirmedAt', 'is', null)
      // One mail while the last one works, so that no inbox can be filled from here.
      .where((row) =>
        row.or([row('newsExpiresAt', 'is', null), row('newsExpiresAt', '<=', now.toISOString())]),
      )
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await jobs.enqueue(tx, 'mail.send', { mail: 'confirm_news', email });
  });
}

/** @throws invalid when the link is unknown, was used or has expired */
export async function confirmNews(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  token: string,
): Promise<void> {
  const now = clock.now().toISOString();
  const { numUpdatedRows } = await db
    .updateTable('newsletter_signup')
    .set({ newsConfirmedAt: now, newsHash: null })
    .where('newsHash', '=', hashToken(token))
    .where('newsExpiresAt', '>', now)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('invalid', 'token: this link is not valid or has expired');
}

/** Approves the named requests or the oldest ones; returns how many. Unknown and approved ones are passed over. */
export async function approveAccess(
  { db, clock, jobs }: Pick<Context, 'db' | 'clock' | 'jobs'>,
  which: { emails: readonly string[] } | { count: number },
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const waiting = tx
      .selectFrom('newsletter_signup')
      .select('email')
      .where('approvedAt', 'is', null)
      .orderBy('created')
      .orderBy('email')
      // Two concurrent batches approve different people.
      .forUpdate()
      .skipLocked();
    const chosen =
      'count' in which
        ? waiting.where('declinedAt', 'is', null).limit(which.count)
        : waiting.where(
            'email',
            'in',
            which.emails.map((email) => email.toLowerCase()),
          );
    const emails = (await chosen.execute()).map(({ email }) => email);
    if (emails.length === 0) return 0;
    await tx
      .updateTable('newsletter_signup')
      .set({ approvedAt: clock.now().toISOString(), declinedAt: null })
      .where('email', 'in', emails)
      .execute();
    for (const email of emails) await jobs.enqueue(tx, 'mail.send', { mail: 'access_approved', email });
    return emails.length;
  });
}

/** Declines the named requests that wait; returns how many. */
export async function declineAccess(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  emails: readonly string[],
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('newsletter_signup')
    .set({ declinedAt: clock.now().toISOString() })
    .where(
      'email',
      'in',
      emails.map((email) => email.toLowerCase()),
    )
    .where('approvedAt', 'is', null)
    .where('declinedAt', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The address to which this token was mailed, until it is used or expires. */
export async function approvedAddress(
  db: Database,
  { token, now }: { token: string; now: Date },
): Promise<string | undefined> {
  const found = await db
    .selectFrom('newsletter_signup')
    .select('email')
    .where('inviteHash', '=', hashToken(token))
    .where('inviteExpiresAt', '>', now.toISOString())
    .executeTakeFirst();
  return found?.email;
}

/** Records that an approved person has an account; the link works no more. */
export async function recordJoin(db: Database, email: string, now: Date): Promise<void> {
  await db
    .updateTable('newsletter_signup')
    .set({ joinedAt: now.toISOString(), inviteHash: null })
    .where('email', '=', email.toLowerCase())
    .where('approvedAt', 'is not', null)
    .where('joinedAt', 'is', null)
    .execute();
}

type MailContext = Pick<Context, 'db' | 'clock' | 'config' | 'mailer'>;

/** Mails the link that confirms the newsletter sign-up. */
export async function sendNewsConfirmation(context: MailContext, email: string): Promise<void> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const { numUpdatedRows } = await context.db
    .updateTable('newsletter_signup')
    .set({ newsHash: hashToken(token) })
    .where('email', '=', email)
    .where('newsConfirmedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const title = `Confirm that you want news of ${PRODUCT_NAME}`;
  const mail = layoutMail(title, [
    `This address was entered to get product updates of ${PRODUCT_NAME}. They are sent only if you confirm it:`,
    { link: `${context.config.appOrigin}/_news#confirm=${token}`, label: 'Confirm' },
    'If it was not you, ignore this mail.',
  ]);
  await context.mailer.send({ kind: 'confirm_news', to: email, ...mail });
}

/** Mails the link with which an approved person creates an account. */
export async function sendAccessLink(context: MailContext, email: string): Promise<void> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const now = context.clock.now();
  const { numUpdatedRows } = await context.db
    .updateTable('newsletter_signup')
    .set({ inviteHash: hashToken(token), inviteExpiresAt: after(now, EARLY_ACCESS.linkDays * DAY_MS) })
    .where('email', '=', email)
    .where('approvedAt', 'is not', null)
    .where('joinedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const mail = layoutMail(`Your invite to ${PRODUCT_NAME}`, [
    `You can create your ${PRODUCT_NAME} account now. The link works for ${EARLY_ACCESS.linkDays} days, with this address:`,
    {
      link: `${context.config.appOrigin}/signup?invite=${token}#email=${encodeURIComponent(email)}`,
      label: 'Create account',
    },
  ]);
  await context.mailer.send({ kind: 'access_approved', to: email, ...mail });
}
