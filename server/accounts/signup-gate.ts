/** Who may create an account, whichever way they sign in. */
import { isId } from '#shared/ids.ts';
import { AppError } from '#shared/errors.ts';
import type { Context } from '../context.ts';
import { approvedAddress } from '../site/service.ts';
import { invitedAddress, isSameAddress } from '../workspaces/service.ts';

/**
 * With the mode `invite`, an address may sign up by the link of its invitation to a workspace or of its early access, or
 * when the configuration names it. @throws forbidden
 */
export async function requireOpenSignup(
  context: Pick<Context, 'config' | 'db' | 'clock'>,
  { email, invite }: { email: string; invite?: string | undefined },
): Promise<void> {
  const { signupMode, signupAllow } = context.config;
  if (signupMode === 'open') return;
  if (signupMode === 'closed') throw new AppError('forbidden', 'Creating an account is closed');
  if (isAllowed(signupAllow, email)) return;
  const invited = await addressOf(context, invite);
  if (invited !== undefined && isSameAddress(invited, email)) return;
  throw new AppError('forbidden', 'Creating an account needs an invitation to this e-mail address');
}

/** The address that a link of either kind was mailed to, as long as it works. */
export async function addressOf(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  invite: string | undefined,
): Promise<string | undefined> {
  if (invite === undefined) return undefined;
  const now = clock.now();
  return isId('invite', invite)
    ? invitedAddress(db, { id: invite, now })
    : approvedAddress(db, { token: invite, now });
}

/** Whether the configuration names the address or its domain. */
function isAllowed(allowed: readonly string[], email: string): boolean {
  const address = email.toLowerCase();
  return allowed.includes(address) || allowed.includes(address.slice(address.lastIndexOf('@') + 1));
}
