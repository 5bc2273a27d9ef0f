/**
 * What `npm test` leaves to `npm run test:all`: whole matrices, plantings, hostile texts of every kind, new seeds, and
 * whatever measures time. Such a test stands in a file `*.long.test.ts`.
 */

/** Environment variable that the long run sets to `all`. */
export const TESTS = 'LOCI_TESTS';

export const IS_WHOLE_RUN = process.env[TESTS] === 'all';
