/**
 * Signing in with what an identity provider has proven, and connecting it with an account. An account is found by the
 * person's identifier at the provider and never by an address: a person with the same address logs in first and connects
 * then. A new account comes about only where the address has no proven owner here.
 */
import { sql, type Transaction } from 'kysely';
import { PROVIDER_COLUMNS, PROVIDER_LABELS, type ProviderName } from '#shared/accounts/identity-providers.ts';
import type { Row } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { SessionPerson } from '../http/call.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { recordJoin } from '../site/service.ts';
import { claimsOf } from './claims.ts';
import { extendProviderProof, consumeProviderProof } from './provider-requests.ts';
import { passSecondFactor } from './second-factor-codes.ts';
import { newUser, proveAddress } from './service.ts';
import { endAccess, enterAccount, type Origin, type SignedIn } from './sessions.ts';
import { requireOpenSignup } from './signup-gate.ts';
import { requireRecentProof } from './step-up.ts';
import { requireAnotherWayIn, waysInOf } from './ways-in.ts';
import { recordLogin } from './login-devices.ts';
import { occasionAt, mailWayInChanged } from './occasion.ts';

type Proof = Awaited<ReturnType<typeof consumeProviderProof>>;
type Tx = Transaction<Tables>;

interface GivenProof {
  code: string;
  verifier?: string | undefined;
}

/** Signs in with a one-time code. @throws invalid, conflict, forbidden, rate_limited */
export async function exchangeProof(
  context: Context,
  given: GivenProof & { invite?: string | undefined; secondFactor?: string | undefined },
  { origin, limits }: { origin: Origin; limits: Pick<RateLimits, 'mail' | 'secondFactor'> },
): Promise<SignedIn> {
  const now = context.clock.now();
  const entering = context.db.transaction().execute(async (tx) => {
    const proof = await consumeProviderProof(tx, { code: given.code, verifier: given.verifier, now });
    await lockSubject(tx, proof);
    const known = await findBySubject(tx, proof);
    const user =
      known ??
      (await createAccount({ ...context, db: tx }, tx, { proof, invite: given.invite, origin, limits }));
    await passSecondFactor(context, tx, { userId: user.id, code: given.secondFactor, limits });
    return enterAccount(tx, { user, origin, now });
  });
  try {
    const entered = await entering;
    await recordLogin(context, { userId: entered.user.id, ...origin });
    return entered;
  } catch (error) {
    // Rolled back, so the code of the log-in is still there for the next try.
    if (error instanceof AppError && error.code === 'second_factor_required') {
      await extendProviderProof(context.db, given.code, now);
    }
    throw error;
  }
}

/** Two log-ins of the same new person at once make one account. */
async function lockSubject(tx: Tx, { provider, subject }: Proof): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${provider} ${subject}`}, 0))`.execute(tx);
}

function findBySubject(db: Database, { provider, subject }: Proof): Promise<Row<'user'> | undefined> {
  return db.selectFrom('user').selectAll().where(PROVIDER_COLUMNS[provider], '=', subject).executeTakeFirst();
}

/** An account for a person who is new here. An address that the provider has not verified is unproven like any other. */
async function createAccount(
  context: Context,
  tx: Tx,
  {
    proof,
    invite,
    origin,
    limits,
  }: { proof: Proof; invite: string | undefined; origin: Origin; limits: Pick<RateLimits, 'mail'> },
): Promise<Row<'user'>> {
  const { provider, subject, email, emailVerified, forename, surname } = proof;
  const label = PROVIDER_LABELS[provider];
  if (email === null) {
    throw new AppError(
      'invalid',
      `${label} gave no e-mail address. Add one there, or sign up with a password`,
    );
  }
  await requireOpenSignup(context, { email, invite });
  const now = context.clock.now();
  const owner = await claimsOf(tx, email)
    .select('user.id')
    .where('emailVerified', '=', true)
    .executeTakeFirst();
  if (owner && emailVerified) {
    throw new AppError(
      'conflict',
      `An account with this address exists. Log in to it, then connect ${label} in Settings, Account`,
    );
  }
  const row = {
    ...newUser({ email, emailVerified: false, at: now }),
    source: provider,
    [PROVIDER_COLUMNS[provider]]: subject,
    forename,
    surname,
  };
  const user = await tx.insertInto('user').values(row).returningAll().executeTakeFirstOrThrow();
  await recordJoin(tx, email, now);
  if (emailVerified) return proveAddress(tx, { userId: user.id, email, now, jobs: context.jobs });
  await limits.mail(email, origin.address);
  await context.jobs.enqueue(tx, 'mail.send', {
    mail: 'verify_email',
    userId: user.id,
    occasion: occasionAt(context, origin.userAgent),
  });
  return user;
}

/** Connects what a one-time code proves with the signed-in account. @throws invalid, conflict, confirmation_required, forbidden */
export async function connectProvider(
  context: Context,
  person: SessionPerson,
  { provider, ...given }: GivenProof & { provider: ProviderName },
): Promise<void> {
  await requireRecentProof(context, person);
  const now = context.clock.now();
  const label = PROVIDER_LABELS[provider];
  const column = PROVIDER_COLUMNS[provider];
  await context.db.transaction().execute(async (tx) => {
    const proof = await consumeProviderProof(tx, { code: given.code, verifier: given.verifier, now });
    if (proof.provider !== provider) throw new AppError('invalid', `code: this is no log-in with ${label}`);
    await lockSubject(tx, proof);
    const owner = await findBySubject(tx, proof);
    if (owner?.id === person.userId) return;
    if (owner)
      throw new AppError('conflict', `This account at ${label} is connected with another account here`);
    const { numUpdatedRows } = await tx
      .updateTable('user')
      .set({ [column]: proof.subject, updated: now.toISOString() })
      .where('id', '=', person.userId)
      .where(column, 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n)
      throw new AppError('conflict', `Disconnect the other account at ${label} first`);
    await mailWayInChanged(context, tx, person, `${provider}_connected`);
  });
}

/** Removes a provider from the account and ends all other sessions. @throws conflict, confirmation_required, forbidden */
export async function disconnectProvider(
  context: Context,
  person: SessionPerson,
  provider: ProviderName,
): Promise<void> {
  await requireRecentProof(context, person);
  const { userId, credential } = person;
  const column = PROVIDER_COLUMNS[provider];
  await context.db.transaction().execute(async (tx) => {
    // Two disconnections at once must not each count the other as the last log-in method.
    await tx.selectFrom('user').select('id').where('id', '=', userId).forUpdate().execute();
    const { numUpdatedRows } = await tx
      .updateTable('user')
      .set({ [column]: null, updated: context.clock.now().toISOString() })
      .where('id', '=', userId)
      .where(column, 'is not', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    requireAnotherWayIn(await waysInOf({ ...context, db: tx }, userId));
    await endAccess(tx, userId, credential.id);
    await mailWayInChanged(context, tx, person, `${provider}_disconnected`);
  });
}
