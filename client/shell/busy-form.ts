const busy = new WeakSet<HTMLFormElement>();

function show(form: HTMLFormElement, isBusy: boolean): void {
  const button = form.querySelector('[type="submit"]');
  button?.setAttribute('aria-busy', String(isBusy));
  button?.setAttribute('aria-disabled', String(isBusy));
}

/** Sends a form, and shows so on its button. Does nothing, and resolves to undefined, while it is being sent. */
export async function sendOnce<T>(form: HTMLFormElement, send: () => Promise<T>): Promise<T | undefined> {
  if (busy.has(form)) return undefined;
  busy.add(form);
  show(form, true);
  try {
    return await send();
  } finally {
    show(form, false);
    busy.delete(form);
  }
}
