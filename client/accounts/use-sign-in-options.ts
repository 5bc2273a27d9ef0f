/** Sign-in options of the log-in page, fetched at every visit. */
import { useCallback } from 'react';
import type { ResultOf } from '#shared/define/endpoint.ts';
import type { signInEndpoints } from '#shared/accounts/sign-in-endpoints.ts';
import { publicApi } from '#client/api/session-client.ts';
import { useLoaded } from '#client/shell/use-loaded.ts';

export type SignInOptions = ResultOf<(typeof signInEndpoints)['auth.options']>;

/** `invite` is the invitation that the address names. */
export function useSignInOptions(invite?: string) {
  const fetchOptions = useCallback(
    async (): Promise<SignInOptions> => (await publicApi('auth.options', { query: { invite } })).result,
    [invite],
  );
  return useLoaded(fetchOptions);
}
