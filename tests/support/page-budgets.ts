// What a public page may weigh, compressed, in bytes.

/** Of all scripts of a page that is read. */
export const SCRIPT_BUDGET = 20_000;

/** With the forms and the search of the site alive. */
export const ALIVE_BUDGET = 60_000;

/** Of the styles inlined into a page. */
export const STYLE_BUDGET = 14_000;

/**
 * Budget for the HTML of a page. The list of all calls grows with the product, and the pages behind it carry every call in
 * three languages; other pages must stay readable in length.
 */
export function htmlBudgetOf(path: string): number {
  if (path === '/docs/api/reference') return 40_000;
  return path.startsWith('/docs/api/reference/') ? 36_000 : 26_000;
}
