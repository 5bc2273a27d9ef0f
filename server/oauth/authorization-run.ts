/**
 * One authorization request on its way through the provider library. The library stores a browser session and an interaction
 * behind cookies; here both exist in this object while one call runs, so no cookie leaves the process and another browser can
 * resume nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AdapterPayload } from 'oidc-provider';
import type { Scope } from '#shared/api-keys/scopes.ts';
import type { Id } from '#shared/ids.ts';

export type Decision =
  | { allow: false }
  | {
      allow: true;
      workspaceId: Id<'workspace'>;
      /** Null means every space. */
      spaceIds: Id<'space'>[] | null;
      /** Of the requested scopes, those that the person grants. */
      scopes: (requested: readonly Scope[]) => Scope[];
    };

/** The person at the page, and the time of the last password check, in seconds since 1970. */
export interface Decider {
  userId: Id<'user'>;
  authTime: number;
  decision: Decision;
}

export interface SeenRequest {
  /** As the client calls itself. */
  identifier: string;
  redirectUri: string;
  scopes: Scope[];
}

export interface AuthorizationRun {
  decider?: Decider;
  seen?: SeenRequest;
  /** Error that the library would have shown on a page. */
  refusal?: { error: string; description: string };
  /** Sessions and interactions by model and id. */
  readonly ephemeral: Map<string, AdapterPayload>;
}

const storage = new AsyncLocalStorage<AuthorizationRun>();

/** The run that the caller is part of; undefined for requests of clients. */
export function currentRun(): AuthorizationRun | undefined {
  return storage.getStore();
}

export function withRun<T>(run: AuthorizationRun, work: () => Promise<T>): Promise<T> {
  return storage.run(run, work);
}
