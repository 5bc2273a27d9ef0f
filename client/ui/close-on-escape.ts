/**
 * Closes a dialog by Escape even while a toast is on screen. Radix sends Escape to its newest layer only, and a toast
 * is one: without this the first press would only close the toast.
 */
import type { KeyboardEvent } from 'react';

/** Handlers for a Radix content part; `close` runs for an Escape pressed inside it and handled by nothing within. */
export function closeOnEscape(close: () => void) {
  return {
    onEscapeKeyDown: (event: { preventDefault: () => void }) => {
      event.preventDefault();
      // The focus may have been lost with what it was on: then nothing inside receives the key.
      if (document.activeElement === document.body) close();
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
      // Menus opened from inside are surfaces of their own, and so is a dialog above: they have their own Escape.
      const surface = event.target instanceof Element ? event.target.closest('[data-surface]') : null;
      if (surface === event.currentTarget) close();
    },
  };
}
