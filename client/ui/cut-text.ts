/** Cuts a text so that a browser lays out its parts one by one: a paragraph is laid out as a whole, however long. */

/** Laid out in about 6 ms. */
export const PART_LETTERS = 15_000;

/** Where the first part ends: after a word where one ends in its second half, and outside of a reference. */
function endOfPart(part: string): number {
  const half = part.length / 2;
  const reference = part.lastIndexOf('[[');
  if (reference > half && !part.includes(']]', reference)) return reference;
  const space = Math.max(part.lastIndexOf('\n'), part.lastIndexOf(' '));
  if (space > half) return space + 1;
  // No half of a letter that is stored as two.
  return /[\uD800-\uDBFF]$/.test(part) ? part.length - 1 : part.length;
}

/** Parts of at most PART_LETTERS, which joined are the text; nearly every text is a single one. */
export function cutText(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (text.length - start > PART_LETTERS) {
    const end = start + endOfPart(text.slice(start, start + PART_LETTERS));
    parts.push(text.slice(start, end));
    start = end;
  }
  return [...parts, text.slice(start)];
}
