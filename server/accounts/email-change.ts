/**
 * Another address for an account: wished for here, proven by a mail to it (address-proof.ts), and only then the account's.
 * No response depends on whether the address has an account; that is looked up when the mail is written.
 */
import type { EmailChange } from '#shared/accounts/endpoints.ts';
import { EMAIL_LINK_MS } from '#shared/accounts/limits.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { SessionPerson } from '../http/call.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { requireRecentProof } from './step-up.ts';
import { occasionOf } from './occasion.ts';

interface Mailing {
  limits: Pick<RateLimits, 'mail'>;
  /** Network address of the caller. */
  address: string | null;
}

/** The change that waits for its proof. */
export async function findEmailChange(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  userId: Id<'user'>,
): Promise<(EmailChange & { userId: Id<'user'> }) | undefined> {
  const since = new Date(clock.now().getTime() - EMAIL_LINK_MS.change).toISOString();
  return db
    .selectFrom('email_change')
    .select(['userId', 'email', 'requested'])
    .where('userId', '=', userId)
    .where('requested', '>', since)
    .executeTakeFirst();
}

/** Requests a new address; the current one cancels a request. @throws confirmation_required, rate_limited, forbidden */
export async function requestEmailChange(
  context: Context,
  person: SessionPerson,
  { email, ...mailing }: Mailing & { email: string },
): Promise<void> {
  await requireRecentProof(context, person);
  const { userId, user } = person;
  if (email.toLowerCase() === user.email.toLowerCase()) return cancelEmailChange(context, userId);
  await mailEmailChange(context, person, { email, ...mailing });
}

/** Stores or renews the request, and mails its secrets; earlier ones stop working. @throws rate_limited */
export async function mailEmailChange(
  context: Context,
  person: SessionPerson,
  { email, limits, address }: Mailing & { email: string },
): Promise<void> {
  const { db, clock, jobs } = context;
  const { userId } = person;
  await limits.mail(email, address);
  const row = { userId, email, requested: clock.now().toISOString() };
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('email_change')
      .values(row)
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(row))
      .execute();
    await tx.deleteFrom('email_token').where('userId', '=', userId).where('purpose', '=', 'change').execute();
    const occasion = await occasionOf({ ...context, db: tx }, person);
    await jobs.enqueue(tx, 'mail.send', { mail: 'change_email', userId, email, occasion });
  });
}

/** Cancels the request; its mailed code and link stop working. */
export async function cancelEmailChange({ db }: Pick<Context, 'db'>, userId: Id<'user'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('email_change').where('userId', '=', userId).execute();
    await tx.deleteFrom('email_token').where('userId', '=', userId).where('purpose', '=', 'change').execute();
  });
}
