/**
 * For the `ref` of a form that is all a page is for: the first field that is still empty has the focus when it appears. Such a
 * form checks its fields when it is sent: a complaint on leaving the field would move a link away under the pointer.
 */
export function focusFirstField(form: HTMLFormElement | null): void {
  const fields =
    form?.querySelectorAll<HTMLInputElement>('input:enabled:not([type=hidden], [type=radio])') ?? [];
  [...fields].find(({ value }) => value === '')?.focus({ preventScroll: true });
}
