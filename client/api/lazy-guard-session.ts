// Loads the session's code when a guard first needs it, so that the way in does not wait for it.
import type { GuardSession } from '#client/guards.ts';

export async function loadGuardSession(): Promise<GuardSession> {
  return (await import('#client/api/guard-session.ts')).guardSession;
}
