/**
 * Accounts and their sessions: operations that only the server can do. An unknown address costs the same time and gives the
 * same response as a wrong password.
 */
import type { Transaction } from 'kysely';
import { withoutUndefined } from '#shared/define/fields.ts';
import type { Row } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { writeInRealm, writeInRealms } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import type { SessionPerson } from '../http/call.ts';
import { networkOf, type RateLimits } from '../http/rate-limit.ts';
import { touchRows } from '../sync/feed.ts';
import { checkOwnPassword, hashForAddress, storePassword, tryPassword } from './account-password.ts';
import { recordJoin } from '../site/service.ts';
import { claimsOf } from './claims.ts';
import { notifyGuesses, recordLogin, rememberDevice } from './login-devices.ts';
import { domainOf } from './mail-providers.ts';
import { isOutdated, refuseGuessable } from './passwords.ts';
import { passSecondFactor } from './second-factor-codes.ts';
import { endAccess, enterAccount, openSession, type Origin, type SignedIn } from './sessions.ts';
import { requireOpenSignup } from './signup-gate.ts';
import { forgetOtherWaysIn } from './ways-in.ts';
import { asPerson } from '../sync/readable.ts';
import { occasionAt, occasionOf } from './occasion.ts';

export { requireRecentProof } from './step-up.ts';

interface Credentials {
  email: string;
  password: string;
}

/**
 * Creates an account whose address is not proven yet, and signs it in. A known address gets the same: a separate account, which
 * can never prove the address, while the mail informs the owner. So neither response, time nor a later login reveals whether an
 * address has an account. @throws forbidden, invalid, rate_limited
 */
export async function signUp(
  context: Context,
  given: Credentials & { invite?: string | undefined },
  { origin, limits }: { origin: Origin; limits: Pick<RateLimits, 'mail'> },
): Promise<SignedIn> {
  await requireOpenSignup(context, given);
  await refuseGuessable(context.config, given.password, given);
  await limits.mail(given.email, origin.address);
  const caller = { line: networkOf(origin.address ?? 'inside'), isKnown: false };
  const hash = await hashForAddress(context, context.db, { ...given, caller });
  return context.db.transaction().execute(async (tx) => {
    const row = newUser({ email: given.email, emailVerified: false, at: context.clock.now() });
    const user = await tx.insertInto('user').values(row).returningAll().executeTakeFirstOrThrow();
    await tx.insertInto('user_password').values({ userId: user.id, hash, updated: user.created }).execute();
    await recordJoin(tx, user.email, context.clock.now());
    await context.jobs.enqueue(tx, 'mail.send', {
      mail: 'verify_email',
      userId: user.id,
      occasion: occasionAt(context, origin.userAgent),
    });
    await rememberDevice(tx, { userId: user.id, userAgent: origin.userAgent }, context.clock.now());
    return { token: await openSession(tx, { userId: user.id, origin, now: context.clock.now() }), user };
  });
}

/** The row of a new user of the source `email`. */
export function newUser({ email, emailVerified, at }: { email: string; emailVerified: boolean; at: Date }) {
  const now = at.toISOString();
  return {
    id: newId('user'),
    source: 'email',
    githubId: null,
    googleId: null,
    forename: null,
    surname: null,
    username: null,
    email,
    ...domainOf(email),
    emailVerified,
    checklistClosedAt: null,
    created: now,
    updated: now,
  } satisfies Row<'user'>;
}

/** Checks a password, and a code where the account wants one, and opens a session. @throws unauthorized, second_factor_required, invalid, rate_limited */
export async function logIn(
  context: Context,
  given: Credentials & { code?: string | undefined },
  { origin, limits }: { origin: Origin; limits: Pick<RateLimits, 'guess' | 'secondFactor'> },
): Promise<SignedIn> {
  const { opened, guess, owner } = await tryPassword(context, { ...given, origin, limits });
  if (!opened) {
    await recordFailedLogin(context, owner?.id);
    if (owner && guess.isLast) await notifyGuesses(context, owner.id, origin.address);
    throw new AppError('unauthorized', 'The e-mail address or the password is wrong');
  }
  const { hash, user } = opened;
  await guess.forgive();
  await passSecondFactor(context, context.db, { userId: user.id, code: given.code, limits });
  if (isOutdated(context.config.env, hash)) {
    await storePassword(context, context.db, { userId: user.id, ...given });
  }
  await recordLogin(context, { userId: user.id, ...origin });
  return enterAccount(context.db, { user, origin, now: context.clock.now() });
}

/** In the audit logs of the workspaces of the account that has proven the address, when there is one. */
async function recordFailedLogin(
  { db, clock, origin }: Context,
  owner: Id<'user'> | undefined,
): Promise<void> {
  const userId = owner ?? newId('user');
  await db.transaction().execute(async (trx) => {
    await emit({ trx, now: clock.now(), origin }, 'login.failed', { actor: { userId } });
  });
}

