/** When a menu that closed may give the focus back to what opened it. */

/**
 * For `onCloseAutoFocus` of a menu. A closing menu stays on the screen for a moment; when the person has opened another
 * one in that moment, or went on to a field, the focus is there, and taking it away would close what they just opened.
 */
export function giveFocusBack(event: Event): void {
  const { activeElement, body } = document;
  if (activeElement !== null && activeElement !== body) event.preventDefault();
}
