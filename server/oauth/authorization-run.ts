/**
 * One authorization request on its way through the provider library. The library stores a browser session and an interaction
 * behind cookies; here the request itself carries who decides, and nothing is stored, so another browser can resume nothing.
 */
import type { IncomingMessage } from 'node:http';
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
}

const runs = new WeakMap<IncomingMessage, AuthorizationRun>();

/** The run that a request to the library belongs to; undefined for requests of clients. */
export function runOf({ req }: { req: IncomingMessage }): AuthorizationRun | undefined {
  return runs.get(req);
}

/** Makes the run that of a request. */
export function beginRun(req: IncomingMessage, run: AuthorizationRun): void {
  runs.set(req, run);
}
