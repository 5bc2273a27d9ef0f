/**
 * The typed REST client of whoever is signed in on this page.
 * A 401 ends the session, except on the calls that sign in.
 */
import { createClient, type ApiClient } from '#client/api/client.ts';
import { endSession, sessionToken } from '#client/api/session.ts';

/** Calls with the session's token. */
export const api: ApiClient = createClient({ token: sessionToken, onUnauthorized: endSession });

/** Calls made before there is a session: a refused password is an answer, not the end of one. */
export const publicApi: ApiClient = createClient({ token: () => undefined });
