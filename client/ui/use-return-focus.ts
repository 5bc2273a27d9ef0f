/**
 * Gives the focus back to where it was when a modal surface opened, for surfaces opened by a store instead of a trigger.
 * Radix alone knows only its own trigger and would leave the focus nowhere.
 */
import { useRef } from 'react';

/** The button of the menu that an item belongs to: the item itself is gone when the dialog closes. */
function lastingOrigin(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]');
  const trigger = menu?.getAttribute('aria-labelledby');
  return trigger ? document.querySelector(`#${CSS.escape(trigger)}`) : element;
}

/** Handlers for the content of a Radix dialog. */
export function useReturnFocus() {
  const origin = useRef<Element>(null);
  return {
    onOpenAutoFocus: () => {
      origin.current = lastingOrigin(document.activeElement);
    },
    onCloseAutoFocus: (event: Event) => {
      const element = origin.current;
      if (!(element instanceof HTMLElement) || !element.isConnected) return;
      event.preventDefault();
      element.focus({ preventScroll: true });
    },
  };
}
