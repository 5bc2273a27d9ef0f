/** One action of a view at a time, and whether it is under way, for the button that began it. */
import { useState } from 'react';
import { perform } from '#client/shell/perform.ts';

/**
 * `run` resolves to whether the work went through; a failure is shown. What comes `after` runs in both cases, before the
 * view stops being busy.
 */
export function useBusy() {
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>, after?: () => unknown): Promise<boolean> => {
    setBusy(true);
    try {
      const isDone = await perform(work);
      await after?.();
      return isDone;
    } finally {
      setBusy(false);
    }
  };
  return { busy, run };
}
