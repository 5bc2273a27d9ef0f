// An OAuth client as its managers see it, and what is shown once after it was registered.
import type { ResultOf } from '#shared/define/endpoint.ts';
import type { Id } from '#shared/ids.ts';
import type { oauthEndpoints } from '#shared/oauth/endpoints.ts';

export type ManagedClient = ResultOf<(typeof oauthEndpoints)['oauth_client.get']>;

/** The credentials of a client that was just registered, or whose secret was just renewed. */
export interface Registered {
  name: string;
  id: Id<'oauth_client'>;
  /** Null for a public client, which has none. */
  secret: string | null;
}
