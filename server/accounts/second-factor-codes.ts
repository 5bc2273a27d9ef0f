/**
 * Codes of the second factor: those of an authenticator app (RFC 6238) and, when the app is lost, recovery codes. No code
 * works twice, and tries are limited for the account whatever their address.
 */
import { Secret, TOTP } from 'otpauth';
import { SECOND_FACTOR } from '#shared/accounts/limits.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { hashToken } from '../http/credentials.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { readSecret } from '../stored-secret.ts';

const APP_CODE = /^\d{6}$/;

/** One error for every code that does not count. */
export const wrongCode = () => new AppError('invalid', 'code: this code is wrong or was used before');

/** The app of a person, as its address for QR codes and for checking codes. */
export function appOf(secret: string, email = ''): TOTP {
  const { digits, periodSeconds: period } = SECOND_FACTOR;
  return new TOTP({ issuer: PRODUCT_NAME, label: email, digits, period, secret: Secret.fromBase32(secret) });
}

/** Binds an encrypted secret to the account. */
export const secretPlace = (userId: string) => `authenticator ${userId}`;

export const hashRecovery = (userId: string, code: string) => hashToken(`${userId} ${code}`);

/** Whether log-ins of this person need a code. */
export async function hasSecondFactor(db: Database, userId: Id<'user'>): Promise<boolean> {
  const found = await db
    .selectFrom('authenticator_app')
    .select('userId')
    .where('userId', '=', userId)
    .where('enabledAt', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Requires a code if the account has a second factor. @throws second_factor_required without a code; invalid, rate_limited */
export async function passSecondFactor(
  context: Context,
  db: Database,
  {
    userId,
    code,
    limits,
  }: { userId: Id<'user'>; code: string | undefined; limits: Pick<RateLimits, 'secondFactor'> },
): Promise<void> {
  if (!(await hasSecondFactor(db, userId))) return;
  if (code === undefined) {
    throw new AppError(
      'second_factor_required',
      'Enter the code of your authenticator app, or a recovery code',
    );
  }
  await consumeCode(context, db, { userId, code, limits });
}

/** Uses up a code of the app or a recovery code. @throws invalid, rate_limited */
export async function consumeCode(
  context: Pick<Context, 'clock' | 'secrets'>,
  db: Database,
  { userId, code, limits }: { userId: Id<'user'>; code: string; limits: Pick<RateLimits, 'secondFactor'> },
): Promise<void> {
  const guess = await limits.secondFactor(userId);
  const given = compact(code);
  if (APP_CODE.test(given)) {
    await consumeAppCode(context, db, { userId, code: given, isOn: true });
  } else {
    const { numDeletedRows } = await db
      .deleteFrom('recovery_code')
      .where('userId', '=', userId)
      .where('codeHash', '=', hashRecovery(userId, given))
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw wrongCode();
  }
  await guess.forgive();
}

/** A code as it is compared, however it was typed. */
export const compact = (code: string) => code.replace(/[\s-]/g, '').toLowerCase();

/** Accepts a code of the present time step or its neighbours, if no later one was used. @throws invalid */
export async function consumeAppCode(
  { clock, secrets }: Pick<Context, 'clock' | 'secrets'>,
  db: Database,
  { userId, code, isOn }: { userId: Id<'user'>; code: string; isOn: boolean },
): Promise<void> {
  const found = await db
    .selectFrom('authenticator_app')
    .select(['secret', 'sealedSecret'])
    .where('userId', '=', userId)
    .where('enabledAt', isOn ? 'is not' : 'is', null)
    .executeTakeFirstOrThrow(wrongCode);
  const secret = readSecret(secrets, found, secretPlace(userId));
  // Encrypted with a key that the operator has replaced. Recovery codes, of which only hashes are stored, still work.
  if (secret === undefined)
    throw new AppError('invalid', 'code: codes of the app cannot be checked, use a recovery code');
  const timestamp = clock.now().getTime();
  const delta = appOf(secret).validate({ token: code, timestamp, window: SECOND_FACTOR.window });
  if (delta === null) throw wrongCode();
  const step = TOTP.counter({ period: SECOND_FACTOR.periodSeconds, timestamp }) + delta;
  const { numUpdatedRows } = await db
    .updateTable('authenticator_app')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw wrongCode();
}
