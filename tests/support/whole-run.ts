/**
 * What `npm test` leaves to `npm run test:all`: whole matrices, plantings, hostile texts of every kind, new seeds, and
 * whatever is slow, rare or measures time. Such a test stands in a file `*.long.test.ts`, is an `itLong`, or has its cases
 * only there, such a story carries the tag.
 * In the gate stays what alone guards against losing data, letting a stranger in, or ending a main way of the product.
 */

/** Environment variable that the long run sets to `all`. */
export const TESTS = 'LOCI_TESTS';

export const IS_WHOLE = process.env[TESTS] === 'all';

/** The tag of long stories. */
export const LONG_TAG = '@long';

/**
 * Movement costs browsers without a graphics card a fifth of their time, and no promise of the gate is about it; the long
 * run has it.
 */
export const calm = IS_WHOLE ? {} : ({ reducedMotion: 'reduce' } as const);
