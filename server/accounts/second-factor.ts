/** The second factor of an account: turning codes on and off, and its recovery codes, of which only hashes are stored. */
import { randomInt } from 'node:crypto';
import { Secret } from 'otpauth';
import { SECOND_FACTOR } from '#shared/accounts/limits.ts';
import { AppError } from '#shared/errors.ts';
import { ID_ALPHABET, type Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { SessionPerson } from '../http/call.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { sealStored, storeSecret } from '../stored-secret.ts';
import {
  appOf,
  compact,
  hashRecovery,
  hasSecondFactor,
  consumeAppCode,
  secretPlace,
  wrongCode,
} from './second-factor-codes.ts';
import { requireRecentProof } from './step-up.ts';
import { mailWayInChanged } from './occasion.ts';

const SECRET_BYTES = 20;
const GROUP = /.{4}(?=.)/g;

/** Makes a secret in place of one that was never used. @throws conflict, confirmation_required, forbidden */
export async function beginSecondFactor(
  context: Context,
  person: SessionPerson,
): Promise<{ secret: string; uri: string }> {
  await requireRecentProof(context, person);
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  const stored = storeSecret(context.secrets, secret, secretPlace(person.userId));
  await context.db
    .insertInto('authenticator_app')
    .values({ userId: person.userId, ...stored, enabledAt: null, lastStep: 0 })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ ...stored, lastStep: 0 })
        .where('authenticator_app.enabledAt', 'is', null),
    )
    .returning('userId')
    .executeTakeFirstOrThrow(() => new AppError('conflict', 'Codes are on. Turn them off first'));
  return { secret, uri: appOf(secret, person.user.email).toString() };
}

/** Turns codes on with the first one. @throws invalid, rate_limited, confirmation_required, forbidden */
export async function enableSecondFactor(
  context: Context,
  person: SessionPerson,
  { code, limits }: { code: string; limits: Pick<RateLimits, 'secondFactor'> },
): Promise<string[]> {
  await requireRecentProof(context, person);
  const { userId } = person;
  const guess = await limits.secondFactor(userId);
  const codes = await context.db.transaction().execute(async (tx) => {
    await consumeAppCode(context, tx, { userId, code: compact(code), isOn: false });
    const { numUpdatedRows } = await tx
      .updateTable('authenticator_app')
      .set({ enabledAt: context.clock.now().toISOString() })
      .where('userId', '=', userId)
      .where('enabledAt', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw wrongCode();
    await mailWayInChanged(context, tx, person, 'second_factor_on');
    return replaceRecoveryCodes(tx, userId);
  });
  await guess.forgive();
  return codes;
}

/** Replaces the recovery codes. @throws conflict, confirmation_required, forbidden */
export async function renewRecoveryCodes(context: Context, person: SessionPerson): Promise<string[]> {
  await requireRecentProof(context, person);
  return context.db.transaction().execute(async (tx) => {
    if (!(await hasSecondFactor(tx, person.userId))) throw new AppError('conflict', 'Turn codes on first');
    return replaceRecoveryCodes(tx, person.userId);
  });
}

/** Turns codes off. @throws confirmation_required, forbidden */
export async function removeSecondFactor(context: Context, person: SessionPerson): Promise<void> {
  await requireRecentProof(context, person);
  const { userId } = person;
  await context.db.transaction().execute(async (tx) => {
    const wasOn = await hasSecondFactor(tx, userId);
    await forgetSecondFactor(tx, userId);
    if (!wasOn) return;
    await mailWayInChanged(context, tx, person, 'second_factor_off');
  });
}

/** Encrypts values stored before this server had a key. */
export const sealAppSecrets = (context: Pick<Context, 'db' | 'secrets'>): Promise<void> =>
  sealStored(context, {
    table: 'authenticator_app',
    key: ['userId'],
    placeOf: ({ userId }) => secretPlace(userId),
  });

async function forgetSecondFactor(db: Database, userId: Id<'user'>): Promise<void> {
  await db.deleteFrom('authenticator_app').where('userId', '=', userId).execute();
  await db.deleteFrom('recovery_code').where('userId', '=', userId).execute();
}

async function replaceRecoveryCodes(db: Database, userId: Id<'user'>): Promise<string[]> {
  const codes = Array.from({ length: SECOND_FACTOR.recoveryCodes }, newRecoveryCode);
  await db.deleteFrom('recovery_code').where('userId', '=', userId).execute();
  await db
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ userId, codeHash: hashRecovery(userId, code) })))
    .execute();
  return codes.map((code) => code.replace(GROUP, '$&-'));
}

/** 16 symbols of 34: 81 bits, so a plain hash of it cannot be searched. */
function newRecoveryCode(): string {
  const symbol = () => ID_ALPHABET.charAt(randomInt(ID_ALPHABET.length));
  return Array.from({ length: SECOND_FACTOR.recoveryCodeLength }, symbol).join('');
}
