/** The email address that waits for confirmation, as stored on the server. None when the server cannot be reached. */
import { useCallback, useEffect, useState } from 'react';
import type { EmailChange } from '#shared/accounts/endpoints.ts';
import { api } from '#client/api/session-client.ts';

interface Known {
  /** False until the server has answered. */
  known: boolean;
  change: EmailChange | undefined;
}

async function fetchChange(): Promise<Known> {
  try {
    const { result } = await api('auth.email_change', {});
    return { known: true, change: result ?? undefined };
  } catch (failure) {
    console.info('account: a waiting address could not be asked for', failure);
    return { known: true, change: undefined };
  }
}

/** Read at the first showing and by `load`. */
export function useEmailChange(): Known & { load: () => Promise<void> } {
  const [state, setState] = useState<Known>({ known: false, change: undefined });
  const load = useCallback(() => fetchChange().then(setState), []);
  useEffect(() => {
    let isCurrent = true;
    void fetchChange().then((found) => isCurrent && setState(found));
    return () => {
      isCurrent = false;
    };
  }, []);
  return { ...state, load };
}
