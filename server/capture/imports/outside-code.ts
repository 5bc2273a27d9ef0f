// The words of a Markdown text apart from its code.

/** A fence to the one that ends it, or to the end of the text. */
const FENCED =
  /^[ \t>]{0,20}(?<fence>`{3,}(?![^\n]*`)|~{3,})[\s\S]*?(?:^[ \t>]{0,20}\k<fence>[`~]*[ \t]*$|(?![\s\S]))/;
/** In one line, between as many marks; of a length that keeps the search for the second ones short. */
const INLINE = /(?<!`)(?<marks>`+)(?!`)[^\n]{1,1000}?(?<!`)\k<marks>(?!`)/;
const CODE = new RegExp(`${FENCED.source}|${INLINE.source}`, 'gm');

/** Applies a change to the text outside of code. */
export function outsideCode(text: string, change: (words: string) => string): string {
  let at = 0;
  const parts: string[] = [];
  for (const { index, 0: code } of text.matchAll(CODE)) {
    parts.push(change(text.slice(at, index)), code);
    at = index + code.length;
  }
  parts.push(change(text.slice(at)));
  return parts.join('');
}
