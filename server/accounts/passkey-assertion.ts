/**
 * Responses of passkeys: WebAuthn credentials with user verification, so that one is sufficient for a log-in. Challenges are
 * stored hashed, belong to one purpose and person, and are used up by the first response, right or wrong.
 */
import type { PasskeyAnswer } from '#shared/accounts/second-factor-endpoints.ts';
import { PASSKEYS } from '#shared/accounts/limits.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { hashToken } from '../http/credentials.ts';

/** Loaded with the first passkey. */
export const webauthn = () => import('@simplewebauthn/server');

type Purpose = 'register' | 'login' | 'confirm';
type PasskeyContext = Pick<Context, 'config' | 'db' | 'clock' | 'log'>;

/** One error for every invalid response. */
export const passkeyRefused = () => new AppError('invalid', 'response: this passkey was not accepted');

/** The host that passkeys belong to, and the one origin at which they are used. */
export function partyOf({ config }: Pick<Context, 'config'>): { rpID: string; origin: string } {
  return { rpID: new URL(config.appOrigin).hostname, origin: config.appOrigin };
}

/** Options for navigator.credentials.get: any passkey of this site for a log-in, the person's for a confirmation. */
export async function beginAssertion(
  context: PasskeyContext,
  userId: Id<'user'> | null,
): Promise<Record<string, unknown>> {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: partyOf(context).rpID,
    timeout: PASSKEYS.challengeMs,
    userVerification: 'required',
    allowCredentials: userId === null ? [] : await credentialsOf(context.db, userId),
  });
  const purpose = userId === null ? 'login' : 'confirm';
  await storeChallenge(context, { challenge: options.challenge, purpose, userId });
  return { ...options };
}

/**
 * The person whose passkey answered. A counter that did not grow means that the passkey was copied, so it is refused.
 * @throws invalid
 */
export async function checkAssertion(
  context: PasskeyContext,
  { response, userId }: { response: PasskeyAnswer; userId: Id<'user'> | null },
): Promise<Id<'user'>> {
  const found = await context.db
    .selectFrom('passkey')
    .select(['id', 'userId', 'credentialId', 'publicKey', 'counter'])
    .where('credentialId', '=', response.id)
    .executeTakeFirst();
  const { rpID, origin } = partyOf(context);
  const purpose = userId === null ? 'login' : 'confirm';
  if (!found || (userId !== null && found.userId !== userId)) throw passkeyRefused();
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await checkedByLibrary(context, () =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => consumeChallenge(context, { challenge, purpose, userId }),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: found.credentialId,
        publicKey: new Uint8Array(Buffer.from(found.publicKey, 'base64url')),
        counter: found.counter,
      },
    }),
  );
  if (!verified || !isOwn(response, found.userId)) throw passkeyRefused();
  const { newCounter, credentialBackedUp } = authenticationInfo;
  const { numUpdatedRows } = await context.db
    .updateTable('passkey')
    .set({ counter: newCounter, backedUp: credentialBackedUp, lastUsedAt: context.clock.now().toISOString() })
    .where('id', '=', found.id)
    // Of two responses with the same counter only one may count.
    .where('counter', '=', found.counter)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw passkeyRefused();
  return found.userId;
}

/** The user handle that the authenticator stores with a passkey identifies the person for whom it was created. */
function isOwn({ response }: PasskeyAnswer, userId: Id<'user'>): boolean {
  const handle = response.userHandle;
  return handle === undefined || handle === Buffer.from(userId).toString('base64url');
}

/** Whatever the library finds wrong becomes one error. @throws invalid */
export async function checkedByLibrary<T>(
  { log }: Pick<Context, 'log'>,
  verify: () => Promise<T>,
): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    log.info({ err: error }, 'a passkey was refused');
    throw passkeyRefused();
  }
}

/** A person's credentials in the format of the browser API. */
export function credentialsOf(
  db: Database,
  userId: Id<'user'>,
): Promise<{ id: string; transports: string[] }[]> {
  return db
    .selectFrom('passkey')
    .select(['credentialId as id', 'transports'])
    .where('userId', '=', userId)
    .execute();
}

interface Challenge {
  challenge: string;
  purpose: Purpose;
  userId: Id<'user'> | null;
}

export async function storeChallenge(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { challenge, purpose, userId }: Challenge,
): Promise<void> {
  const expiresAt = new Date(clock.now().getTime() + PASSKEYS.challengeMs).toISOString();
  await db
    .insertInto('webauthn_challenge')
    .values({ challengeHash: hashToken(challenge), purpose, userId, expiresAt })
    .execute();
}

/** Uses a challenge up; false when it is not one of this purpose and person. */
export async function consumeChallenge(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { challenge, purpose, userId }: Challenge,
): Promise<boolean> {
  const used = await db
    .deleteFrom('webauthn_challenge')
    .where('challengeHash', '=', hashToken(challenge))
    .returningAll()
    .executeTakeFirst();
  return (
    used !== undefined &&
    used.purpose === purpose &&
    used.userId === userId &&
    used.expiresAt > clock.now().toISOString()
  );
}

/** Removes challenges without a response. */
export async function forgetChallenges(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('webauthn_challenge').where('expiresAt', '<=', now.toISOString()).execute();
}
