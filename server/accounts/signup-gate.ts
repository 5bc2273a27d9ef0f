/** Who may create an account, whichever way they sign in. */
import { isId } from '#shared/ids.ts';
import { AppError } from '#shared/errors.ts';
import type { Context } from '../context.ts';
import { isApproved } from '../site/service.ts';
import { isInvited } from '../workspaces/service.ts';

/**
 * With the mode `invite`, an address may sign up by the link of its invitation to a workspace or of its early access, or
 * when the configuration names it. @throws forbidden
 */
export async function requireOpenSignup(
  { config: { signupMode, signupAllow }, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  { email, invite }: { email: string; invite?: string | undefined },
): Promise<void> {
  if (signupMode === 'open') return;
  if (signupMode === 'closed') throw new AppError('forbidden', 'Creating an account is closed');
  const now = clock.now();
  if (isAllowed(signupAllow, email)) return;
  if (isId('invite', invite) && (await isInvited(db, { id: invite, email, now }))) return;
  if (invite !== undefined && (await isApproved(db, { token: invite, email, now }))) return;
  throw new AppError('forbidden', 'Creating an account needs an invitation to this e-mail address');
}

/** Whether the configuration names the address or its domain. */
function isAllowed(allowed: readonly string[], email: string): boolean {
  const address = email.toLowerCase();
  return allowed.includes(address) || allowed.includes(address.slice(address.lastIndexOf('@') + 1));
}
