/** Sign-in options of the log-in page, fetched at every visit. */
import type { ResultOf } from '#shared/define/endpoint.ts';
import type { signInEndpoints } from '#shared/accounts/sign-in-endpoints.ts';
import { publicApi } from '#client/api/session-client.ts';
import { useLoaded } from '#client/shell/use-loaded.ts';

export type SignInOptions = ResultOf<(typeof signInEndpoints)['auth.options']>;

const fetchOptions = async (): Promise<SignInOptions> => (await publicApi('auth.options', {})).result;

export const useSignInOptions = () => useLoaded(fetchOptions);
