/**
 * Where the work of the moment comes from: the credential and the network address of the request, for the audit log and
 * for what staff may not do while they act as another person. Work without a request has none.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
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

const storage = new AsyncLocalStorage<RequestOrigin>();

/** Runs work that a request caused. */
export function withOrigin<T>(origin: RequestOrigin, run: () => T): T {
  return storage.run(origin, run);
}

export function currentOrigin(): RequestOrigin | undefined {
  return storage.getStore();
}
