/** For the `ref` of a form that is all a page is for: the first field that is still empty has the focus when it appears. */
export function focusFirstField(form: HTMLFormElement | null): void {
  const fields =
    form?.querySelectorAll<HTMLInputElement>('input:enabled:not([type=hidden], [type=radio])') ?? [];
  [...fields].find(({ value }) => value === '')?.focus({ preventScroll: true });
}
