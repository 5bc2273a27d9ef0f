/** The stored password of an account: finding, checking and replacing it. */
import type { Row } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { SessionPerson } from '../http/call.ts';
import { networkOf, type CountedGuess, type RateLimits } from '../http/rate-limit.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { claimsOf } from './claims.ts';
import { knownDevice } from './known-device.ts';
import { notifyGuesses } from './login-devices.ts';
import { findMatch, hashPassword, type HashCaller } from './passwords.ts';
import type { Origin } from './sessions.ts';

interface PasswordTry {
  email: string;
  password: string;
  origin: Origin;
  limits: Pick<RateLimits, 'guess'>;
}

interface Opened {
  user: Row<'user'>;
  hash: string;
}

/**
 * Counts an attempt, and returns the account that it opens: the one that has proven the address, or the newest that claims it.
 * One password is hashed in every case, so that the time reveals nothing. @throws rate_limited, unavailable
 */
export async function tryPassword(
  context: Context,
  { email, password, origin, limits }: PasswordTry,
): Promise<{ opened: Opened | undefined; guess: CountedGuess; owner: Row<'user'> | undefined }> {
  const claims = await claimsOf(context.db, email)
    .leftJoin('user_password', 'user_password.userId', 'user.id')
    .selectAll('user')
    .select('user_password.hash')
    .distinctOn('user.emailVerified')
    .execute();
  const { address } = origin;
  const device = await knownDevice(context, claims[0]?.id, origin);
  const guess = await limits.guess({ account: email, address, device });
  const accounts = claims.flatMap(({ hash, ...user }) => (hash === null ? [] : [{ user, hash }]));
  const match = await findMatch(
    context.config.env,
    accounts.map(({ hash }) => hash),
    { password, caller: { line: device ?? networkOf(address ?? 'inside'), isKnown: device !== undefined } },
  );
  return {
    opened: accounts.find(({ hash }) => hash === match),
    guess,
    owner: claims.find(({ emailVerified }) => emailVerified),
  };
}

/** The hash of a password: accounts that name the same address have the same salt, so that one hash finds either. */
export async function hashForAddress(
  { config }: Pick<Context, 'config'>,
  db: Database,
  { email, password, caller }: { email: string; password: string; caller: HashCaller },
): Promise<string> {
  const claim = await claimsOf(db, email)
    .innerJoin('user_password', 'user_password.userId', 'user.id')
    .select('user_password.hash')
    .limit(1)
    .executeTakeFirst();
  return hashPassword(config.env, password, { caller, saltOf: claim?.hash });
}

/** Replaces the hash of a password. */
export async function storePassword(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  db: Database,
  { userId, ...given }: { userId: Id<'user'>; email: string; password: string },
): Promise<void> {
  const hash = await hashForAddress({ config }, db, { ...given, caller: { line: userId, isKnown: true } });
  const row = { userId, hash, updated: clock.now().toISOString() };
  await db
    .insertInto('user_password')
    .values(row)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(row))
    .execute();
}

/** The current password, entered again by a signed-in person. */
export interface GivenPassword {
  /** Field of the call, named when the password is wrong. */
  field: string;
  given: string;
  limits: Pick<RateLimits, 'guess'>;
  address: string | null;
}

/**
 * Wrong ones count for the account like those of log-ins, so that a stolen session does not make guessing cheaper; the
 * session is a known device. @throws invalid, rate_limited, forbidden
 */
export async function checkOwnPassword(
  context: Context,
  person: SessionPerson,
  { field, given, limits, address }: GivenPassword,
): Promise<void> {
  refuseImpersonation(person);
  const { userId, user, credential } = person;
  const guess = await limits.guess({ account: user.email, address, device: credential.id });
  const stored = await context.db
    .selectFrom('user_password')
    .select('hash')
    .where('userId', '=', userId)
    .executeTakeFirst();
  const match = await findMatch(context.config.env, stored ? [stored.hash] : [], {
    password: given,
    caller: { line: userId, isKnown: true },
  });
  if (match === undefined) {
    if (guess.isLast) await notifyGuesses(context, userId, address);
    throw new AppError('invalid', `${field}: this is not your password`);
  }
  await guess.forgive();
}
