/** Sign-in options of the log-in page, fetched at every visit. */
import { useEffect, useState } from 'react';
import type { ResultOf } from '#shared/define/endpoint.ts';
import type { signInEndpoints } from '#shared/accounts/sign-in-endpoints.ts';
import { publicApi } from '#client/api/session-client.ts';

export type SignInOptions = ResultOf<(typeof signInEndpoints)['auth.options']>;

/** Undefined until the server has answered; without an answer the form alone is offered. */
export function useSignInOptions(): SignInOptions | undefined {
  const [options, setOptions] = useState<SignInOptions>();
  useEffect(() => {
    let isCurrent = true;
    publicApi('auth.options', {}).then(
      ({ result }) => isCurrent && setOptions(result),
      (failure: unknown) => console.info('sign-in: the server did not say what it offers', failure),
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  return options;
}
