/** The email address that waits for confirmation, as stored on the server. None when the server cannot be reached. */
import { useResult } from '#client/api/use-result.ts';

/** Read at the first showing and by `load`; `known` is false until the server has answered. */
export function useEmailChange() {
  const { known, load } = useResult('auth.email_change', {});
  const change = known.state === 'here' ? (known.value ?? undefined) : undefined;
  return { known: known.state !== 'loading', change, load };
}
