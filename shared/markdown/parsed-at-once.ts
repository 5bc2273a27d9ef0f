// Which texts are parsed where they are drawn, without a worker, so that ordinary ones appear at once.

/** The slowest known pattern of this length needs a few milliseconds. */
export const AT_ONCE_LENGTH = 2_000;

/** A block of code that names its language is drawn at once and coloured when a worker has looked at it. */
const CODE = /^ {0,3}(?:`{3,}|~{3,})[ \t]*[\w+#-]/m;

export const hasCode = (source: string): boolean => CODE.test(source);

/** Tables are left out because the parser fills short rows up: few characters can become many cells. */
export function isParsedAtOnce(source: string): boolean {
  return source.length <= AT_ONCE_LENGTH && !source.includes('|');
}
