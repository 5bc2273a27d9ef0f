/** When a closed menu or popover may return the focus to its trigger. */

/**
 * For `onCloseAutoFocus` of a menu or popover. It stays on the screen for a moment as it closes. When the person opens another
 * one in that moment, the focus is inside it: moving the focus would close what was just opened.
 */
export function giveFocusBack(event: Event): void {
  // A focused dialog does not count: it receives the focus when a menu inside it closes.
  if (document.activeElement?.closest('[data-radix-popper-content-wrapper]')) event.preventDefault();
}
