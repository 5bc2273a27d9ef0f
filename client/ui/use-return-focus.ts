/**
 * Restores the focus to where it was when a modal opened, for modals opened by a store instead of a trigger. Radix only
 * knows its own trigger and would lose the focus.
 */
import { useCallback, useRef } from 'react';

/** Where the focus was when each surface opened: a surface may be opened from another one that has closed by then. */
const origins = new WeakMap<Element, Element | null>();

/** The button of the menu that an item belongs to: the item itself no longer exists when the dialog closes. */
function lastingOrigin(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]');
  const trigger = menu?.getAttribute('aria-labelledby');
  return trigger ? document.querySelector(`#${CSS.escape(trigger)}`) : element;
}

/** The element that opened the surface, or the one that opened the surface around it; the page where none is left. */
function lastOrigin(surface: Element | null | undefined): Element | null {
  const origin = surface && origins.get(surface);
  if (!origin) return document.querySelector('main');
  return origin.isConnected ? origin : lastOrigin(origin.closest('[data-surface]'));
}

/** Ref and handler for the content of a Radix dialog, which carries `data-surface`. */
export function useReturnFocus() {
  const surface = useRef<HTMLElement>(null);
  // Earlier than Radix reports the opening: a field inside may have taken the focus by then.
  const ref = useCallback((content: HTMLElement | null) => {
    if (content === null) return;
    surface.current = content;
    origins.set(content, lastingOrigin(document.activeElement));
  }, []);
  return {
    ref,
    onCloseAutoFocus: (event: Event) => {
      const { activeElement, body } = document;
      // After a navigation the new page has the focus already.
      if (activeElement && activeElement !== body && !surface.current?.contains(activeElement))
        return event.preventDefault();
      const element = lastOrigin(surface.current);
      if (!(element instanceof HTMLElement)) return;
      event.preventDefault();
      element.focus({ preventScroll: true });
    },
  };
}
