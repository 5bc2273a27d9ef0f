/**
 * Proving that an address is one's own, by a code or a link that was mailed there, and choosing a new password by such a
 * link. No response here depends on whether an address has an account.
 */
import type { Transaction } from 'kysely';
import type { Row } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { systemActor } from '../db/server-tx.ts';
import type { Tables } from '../db/tables.ts';
import { writeInRealm } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import type { SessionPerson } from '../http/call.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { storePassword } from './account-password.ts';
import { findEmailChange, mailEmailChange } from './email-change.ts';
import { checkCode, findEmailToken, useEmailToken, type EmailPurpose } from './email-tokens.ts';
import { domainOf } from './mail-providers.ts';
import { refuseGuessable } from './passwords.ts';
import { proveAddress, type Proof } from './service.ts';
import { endAccess, type Origin } from './sessions.ts';
import { forgetOtherWaysIn } from './ways-in.ts';
import { occasionAt, occasionOf } from './occasion.ts';

const wrongLink = () => new AppError('invalid', 'token: this link is not valid or has expired');

/**
 * Confirms the address of the signed-in account. A link works only in a session of the account it was made for: a click
 * of the address's owner must not confirm an account that a stranger created. @throws invalid, conflict, rate_limited
 */
export async function verifyEmail(
  context: Context,
  person: SessionPerson,
  given: { code: string } | { token: string },
  limits: Pick<RateLimits, 'code'>,
): Promise<Row<'user'>> {
  refuseImpersonation(person);
  const { user, credential } = person;
  const now = context.clock.now();
  const change = await findEmailChange(context, user.id);
  if (user.emailVerified && !change) return user;
  const proof = await findProof(context, { user, change, given, limits });
  return context.db.transaction().execute(async (tx) => {
    const email = await useEmailToken(tx, proof.tokenHash);
    if (email === undefined) throw wrongLink();
    if (proof.purpose === 'verify')
      return proveAddress(tx, { userId: user.id, email, now, jobs: context.jobs });
    const moved = await moveAddress(tx, { userId: user.id, email, now, jobs: context.jobs });
    await endAccess(tx, user.id, credential.id);
    if (user.emailVerified) {
      await context.jobs.enqueue(tx, 'mail.send', {
        mail: 'email_changed',
        userId: user.id,
        email: user.email,
        occasion: await occasionOf({ ...context, db: tx }, person),
      });
    }
    return moved;
  });
}

/** Looks up a code or token that was sent to this account. @throws invalid, rate_limited */
async function findProof(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  {
    user,
    change,
    given,
    limits,
  }: {
    user: Row<'user'>;
    change: { email: string } | undefined;
    given: { code: string } | { token: string };
    limits: Pick<RateLimits, 'code'>;
  },
): Promise<{ tokenHash: string; purpose: EmailPurpose }> {
  const now = clock.now();
  if ('token' in given) {
    const found = await findEmailToken(db, { token: given.token, purposes: ['verify', 'change'], now });
    if (found?.userId !== user.id) throw wrongLink();
    return found;
  }
  await limits.code(change?.email ?? user.email);
  for (const purpose of ['change', 'verify'] as const) {
    const tokenHash = await checkCode(db, { userId: user.id, purpose, code: given.code, now });
    if (tokenHash !== undefined) return { tokenHash, purpose };
  }
  throw new AppError('invalid', 'code: this code is wrong or has expired, request a new one');
}

/** Mails a new code and link to the address that is to be proven: the account's own, or the one it is to have. @throws rate_limited */
export async function resendVerification(
  context: Context,
  person: SessionPerson,
  { limits, address }: { limits: Pick<RateLimits, 'mail'>; address: string | null },
): Promise<void> {
  const { user } = person;
  const change = await findEmailChange(context, user.id);
  if (change) return mailEmailChange(context, person, { email: change.email, limits, address });
  if (user.emailVerified) return;
  await limits.mail(user.email, address);
  await context.jobs.enqueue(context.db, 'mail.send', {
    mail: 'verify_email',
    userId: user.id,
    occasion: await occasionOf(context, person),
  });
}

/** Mails a link to choose a new password, if there is an account; that is looked up when the mail is written. @throws rate_limited */
export async function forgotPassword(
  context: Context,
  email: string,
  { limits, origin }: { limits: Pick<RateLimits, 'mail'>; origin: Origin },
): Promise<void> {
  await limits.mail(email, origin.address);
  const occasion = occasionAt(context, origin.userAgent);
  await context.jobs.enqueue(context.db, 'mail.send', { mail: 'reset_password', email, occasion });
}

/**
 * Sets a new password by a mailed link and ends every session. The link was read at the address, so it proves the address too:
 * an account that a stranger created with it passes to its owner, and one that a stranger moved to another address is moved
 * back. @throws invalid, conflict
 */
export async function resetPassword(
  context: Context,
  { token, password }: { token: string; password: string },
  origin: Origin,
): Promise<void> {
  const now = context.clock.now();
  const found = await findEmailToken(context.db, { token, purposes: ['reset', 'restore'], now });
  if (!found) throw wrongLink();
  await refuseGuessable(context.config, password, found);
  const { userId } = found;
  await writeInRealm(context, userId, systemActor, async (tx) => {
    const email = await useEmailToken(tx.trx, found.tokenHash);
    if (email === undefined) throw wrongLink();
    await (found.purpose === 'restore' ? moveAddress : proveAddress)(tx.trx, {
      userId,
      email,
      now,
      jobs: context.jobs,
    });
    await storePassword(context, tx.trx, { userId, email, password });
    // A stranger who had the account, or created it with this address, must not retain access.
    if (found.purpose === 'restore' || !found.emailVerified) await forgetOtherWaysIn(tx.trx, userId);
    await endAccess(tx.trx, userId);
    await forgetProofs(tx.trx, userId);
    const occasion = occasionAt(context, origin.userAgent);
    await emit(tx, 'password.changed', { userId, occasion });
  });
}

/** Changes the address of an account to a proven one. @throws conflict */
async function moveAddress(
  tx: Transaction<Tables>,
  { userId, email, now, jobs }: Proof,
): Promise<Row<'user'>> {
  // Not proven for the moment, because addresses that are must be unique while rivals are still looked for.
  await tx
    .updateTable('user')
    .set({ email, ...domainOf(email), emailVerified: false })
    .where('id', '=', userId)
    .execute();
  await forgetProofs(tx, userId);
  return proveAddress(tx, { userId, email, now, jobs });
}

/** Secrets mailed to earlier addresses die; the way back of a person who lost the account stays. */
async function forgetProofs(tx: Transaction<Tables>, userId: Id<'user'>): Promise<void> {
  await tx.deleteFrom('email_change').where('userId', '=', userId).execute();
  await tx.deleteFrom('email_token').where('userId', '=', userId).where('purpose', '!=', 'restore').execute();
}
