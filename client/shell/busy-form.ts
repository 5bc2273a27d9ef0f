/** Shows on the button of a form that it is being sent. */
export function setBusy(form: HTMLFormElement, isBusy: boolean): void {
  const button = form.querySelector('[type="submit"]');
  button?.setAttribute('aria-busy', String(isBusy));
  button?.setAttribute('aria-disabled', String(isBusy));
}
