// Whether the text of an answer already shows a passage, so that it is not repeated beside its source.

/** True when the Markdown of an answer contains the passage, ignoring escapes and line breaks. */
export function showsPassage(content: string, passage: string): boolean {
  return plain(content).includes(plain(passage));
}

const plain = (text: string): string =>
  text
    .replace(/\\([\\`*_{}[\]<>#|!~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
