/** When a menu or popover that closed may give the focus back to what opened it. */

/**
 * For `onCloseAutoFocus` of a menu or popover. It stays on the screen for a moment as it closes. When the person opened
 * another one in that moment, or went on to a field, the focus is there: taking it away would close what was opened.
 */
export function giveFocusBack(event: Event): void {
  const { activeElement, body } = document;
  if (activeElement !== null && activeElement !== body) event.preventDefault();
}
