/** Sign-in methods of an account. */
import { IDENTITY_PROVIDERS, PROVIDER_COLUMNS } from '#shared/accounts/identity-providers.ts';
import type { WaysIn } from '#shared/accounts/sign-in-endpoints.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';

/** How a person can log in. */
export async function waysInOf(
  { db, identity }: Pick<Context, 'db' | 'identity'>,
  userId: Id<'user'>,
): Promise<WaysIn> {
  const found = await db
    .selectFrom('user')
    .leftJoin('user_password', 'user_password.userId', 'user.id')
    .leftJoin('authenticator_app', 'authenticator_app.userId', 'user.id')
    .select(['user.githubId', 'user.googleId', 'user_password.hash', 'authenticator_app.enabledAt'])
    .select((row) => [
      row
        .selectFrom('passkey')
        .whereRef('passkey.userId', '=', 'user.id')
        .select((each) => each.fn.countAll<number>().as('count'))
        .as('passkeys'),
      row
        .selectFrom('recovery_code')
        .whereRef('recovery_code.userId', '=', 'user.id')
        .select((each) => each.fn.countAll<number>().as('count'))
        .as('recoveryCodes'),
    ])
    .where('user.id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    password: found.hash !== null,
    providers: IDENTITY_PROVIDERS.map((provider) => ({
      provider,
      connected: found[PROVIDER_COLUMNS[provider]] !== null,
      available: identity[provider] !== undefined,
    })),
    passkeys: found.passkeys ?? 0,
    secondFactor: found.enabledAt !== null,
    recoveryCodes: found.recoveryCodes ?? 0,
  };
}

/** @throws conflict when no log-in method is left */
export function requireAnotherWayIn({ password, providers, passkeys }: WaysIn): void {
  if (password || passkeys > 0 || providers.some(({ connected }) => connected)) return;
  throw new AppError('conflict', 'This is the only way into your account. Set a password first');
}

/** Removes every log-in method but the password, for an account that passes to its rightful owner or is deleted. */
export async function forgetOtherWaysIn(db: Database, userId: Id<'user'>): Promise<void> {
  await db.updateTable('user').set({ githubId: null, googleId: null }).where('id', '=', userId).execute();
  for (const table of ['passkey', 'webauthn_challenge', 'authenticator_app', 'recovery_code'] as const) {
    await db.deleteFrom(table).where('userId', '=', userId).execute();
  }
}
