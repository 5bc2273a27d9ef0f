/** Typing faster than any disk: every text is typed and sent within one turn of the page, so no save has ended. */

/** Sets the text of a field as typing does: with the input event that React listens to. */
export function typeAtOnce(field: Element, text: string): void {
  if (!(field instanceof HTMLTextAreaElement)) throw new TypeError('not a text area');
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/** Presses mod+Enter in a field. */
export function submitAtOnce(field: Element): void {
  field.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }),
  );
}
