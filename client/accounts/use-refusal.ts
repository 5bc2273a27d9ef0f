/** Why the server refused what a form sent. */
import { useState } from 'react';
import { refusedField, refusalText } from '#client/accounts/use-sign-in.ts';

/**
 * `attempt` resolves to whether the work went through, and is `busy` until then. The reason for a refused field goes to its
 * function in `fields`; any other one is the `problem` until the next attempt.
 */
export function useRefusal() {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const attempt = async (
    work: () => Promise<unknown>,
    fields: Readonly<Record<string, (reason: string) => void>> = {},
  ): Promise<boolean> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (failure) {
      const refused = refusedField(failure);
      const show = refused && fields[refused.field];
      if (show) show(refused.text);
      else setProblem(refusalText(failure));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { problem, busy, attempt };
}
