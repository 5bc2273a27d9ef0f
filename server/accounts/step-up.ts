/**
 * Acts that a forgotten or stolen session must not be enough for: they require that the person has proven within the last
 * hours who they are, at the log-in or again since, by password, passkey, code or identity provider.
 */
import { PROVIDER_COLUMNS } from '#shared/accounts/identity-providers.ts';
import type { SessionProof } from '#shared/accounts/session-proof.ts';
import { SESSION } from '#shared/accounts/limits.ts';
import { AppError } from '#shared/errors.ts';
import type { Context } from '../context.ts';
import type { SessionPerson } from '../http/call.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { checkOwnPassword } from './account-password.ts';
import { checkAssertion } from './passkey-assertion.ts';
import { consumeProviderProof } from './provider-requests.ts';
import { consumeCode } from './second-factor-codes.ts';

interface Confirmation {
  proof: SessionProof;
  limits: Pick<RateLimits, 'guess' | 'secondFactor'>;
  /** Network address of the caller. */
  address: string | null;
}

/** Records that the person at this session has proven who they are. @throws invalid, rate_limited, forbidden */
export async function confirmSession(
  context: Context,
  person: SessionPerson,
  confirmation: Confirmation,
): Promise<void> {
  refuseImpersonation(person);
  await checkProof(context, person, confirmation);
  await context.db
    .updateTable('session')
    .set({ confirmed: context.clock.now().toISOString() })
    .where('id', '=', person.credential.id)
    .execute();
}

async function checkProof(
  context: Context,
  person: SessionPerson,
  { proof, limits, address }: Confirmation,
): Promise<void> {
  const { userId, user } = person;
  if ('password' in proof) {
    await checkOwnPassword(context, person, { field: 'password', given: proof.password, limits, address });
  } else if ('code' in proof) {
    await consumeCode(context, context.db, { userId, code: proof.code, limits });
  } else if ('passkey' in proof) {
    await checkAssertion(context, { response: proof.passkey, userId });
  } else {
    const { code, verifier } = proof.provider;
    const proven = await consumeProviderProof(context.db, { code, verifier, now: context.clock.now() });
    if (user[PROVIDER_COLUMNS[proven.provider]] !== proven.subject) {
      throw new AppError('invalid', 'provider: this is another account there');
    }
  }
}

/** @throws confirmation_required when the last proof is too long ago; forbidden */
export async function requireRecentProof({ db, clock }: Context, person: SessionPerson): Promise<void> {
  refuseImpersonation(person);
  const since = new Date(clock.now().getTime() - SESSION.confirmedMs).toISOString();
  await db
    .selectFrom('session')
    .select('id')
    .where('id', '=', person.credential.id)
    .where((row) => row.or([row('created', '>=', since), row('confirmed', '>=', since)]))
    .executeTakeFirstOrThrow(
      () => new AppError('confirmation_required', 'Confirm that it is you to do this'),
    );
}
