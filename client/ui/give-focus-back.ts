/** When a menu or popover that closed may give the focus back to what opened it. */

/**
 * For `onCloseAutoFocus` of a menu or popover. It stays on the screen for a moment as it closes. When the person opened
 * another one in that moment, the focus is in there: taking it away would close what was just opened.
 */
export function giveFocusBack(event: Event): void {
  // A focused dialog is no reason: it takes the focus that a menu inside it leaves behind.
  if (document.activeElement?.closest('[data-radix-popper-content-wrapper]')) event.preventDefault();
}
