/** The stored password of an account: finding, checking and replacing it. */
import type { Row } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { SessionPerson } from '../http/call.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { claimsOf } from './claims.ts';
import { hashPassword, passwordMatches } from './passwords.ts';

/**
 * The account that this address and password open: the one that has proven the address, or the newest that claims it.
 * Two passwords are checked whatever exists, so that the time says nothing.
 */
export async function findByPassword(
  { config, db }: Pick<Context, 'config' | 'db'>,
  { email, password }: { email: string; password: string },
): Promise<(Row<'user'> & { hash: string | undefined }) | undefined> {
  const claims = await claimsOf(db, email)
    .leftJoin('user_password', 'user_password.userId', 'user.id')
    .selectAll('user')
    .select('user_password.hash')
    .distinctOn('user.emailVerified')
    .execute();
  const candidates = [true, false].map((verified) => claims.find((user) => user.emailVerified === verified));
  const matches = await Promise.all(
    candidates.map((user) => passwordMatches(config.env, user?.hash ?? undefined, password)),
  );
  const found = candidates.find((user, index) => user !== undefined && matches[index] === true);
  return found && { ...found, hash: found.hash ?? undefined };
}

/** Replaces the hash of a password. */
export async function storePassword(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  db: Database,
  { userId, password }: { userId: Id<'user'>; password: string },
): Promise<void> {
  const hash = await hashPassword(config.env, password);
  const row = { userId, hash, updated: clock.now().toISOString() };
  await db
    .insertInto('user_password')
    .values(row)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(row))
    .execute();
}

/** A password that a signed-in person gives again. */
export interface GivenPassword {
  /** Field of the call, named when the password is wrong. */
  field: string;
  given: string;
  limits: Pick<RateLimits, 'guess'>;
  address: string | null;
}

/** @throws forbidden for staff who act as the person: what follows is the person's own to do */
export function refuseImpersonation({ credential }: Pick<SessionPerson, 'credential'>): void {
  if (credential.impersonator !== null)
    throw new AppError('forbidden', 'Only the person whose account it is may do this');
}

/** Wrong ones count like those of log-ins, so that a stolen session does not make guessing cheaper. @throws invalid, rate_limited, forbidden */
export async function checkOwnPassword(
  context: Context,
  person: SessionPerson,
  { field, given, limits, address }: GivenPassword,
): Promise<void> {
  refuseImpersonation(person);
  const guess = await limits.guess(person.user.email.toLowerCase(), address);
  const stored = await context.db
    .selectFrom('user_password')
    .select('hash')
    .where('userId', '=', person.userId)
    .executeTakeFirst();
  const right = await passwordMatches(context.config.env, stored?.hash, given);
  if (!right) throw new AppError('invalid', `${field}: this is not your password`);
  await guess.forgive();
}
