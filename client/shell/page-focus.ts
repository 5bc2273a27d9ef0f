// Whether a key without modifier is meant for the page: the focus is in its main part, or nowhere.

/** False while the focus is beside the page, for example in the sidebar. */
export function hasPageFocus(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || focused.closest('main') !== null;
}
