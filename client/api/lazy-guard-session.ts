// Loads the session's code when a guard first needs it, so that the log-in pages do not wait for it.
import type { GuardSession } from '#client/api/guards.ts';

export async function loadGuardSession(): Promise<GuardSession> {
  return (await import('#client/api/guard-session.ts')).guardSession;
}
