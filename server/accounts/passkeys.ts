/** The passkeys of an account: adding, listing and removing them. */
import { randomUUID } from 'node:crypto';
import type { MadePasskey, Passkey, PasskeyAnswer } from '#shared/accounts/second-factor-endpoints.ts';
import { PASSKEYS } from '#shared/accounts/limits.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { SessionPerson } from '../http/call.ts';
import {
  checkAssertion,
  checkedByLibrary,
  credentialsOf,
  passkeyRefused,
  partyOf,
  storeChallenge,
  webauthn,
  consumeChallenge,
} from './passkey-assertion.ts';
import { endAccess, enterAccount, type Origin, type SignedIn } from './sessions.ts';
import { requireRecentProof } from './step-up.ts';
import { requireAnotherWayIn, waysInOf } from './ways-in.ts';
import { recordLogin } from './login-devices.ts';
import { mailWayInChanged } from './occasion.ts';

const SHOWN = ['id', 'name', 'backedUp', 'created', 'lastUsedAt'] as const;

/** The passkeys of a person, newest first. */
export function listPasskeys({ db }: Pick<Context, 'db'>, userId: Id<'user'>): Promise<Passkey[]> {
  return db
    .selectFrom('passkey')
    .select(SHOWN)
    .where('userId', '=', userId)
    .orderBy('created', 'desc')
    .orderBy('id')
    .execute();
}

/** Options for navigator.credentials.create. @throws confirmation_required, conflict, forbidden */
export async function beginPasskey(
  context: Context,
  person: SessionPerson,
): Promise<Record<string, unknown>> {
  await requireRecentProof(context, person);
  const known = await credentialsOf(context.db, person.userId);
  if (known.length >= PASSKEYS.max)
    throw new AppError('conflict', `An account has at most ${PASSKEYS.max} passkeys`);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: PRODUCT_NAME,
    rpID: partyOf(context).rpID,
    userName: person.user.email,
    userID: new TextEncoder().encode(person.userId),
    attestationType: 'none',
    timeout: PASSKEYS.challengeMs,
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await storeChallenge(context, { challenge: options.challenge, purpose: 'register', userId: person.userId });
  return { ...options };
}

/** Adds the passkey that a browser has made. @throws invalid, confirmation_required, conflict, forbidden */
export async function createPasskey(
  context: Context,
  person: SessionPerson,
  { name, response }: { name: string; response: MadePasskey },
): Promise<Passkey> {
  await requireRecentProof(context, person);
  const { userId } = person;
  const { rpID, origin } = partyOf(context);
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await checkedByLibrary(context, () =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => consumeChallenge(context, { challenge, purpose: 'register', userId }),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    }),
  );
  if (!registrationInfo) throw passkeyRefused();
  const { credential, credentialBackedUp } = registrationInfo;
  const now = context.clock.now().toISOString();
  return context.db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('passkey')
      .values({
        id: randomUUID(),
        userId,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: credential.transports ?? [],
        backedUp: credentialBackedUp,
        name,
        created: now,
        lastUsedAt: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(SHOWN)
      .executeTakeFirstOrThrow(() => new AppError('conflict', 'This passkey is in use already'));
    await mailWayInChanged(context, tx, person, 'passkey_added');
    return added;
  });
}

/** @throws not_found */
export async function renamePasskey(
  { db }: Pick<Context, 'db'>,
  userId: Id<'user'>,
  { id, name }: Pick<Passkey, 'id' | 'name'>,
): Promise<Passkey> {
  return db
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning(SHOWN)
    .executeTakeFirstOrThrow(passkeyNotFound);
}

const passkeyNotFound = () => new AppError('not_found', 'Passkey not found');

/** Removes a passkey and ends all other sessions. @throws not_found, conflict, confirmation_required, forbidden */
export async function removePasskey(context: Context, person: SessionPerson, id: string): Promise<void> {
  await requireRecentProof(context, person);
  const { userId, credential } = person;
  await context.db.transaction().execute(async (tx) => {
    // Two log-in methods removed at the same time must not each count the other.
    await tx.selectFrom('user').select('id').where('id', '=', userId).forUpdate().execute();
    const { numDeletedRows } = await tx
      .deleteFrom('passkey')
      .where('id', '=', id)
      .where('userId', '=', userId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw passkeyNotFound();
    requireAnotherWayIn(await waysInOf({ ...context, db: tx }, userId));
    await endAccess(tx, userId, credential.id);
    await mailWayInChanged(context, tx, person, 'passkey_removed');
  });
}

/** Signs in with the response of a passkey, which is both factors at once. @throws invalid */
export async function logInWithPasskey(
  context: Context,
  response: PasskeyAnswer,
  origin: Origin,
): Promise<SignedIn> {
  const userId = await checkAssertion(context, { response, userId: null });
  const user = await context.db
    .selectFrom('user')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  await recordLogin(context, { userId, ...origin });
  return enterAccount(context.db, { user, origin, now: context.clock.now() });
}
