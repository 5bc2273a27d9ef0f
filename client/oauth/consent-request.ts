/**
 * The authorization request in the address of the consent page, and the server's description of it. The parameters are passed
 * on unchanged, because only the server interprets them.
 */
import type { ResultOf } from '#shared/define/endpoint.ts';
import { ERRORS } from '#shared/errors.ts';
import type { oauthEndpoints } from '#shared/oauth/endpoints.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';

type Checked = ResultOf<(typeof oauthEndpoints)['oauth.check']>;
export type ConsentRequest = Exclude<Checked, { redirect_to: string }>;

/** The parameters of a request; one that is repeated has several values. */
export type RequestParameters = Readonly<Record<string, string | string[]>>;

export type ConsentState =
  | { state: 'checking' }
  /** It can be decided. */
  | { state: 'open'; request: ConsentRequest }
  /** Invalid, and only the person may see the error. */
  | { state: 'refused'; reason: string }
  /** The browser is redirected to this address, with a code or a refusal. */
  | { state: 'leaving'; to: string }
  | { state: 'unreachable' };

/** The parameters of the page's address. */
export function parametersOf(search: URLSearchParams): RequestParameters {
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const [first = '', ...others] = search.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

/** Requests the server's description of the request. */
export async function checkRequest(parameters: RequestParameters): Promise<ConsentState> {
  try {
    const { result } = await api('oauth.check', { body: parameters });
    return 'redirect_to' in result
      ? { state: 'leaving', to: result.redirect_to }
      : { state: 'open', request: result };
  } catch (failure) {
    if (failure instanceof ApiProblem && failure.status === ERRORS.invalid.status) {
      return { state: 'refused', reason: failure.error.detail };
    }
    console.info('consent: the request could not be checked', failure);
    return { state: 'unreachable' };
  }
}

/** The refusals of the protocol as messages for the person, who can only go back. */
const REASONS: Readonly<Record<string, string>> = {
  'client is invalid': 'The app is not known here. It may have been removed.',
  "redirect_uri did not match any of the client's registered redirect_uris":
    'The app asks to send you to an address that it did not register.',
  'request is invalid': 'The link is incomplete or was changed on its way.',
};

/** Why the request was refused, for the reader. */
export function reasonText(reason: string): string {
  return REASONS[reason] ?? `The app sent a request that cannot be used: ${reason}.`;
}
