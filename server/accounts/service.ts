/**
 * Accounts and their sessions: what only the server can do (SECURITY 3.1 to 3.3). An unknown address costs the same
 * time and gives the same answer as a wrong password.
 */
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { SESSION } from '#shared/constants.ts';
import { withoutUndefined } from '#shared/define/fields.ts';
import type { Row } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { writeInRealms } from '../db/transaction.ts';
import { hashToken } from '../http/actor.ts';
import type { Person } from '../http/call.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { touchRows } from '../sync/feed.ts';
import { domainOf } from './mail-providers.ts';
import { hashPassword, isOutdated, passwordMatches, refuseGuessable } from './passwords.ts';

const DAY_MS = 86_400_000;
const TOKEN_BYTES = 32;
const USER_AGENT_MAX = 300;

/** Where a sign-in comes from. */
export interface Origin {
  address: string | null;
  userAgent: string | undefined;
}

/** What a sign-in hands out. */
export interface SignedIn {
  token: string;
  user: Row<'user'>;
}

interface Credentials {
  email: string;
  password: string;
}

/**
 * Creates an account that counts as verified, and signs it in. A known address is told so as long as there is no mail to
 * tell its owner; asking counts as a guess, so that nobody can try a list. @throws forbidden, invalid, conflict, rate_limited
 */
export async function signUp(
  context: Context,
  given: Credentials,
  { origin, limits }: { origin: Origin; limits: RateLimits },
): Promise<SignedIn> {
  if (context.config.signupMode !== 'open') {
    const words = context.config.signupMode === 'invite' ? 'needs an invitation' : 'is closed';
    throw new AppError('forbidden', `Creating an account ${words}`);
  }
  refuseGuessable(given.password, given.email);
  const guess = await limits.guess(given.email.toLowerCase(), origin.address);
  // Hashed before the look-up, so that a known address takes as long as a new one.
  const hash = await hashPassword(context.config.env, given.password);
  const signedIn = await context.db.transaction().execute(async (tx) => {
    const user = await insertUser(tx, given.email, context.clock.now());
    if (!user) throw new AppError('conflict', 'email: this address already has an account, log in instead');
    await tx.insertInto('user_password').values({ userId: user.id, hash, updated: user.created }).execute();
    return { token: await openSession(tx, { userId: user.id, origin, now: context.clock.now() }), user };
  });
  await guess.forgive();
  return signedIn;
}

/** Adds a user of the source `email`; undefined when the address is taken. */
export async function insertUser(
  tx: Transaction<Tables>,
  email: string,
  at: Date,
): Promise<Row<'user'> | undefined> {
  const now = at.toISOString();
  return tx
    .insertInto('user')
    .values({
      id: newId('user'),
      source: 'email',
      githubId: null,
      googleId: null,
      forename: null,
      surname: null,
      username: null,
      email,
      ...domainOf(email),
      emailVerified: true,
      created: now,
      updated: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Checks a password and opens a session. @throws unauthorized, rate_limited */
export async function logIn(
  context: Context,
  given: Credentials,
  { origin, limits }: { origin: Origin; limits: RateLimits },
): Promise<SignedIn> {
  const guess = await limits.guess(given.email.toLowerCase(), origin.address);
  const found = await findWithPassword(context.db, given.email);
  const right = await passwordMatches(context.config.env, found?.hash, given.password);
  if (!found || !right) throw new AppError('unauthorized', 'The e-mail address or the password is wrong');
  await guess.forgive();
  const { hash, ...user } = found;
  if (hash !== undefined && isOutdated(context.config.env, hash)) {
    await storePassword(context, user.id, given.password);
  }
  await context.db.deleteFrom('account_deletion').where('userId', '=', user.id).execute();
  return {
    token: await openSession(context.db, { userId: user.id, origin, now: context.clock.now() }),
    user,
  };
}

async function findWithPassword(db: Database, email: string) {
  const found = await db
    .selectFrom('user')
    .leftJoin('user_password', 'user_password.userId', 'user.id')
    .selectAll('user')
    .select('user_password.hash')
    .where((row) => row(row.fn<string>('lower', ['user.email']), '=', email.toLowerCase()))
    .executeTakeFirst();
  return found && { ...found, hash: found.hash ?? undefined };
}

/** Stores a new session and answers its token, which is nowhere else. */
export async function openSession(
  db: Database,
  { userId, origin, now }: { userId: Id<'user'>; origin: Origin; now: Date },
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await db
    .deleteFrom('session')
    .where('userId', '=', userId)
    .where((row) =>
      row.or([row('expiresAt', '<=', now.toISOString()), row('endsAt', '<=', now.toISOString())]),
    )
    .execute();
  const after = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();
  await db
    .insertInto('session')
    .values({
      id: newId('session'),
      tokenHash: hashToken(token),
      userId,
      impersonator: null,
      userAgent: (origin.userAgent ?? '').slice(0, USER_AGENT_MAX),
      created: now.toISOString(),
      updated: now.toISOString(),
      expiresAt: after(SESSION.idleDays),
      endsAt: after(SESSION.absoluteDays),
    })
    .execute();
  return token;
}

async function storePassword(context: Context, userId: Id<'user'>, password: string): Promise<void> {
  const hash = await hashPassword(context.config.env, password);
  const row = { userId, hash, updated: context.clock.now().toISOString() };
  await context.db
    .insertInto('user_password')
    .values(row)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(row))
    .execute();
}

/** Replaces the password and ends every other session. @throws forbidden, invalid, rate_limited */
export async function changePassword(
  context: Context,
  person: Person,
  change: { currentPassword: string; password: string; limits: RateLimits; address: string | null },
): Promise<void> {
  const guess = await change.limits.guess(person.user.email.toLowerCase(), change.address);
  const found = await findWithPassword(context.db, person.user.email);
  const right = await passwordMatches(context.config.env, found?.hash, change.currentPassword);
  if (!right) throw new AppError('invalid', 'currentPassword: this is not your password');
  await guess.forgive();
  refuseGuessable(change.password, person.user.email);
  await storePassword(context, person.userId, change.password);
  await context.db
    .deleteFrom('session')
    .where('userId', '=', person.userId)
    .where('id', '!=', person.sessionId)
    .execute();
}

/** Changes names, and shows them to the members of every workspace the person is in. @throws conflict */
export async function changeProfile(
  context: Context,
  userId: Id<'user'>,
  given: Partial<Pick<Row<'user'>, 'forename' | 'surname' | 'username'>>,
): Promise<Row<'user'>> {
  const memberships = await context.db
    .selectFrom('workspace_member')
    .select('workspaceId')
    .where('userId', '=', userId)
    .execute();
  const realms = memberships.map(({ workspaceId }) => workspaceId);
  const { value } = await writeInRealms(context, [userId, ...realms], { userId }, async (tx) => {
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
