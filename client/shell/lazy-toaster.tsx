/** The short messages of the application, fetched with the first of them. */
import { useState } from 'react';
import { useStore } from '#client/shell/external-store.ts';
import { toastStore } from '#client/shell/toasts.ts';
import { lazyPart } from '#client/ui/lazy-part.tsx';

const Toaster = lazyPart('short messages', () => import('#client/shell/toaster.tsx').then((m) => m.Toaster));

/** Stays once there was a message, so that the last one can fade. */
export function LazyToaster() {
  const isNeeded = useStore(toastStore).length > 0;
  const [wasNeeded, setWasNeeded] = useState(isNeeded);
  if (isNeeded && !wasNeeded) setWasNeeded(true);
  return isNeeded || wasNeeded ? <Toaster /> : null;
}
