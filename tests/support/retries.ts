/**
 * How often a test that failed is tried again: never by hand, so that a fault is seen; in `npm test` twice for a story and
 * once for a test with a database or a browser, since thousands of them on two busy cores are seldom all lucky at once.
 */

/** Environment variable that `npm test` sets for the programs it runs. */
export const TRY_AGAIN = 'TRY_AGAIN';

const triesAgain = process.env[TRY_AGAIN] === '1';

export const STORY_RETRIES = triesAgain ? 2 : 0;
export const TEST_RETRIES = triesAgain ? 1 : 0;
