/** Dialogs of public pages: the browser's own, created from the page's templates on first use. */

const opened = new Map<string, HTMLDialogElement>();

function create(id: string): HTMLDialogElement {
  const template = document.querySelector<HTMLTemplateElement>(`template#${id}`);
  const dialog = template?.content.cloneNode(true).firstChild;
  if (!(dialog instanceof HTMLDialogElement)) throw new Error(`The page has no dialog ${id}`);
  // A press on the veil reaches the dialog itself, one inside it something in it.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}

/** The dialog of a template, open; the browser keeps the focus inside and returns it on closing. */
export function openDialog(id: string): HTMLDialogElement {
  const dialog = opened.get(id) ?? create(id);
  opened.set(id, dialog);
  if (!dialog.open) dialog.showModal();
  return dialog;
}

export function closeDialogAround(element: Element): void {
  element.closest('dialog')?.close();
}
