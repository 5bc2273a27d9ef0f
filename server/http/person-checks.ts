// Conditions on the person behind a session, beside what their position allows.
import { AppError } from '#shared/errors.ts';
import type { SessionPerson } from './call.ts';

/** For acts that are the person's alone, and not those of staff who act as them. @throws forbidden */
export function refuseImpersonation(
  { credential }: Pick<SessionPerson, 'credential'>,
  sentence = 'Only the person whose account it is may do this',
): void {
  if (credential.impersonator !== null) throw new AppError('forbidden', sentence);
}

/** For acts that reach others under the person's responsibility. @throws forbidden */
export function requireProvenPerson({ user }: Pick<SessionPerson, 'user'>): void {
  if (!user.emailVerified)
    throw new AppError('forbidden', 'Confirm your e-mail address first: Settings, Account');
}
