/**
 * Fields of a form on a public page, stored over a reload: in the tab alone and not in the address, because the browser may
 * be shared.
 */

/** Fills the fields with values stored by an earlier load of the page, and stores typed values until the form is reset. */
export function keepTyped(form: HTMLFormElement, key: string): void {
  const fields = [...form.querySelectorAll<HTMLSelectElement | HTMLTextAreaElement>('select, textarea')];
  try {
    const stored: Readonly<Record<string, string>> = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    for (const field of fields) field.value = stored[field.name] ?? field.value;
    form.addEventListener('input', () =>
      sessionStorage.setItem(
        key,
        JSON.stringify(Object.fromEntries(fields.map((each) => [each.name, each.value]))),
      ),
    );
    form.addEventListener('reset', () => sessionStorage.removeItem(key));
  } catch (failure) {
    console.info('site: this browser stores nothing, so what is typed does not outlive a reload', failure);
  }
}
