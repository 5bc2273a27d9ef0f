/** The email address that waits for confirmation, as stored on the server. None when the server cannot be reached. */
import type { EmailChange } from '#shared/accounts/endpoints.ts';
import { api } from '#client/api/session-client.ts';
import { useLoaded } from '#client/shell/use-loaded.ts';

const fetchChange = async (): Promise<EmailChange | null> => (await api('auth.email_change', {})).result;

/** Read at the first showing and by `load`; `known` is false until the server has answered. */
export function useEmailChange() {
  const { known, load } = useLoaded(fetchChange);
  const change = known.state === 'here' ? (known.value ?? undefined) : undefined;
  return { known: known.state !== 'loading', change, load };
}
