/**
 * The references in texts of people: `[[title]]`, or `[[title|words]]` to read other words. Pure; which page is meant is
 * not known here.
 */

export interface Reference {
  /** The name as `referenceName` writes it. */
  name: string;
  /** Visible text. */
  label: string;
}

/** Without brackets inside, so that a run of opening ones is not read again from each of them. */
const DOUBLE_BRACKETS = /\[\[([^[\]\n]{1,300})\]\]/g;
/** Names are compared up to here. */
export const NAME_MAX = 200;

/** A title as references are compared: case and spaces do not count. */
export function referenceName(title: string): string {
  return title.trim().replace(/\s+/g, ' ').toLowerCase().slice(0, NAME_MAX);
}

/** A text as a row of plain parts and references. */
export function splitReferences(text: string): (string | Reference)[] {
  const parts: (string | Reference)[] = [];
  let end = 0;
  for (const match of text.matchAll(DOUBLE_BRACKETS)) {
    const [whole, inside = ''] = match;
    // In a table, the bar is escaped.
    const [title = '', ...words] = inside.split(/\\?\|/);
    const name = referenceName(title);
    if (name === '') continue;
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push({ name, label: (words.join('|').trim() || title).trim() });
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}
