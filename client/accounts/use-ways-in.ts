/** How the person can log in, and their passkeys, read from the server at every visit. */
import { useCallback, useEffect, useState } from 'react';
import type { Passkey } from '#shared/accounts/second-factor-endpoints.ts';
import type { WaysIn } from '#shared/accounts/sign-in-endpoints.ts';
import { api } from '#client/api/session-client.ts';

export type KnownWays =
  | { state: 'loading' }
  | { state: 'unreachable' }
  | { state: 'here'; ways: WaysIn; passkeys: readonly Passkey[] };

async function fetchWays(): Promise<KnownWays> {
  try {
    const [{ result: ways }, { result: passkeys }] = await Promise.all([
      api('auth.ways_in', {}),
      api('passkey.list', {}),
    ]);
    return { state: 'here', ways, passkeys };
  } catch (failure) {
    console.info('settings: the ways in are not here', failure);
    return { state: 'unreachable' };
  }
}

/** `load` reads them again. */
export function useWaysIn(): { known: KnownWays; load: () => Promise<void> } {
  const [known, setKnown] = useState<KnownWays>({ state: 'loading' });
  const load = useCallback(() => fetchWays().then(setKnown), []);
  useEffect(() => {
    let isCurrent = true;
    void fetchWays().then((answer) => isCurrent && setKnown(answer));
    return () => {
      isCurrent = false;
    };
  }, []);
  return { known, load };
}
