// Text that a person typed in a change, for copying or saving it elsewhere when the change was rejected. Pure.

export interface TypedWords {
  title: string | null;
  url: string | null;
  notes: string | null;
  tags: string[];
}

function textIn(args: object, key: string): string | null {
  const value: unknown = Reflect.get(args, key);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Undefined when the change holds no typed text, such as a move or a deletion. */
export function typedWords(args: unknown): TypedWords | undefined {
  if (typeof args !== 'object' || args === null) return undefined;
  const notes = ['description', 'notes', 'content'].flatMap((key) => textIn(args, key) ?? []);
  const tags: unknown = Reflect.get(args, 'tags');
  const url = textIn(args, 'url');
  const words = {
    title: textIn(args, 'title') ?? textIn(args, 'name'),
    url: url !== null && URL.canParse(url) ? url : null,
    notes: notes.length === 0 ? null : notes.join('\n\n'),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
  };
  return words.title === null && words.url === null && words.notes === null ? undefined : words;
}

/** As text for the clipboard. */
export function wordsAsText({ title, url, notes, tags }: TypedWords): string {
  const marks = tags.map((tag) => `#${tag}`).join(' ');
  return [title, url, notes, marks].filter((part) => part !== null && part !== '').join('\n\n');
}
