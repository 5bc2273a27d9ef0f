/**
 * Turns text into the terms that search compares: one folding and one tokenizer for the page, the worker and the server. It
 * depends on Unicode only, not on fields, queries or stores. Stored terms are not stemmed on purpose. Prefix search while
 * typing, quoted phrases, names, code and every language but English need the words as written, and Postgres' `simple`
 * configuration yields the same terms. Inflections of English words are added to the query instead: see `inflectionsOf` and
 * shared/search/stem.ts.
 */

/** Longest term, in UTF-16 units; longer words (base64, hashes) are truncated in documents and queries alike. */
export const TERM_MAX_LENGTH = 64;

const SEPARATOR = 1;
const LETTER = 2;
const IDEOGRAPH = 3;

const beyondAscii = /[\u0080-\uffff]/;
const combiningMarks = /[\u0300-\u036f]+/g;
const unfoldable = /[ßæœøđðłħıþς]/g;
// Vowel signs belong to words; the marks that only colour emoji (enclosing marks, variation selectors) do not.
const wordCharacter = /(?![\ufe00-\ufe0f])[\p{L}\p{N}\p{Mn}\p{Mc}]/u;
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

const foldings: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
};

// Class per UTF-16 unit, filled on first sight (0 = not yet seen): a table is ten times faster than a regular expression.
const classes = new Uint8Array(0x10000);

/** Normalizes spellings that a reader considers equal: compatibility forms, letter case and Latin diacritics. */
export function foldText(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  const plain = text.normalize('NFKC').toLowerCase().normalize('NFKD').replace(combiningMarks, '');
  return plain
    .toLowerCase()
    .replace(unfoldable, (letter) => foldings[letter] ?? letter)
    .normalize('NFKC');
}

/**
 * Terms of stored text in reading order; the index in the array is the position that phrases compare. Ideographs become
 * overlapping pairs, and the last of a run is also a term of its own, so that each one begins a term.
 */
export function termsOf(text: string): string[] {
  return collect(text, true);
}

/** Called for each term: the units of `source` from `start` to before `end`. */
export type TermVisitor = (source: string, start: number, end: number) => void;

/** As `termsOf`, without creating a string for each term: most words of a large index exist already. */
export function visitTerms(text: string, visit: TermVisitor): void {
  tokenise(foldText(text), true, visit);
}

/** Terms of typed text: as `termsOf`, without the lone last ideograph, which stored text may continue. */
export function queryTermsOf(text: string): string[] {
  return collect(text, false);
}

/** True for a term that consists of one ideograph: it matches all pairs that begin with it. */
export function isLoneIdeograph(term: string): boolean {
  const first = term.codePointAt(0) ?? 0;
  return term.length === unitsOf(first) && classOf(term, 0) === IDEOGRAPH;
}

/** Singular or plural of an English-looking word, so that `containers` finds `container`; never the word itself. */
export function inflectionsOf(term: string): string[] {
  if (term.length < 4 || !/^[a-z]+$/.test(term)) return [];
  if (/[^aeiou]ies$/.test(term)) return [`${term.slice(0, -3)}y`];
  if (/(?:s|x|z|ch|sh)es$/.test(term)) return [term.slice(0, -2), term.slice(0, -1)];
  if (/[^sui]s$/.test(term)) return [term.slice(0, -1)];
  if (/[^aeiou]y$/.test(term)) return [`${term.slice(0, -1)}ies`];
  return /(?:s|x|z|ch|sh)$/.test(term) ? [`${term}es`] : [`${term}s`];
}

function collect(text: string, stored: boolean): string[] {
  const terms: string[] = [];
  tokenise(foldText(text), stored, (source, start, end) => void terms.push(source.slice(start, end)));
  return terms;
}

function tokenise(text: string, stored: boolean, visit: TermVisitor): void {
  const end = text.length;
  let at = 0;
  while (at < end) {
    const kind = classOf(text, at);
    if (kind === SEPARATOR) {
      at += 1;
      continue;
    }
    const start = at;
    at = endOfRun(text, start, kind);
    if (kind === LETTER) visit(text, start, cutEnd(text, start, at));
    else visitPairs(text.slice(start, at), stored, visit);
  }
}

/** Where the letters of one kind end that begin at `start`. */
function endOfRun(text: string, start: number, kind: number): number {
  let at = start;
  while (at < text.length) {
    // Half of a pair has no class of its own, so a class that is known belongs to one unit.
    if (classes[text.charCodeAt(at)] === kind) at += 1;
    else if (classOf(text, at) === kind) at += stepAt(text, at);
    else break;
  }
  return at;
}

function visitPairs(run: string, stored: boolean, visit: TermVisitor): void {
  let start = 0;
  let middle = stepAt(run, 0);
  const isAlone = middle === run.length;
  while (middle < run.length) {
    const end = middle + stepAt(run, middle);
    visit(run, start, end);
    [start, middle] = [middle, end];
  }
  if (stored || isAlone) visit(run, start, run.length);
}

function cutEnd(text: string, start: number, end: number): number {
  if (end - start <= TERM_MAX_LENGTH) return end;
  const cut = start + TERM_MAX_LENGTH;
  const splitsPair = (text.charCodeAt(cut) & 0xfc00) === 0xdc00;
  return splitsPair ? cut - 1 : cut;
}

function classOf(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const known = classes[unit] ?? 0;
  if (known !== 0) return known;
  if ((unit & 0xf800) === 0xd800) return classify(String.fromCodePoint(text.codePointAt(at) ?? 0));
  const found = classify(String.fromCharCode(unit));
  classes[unit] = found;
  return found;
}

function classify(character: string): number {
  if (!wordCharacter.test(character)) return SEPARATOR;
  return ideograph.test(character) ? IDEOGRAPH : LETTER;
}

function stepAt(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 ? unitsOf(text.codePointAt(at) ?? 0) : 1;
}

function unitsOf(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}
