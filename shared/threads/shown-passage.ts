// Whether the text of an answer already shows a passage, so that it is not repeated beside its source.

/** True when the Markdown of an answer contains the passage, ignoring escapes, line breaks and marks of quotations. */
export function showsPassage(content: string, passage: string): boolean {
  return plain(content).includes(plain(passage));
}

const plain = (text: string): string =>
  text
    .replace(/^(?:> ?)+/gm, '')
    .replace(/\\([\\`*_{}[\]<>#|!~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
