// Which texts are parsed where they are drawn, without a worker, so that ordinary ones appear at once.

/** The slowest known pattern of this length needs a few milliseconds. */
export const AT_ONCE_LENGTH = 2_000;

/** Tables are left out because the parser fills short rows up: few characters can become many cells. */
export function isParsedAtOnce(source: string): boolean {
  return source.length <= AT_ONCE_LENGTH && !source.includes('|');
}
