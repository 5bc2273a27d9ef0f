/**
 * Which stories run. `npm test` takes the core: what only a real browser with a real server can show, and what would lose
 * data, let a stranger in, or end a main way of the product. With LOCI_TESTS=all, as in `npm run test:all`, the long ones
 * run too: rare ways, matrices, kills, hostile texts, budgets and times.
 */

/** Whether every story runs. */
export const IS_WHOLE = process.env['LOCI_TESTS'] === 'all';

/** What stands at the end of the title of a story that only the whole run takes. */
export const LONG_TAG = '@long';
