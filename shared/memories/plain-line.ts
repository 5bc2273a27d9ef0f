/**
 * A line of Markdown as a reader sees it, without its marks, for titles and previews. Takes the common marks away with
 * patterns, each linear in the length of the line, because it runs for every visible row: parsing is for whole texts.
 */

/** All of ASCII. What is escaped or code becomes a noncharacter each, so that no later pattern takes it for a mark. */
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const FIRST_HIDDEN = 0xfdd0;

function hide(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (mark) =>
    String.fromCharCode(FIRST_HIDDEN + PUNCTUATION.indexOf(mark)),
  );
}

function unhide(text: string): string {
  return text.replace(/[\ufdd0-\ufdef]/g, (hidden) => PUNCTUATION[hidden.charCodeAt(0) - FIRST_HIDDEN] ?? '');
}

const TABLE_ROW = /^\s*\|(.+)\|\s*$/;
/** Headings, quotations and items, also one inside the other. */
const BLOCK_MARKS = /^(?:\s*(?:#{1,6}(?:\s+|$)|>\s?|[-*+](?:\s+|$)|\d{1,9}[.)]\s+))+/;
/** The box of a task, the kind of a callout, or the number of a footnote before its text. */
const OPENING = /^\s*(?:\[[ xX]\]\s+|\[![\w-]+\][+-]?\s*|\[\^[^[\]]+\]:\s*)/;
/** Where a link by reference leads: an address, perhaps with a title. */
const DEFINITION = /^\s*\[[^[\]]+\]:\s*(?:<[^<>]*>|\S+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;
const ANY_MARK = /[\\`*_~=<&[]/;

const ESCAPE_OR_CODE = /\\([!-/:-@[-`{-~])|(?<!`)(`{1,3})(?!`)(.+?)(?<!`)\2(?!`)/g;
const AUTOLINK = /<((?:https?|ftp):\/\/[^\s<>]*|[^\s<>@/]+@[^\s<>@]+)>/gi;
const TAG = /<(?:[!?]|\/?([a-z][a-z\d]*)\b)[^<>]*>/gi;
const BREAKING_TAG = /^(?:br|p|div|h[1-6r]|li|[uo]l|t[dhr]|table|blockquote)$/i;
const FOOTNOTE = /\s?\[\^[^[\]\s]+\]/g;
/** Without brackets inside, so that a run of opening ones is not read again from each of them; an address may have (some). */
const LINK = /!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g;
/** Not the indices of `rows[0][1]`. */
const LINK_BY_REFERENCE = /(?<![\w\]])!?\[([^[\]]+)\]\[[^[\]]*\]/g;
const LINK_BY_TITLE = /!?\[\[(?:[^[\]|]*\|)?([^[\]]+)\]\]/g;
const EMPHASIS = [
  /\*\*(.+?)\*\*/g,
  /__(.+?)__/g,
  /~~(.+?)~~/g,
  /(?<![\w=])==(?=[^\s=])([^=]+)(?<!\s)==(?![\w=])/g,
  /(?<![\w*])\*(?![\s*])([^*]+)(?<!\s)\*(?![\w*])/g,
  /(?<!\w)_(?!\s)([^_]+)(?<!\s)_(?!\w)/g,
];
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi;
const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['copy', '©'],
  ['euro', '€'],
]);

function entityText(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED_ENTITIES.get(name) ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
}

/** A comment that is not closed within the line stays: each `<!--` would search the rest of the line for its end. */
function withoutComments(text: string): string {
  const end = text.lastIndexOf('-->') + 3;
  return end < 3 ? text : text.slice(0, end).replace(/<!--.*?-->/g, '') + text.slice(end);
}

/** Words of a line, or cells of a row of a table; empty for one of which a reader sees nothing. */
export function plainLine(line: string): string {
  const cells = TABLE_ROW.exec(line)?.[1];
  if (cells !== undefined)
    return cells
      .split(/(?<!\\)\|/)
      .map(plainLine)
      .filter(Boolean)
      .join(' · ');
  const unmarked = line.replace(BLOCK_MARKS, '');
  if (!ANY_MARK.test(unmarked)) return unmarked.trim();
  const words = unmarked.replace(OPENING, '');
  if (DEFINITION.test(words) && words === unmarked) return '';
  let text = words.replace(ESCAPE_OR_CODE, (_whole, escaped?: string, _ticks?: string, code = '') =>
    hide(escaped ?? code.trim()),
  );
  text = withoutComments(text)
    // A hard line break.
    .replace(/\\$/, '')
    .replace(AUTOLINK, (_whole, address: string) => hide(address))
    .replace(TAG, (_whole, name?: string) => (BREAKING_TAG.test(name ?? '') ? ' ' : ''))
    .replace(FOOTNOTE, '')
    .replace(LINK, '$1')
    .replace(LINK_BY_TITLE, '$1')
    .replace(LINK_BY_REFERENCE, '$1')
    // One around a picture.
    .replace(LINK, '$1');
  for (const emphasis of EMPHASIS) text = text.replace(emphasis, '$1');
  return unhide(text.replace(ENTITY, entityText)).replace(/\s+/g, ' ').trim();
}