/** For acts that reach strangers under a person's responsibility. @throws forbidden while the person's address is a mere claim */
export async function requireProvenAddress(db: Database, userId: Id<'user'>): Promise<void> {
  const found = await db
    .selectFrom('user')
    .select('emailVerified')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (found?.emailVerified !== true) {
    throw new AppError('forbidden', 'Confirm your e-mail address first: Settings, Account');
  }
}

/** Replaces the password, ends every other session and access of other programs. @throws forbidden, invalid, rate_limited */
export async function changePassword(
  context: Context,
  person: SessionPerson,
  change: {
    currentPassword: string;
    password: string;
    limits: Pick<RateLimits, 'guess'>;
    address: string | null;
  },
): Promise<void> {
  const { currentPassword, limits, address } = change;
  await checkOwnPassword(context, person, {
    field: 'currentPassword',
    given: currentPassword,
    limits,
    address,
  });
  const { userId, user, credential } = person;
  await refuseGuessable(context.config, change.password, user);
  await writeInRealm(context, userId, asPerson(userId), async (tx) => {
    await storePassword(context, tx.trx, { userId, email: user.email, password: change.password });
    await endAccess(tx.trx, userId, credential.id);
    const occasion = await occasionOf({ ...context, db: tx.trx }, person);
    await emit(tx, 'password.changed', { userId, occasion });
  });
}

export async function workspacesOf(
  { db }: Pick<Context, 'db'>,
  userId: Id<'user'>,
): Promise<Id<'workspace'>[]> {
  const memberships = await db
    .selectFrom('workspace_member')
    .select('workspaceId')
    .where('userId', '=', userId)
    .modifyEnd(across('account'))
    .execute();
  return memberships.map(({ workspaceId }) => workspaceId);
}

/** Changes the profile, and shows names to the members of every workspace the person is in. @throws conflict */
export async function changeProfile(
  context: Context,
  userId: Id<'user'>,
  given: Partial<Pick<Row<'user'>, 'forename' | 'surname' | 'username' | 'checklistClosedAt'>>,
): Promise<Row<'user'>> {
  const { forename, surname, username } = given;
  const isSeen = forename !== undefined || surname !== undefined || username !== undefined;
  const realms = isSeen ? await workspacesOf(context, userId) : [];
  const { value } = await writeInRealms(context, [userId, ...realms], asPerson(userId), async (tx) => {
    const row = await tx.trx
      .updateTable('user')
      .set({ ...withoutUndefined(given), updated: tx.now.toISOString() })
      .where('id', '=', userId)
      .returningAll()
      .executeTakeFirstOrThrow();
    for (const realmId of realms) {
      await touchRows(tx, { realmId, kind: 'workspace_member', ids: [userId], reason: 'changed' });
    }
    return row;
  });
  return value;
}

/** The account that has proven an address, else the newest that claims it. */
export function findAccountOf(
  db: Database,
  email: string,
): Promise<Pick<Row<'user'>, 'id' | 'emailVerified'> | undefined> {
  return claimsOf(db, email).select(['user.id', 'user.emailVerified']).executeTakeFirst();
}

export interface Proof {
  userId: Id<'user'>;
  email: string;
  now: Date;
  jobs: Context['jobs'];
}

/** Marks an address as proven, and ends the accounts that only claimed it. @throws conflict */
export async function proveAddress(
  tx: Transaction<Tables>,
  { userId, email, now, jobs }: Proof,
): Promise<Row<'user'>> {
  const at = now.toISOString();
  const claims = await claimsOf(tx, email).select(['user.id', 'user.emailVerified']).execute();
  // The address of the account has changed since the mail was sent.
  if (!claims.some(({ id }) => id === userId)) {
    throw new AppError('invalid', 'token: this link is not valid or has expired');
  }
  const rivals = claims.filter(({ id }) => id !== userId);
  if (rivals.some(({ emailVerified }) => emailVerified)) {
    throw new AppError('conflict', 'This address belongs to another account');
  }
  const user = await tx
    .updateTable('user')
    .set({ emailVerified: true, updated: at })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await jobs.enqueue(tx, 'guest.settle', { userId });
  for (const { id } of rivals) {
    await endAccess(tx, id);
    await tx.deleteFrom('user_password').where('userId', '=', id).execute();
    await forgetOtherWaysIn(tx, id);
    await tx.deleteFrom('email_token').where('userId', '=', id).execute();
    await tx
      .insertInto('account_deletion')
      .values({ userId: id, requested: at, purgeAfter: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return user;
}
