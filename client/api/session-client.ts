/**
 * The typed REST client of the person who is signed in on this page, loaded with the first call: the table of endpoints and its
 * schemas are a third of the code that a first list would otherwise wait for.
 * A 401 ends the session, except on the calls that sign in.
 */
import type { ApiClient } from '#client/api/client.ts';
import { endSession, sessionToken } from '#client/api/session.ts';

interface Clients {
  own: ApiClient;
  anonymous: ApiClient;
}

let loading: Promise<Clients> | undefined;

async function load(): Promise<Clients> {
  const { createClient } = await import('#client/api/client.ts');
  return {
    own: createClient({ token: sessionToken, onUnauthorized: endSession }),
    anonymous: createClient({ token: () => undefined }),
  };
}

/** Once; code that could not be fetched is requested again by the next call. */
function clients(): Promise<Clients> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Calls with the session's token. */
export const api: ApiClient = async (name, request, options) => (await clients()).own(name, request, options);

/** Calls made before there is a session: a refused password is an answer, not the end of one. */
export const publicApi: ApiClient = async (name, request, options) =>
  (await clients()).anonymous(name, request, options);
