/**
 * The request behind a piece of work: its credential and network address, for the audit log and for what staff may not do
 * while they act as another person. Work without a request has none.
 */
import type { Id } from '#shared/ids.ts';

export interface RequestOrigin {
  address: string | null;
  userAgent: string | null;
  /** Null for calls without a credential. */
  via: 'session' | 'api_key' | 'oauth_token' | null;
  /** Session of the caller, when the credential is one. */
  sessionId: string | null;
  /** Staff user behind an impersonated session. */
  impersonator: Id<'user'> | null;
}
