// Finds the sections of docs and posts for a query, best first. The index returns candidates by words; they are then ranked
// higher when they contain the exact query or have it as their heading. Pure, no page, no network.
import type MiniSearch from 'minisearch';
import type { SearchResult } from 'minisearch';
import type { SearchSection } from '#shared/site/content.ts';

/** A found section as the palette shows it. */
export interface FoundSection extends SearchSection {
  /** Words of the index that matched. */
  terms: string[];
}

/** Typing mistakes are forgiven in long words only: in short ones another word would be meant. */
const FUZZY_FROM = 6;
const FUZZY = 0.2;

/** Weights of a match by its position. */
const WORTH = {
  /** The exact query is in the text: an operator, a key, a path. */
  verbatim: 6,
  /** A heading is the question. */
  heading: 6,
  /** A page's name begins with the question; its beginning comes before its sections. */
  page: 20,
  /** Every word of the query is in the headings. */
  inHeadings: 2,
  /** The generated reference names every word of the API; it ranks below everything written for readers. */
  reference: 0.35,
} as const;

const REFERENCE = /^\/docs\/api\/reference/;

/** Lower case, single blanks. */
const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** The question between two places that are no part of a word: `is:archive` is not in `is:archived`. */
function standsIn(text: string, question: string): boolean {
  const isWordEnd = (at: number): boolean => !/[\p{L}\p{N}]/u.test(text.charAt(at));
  for (let at = text.indexOf(question); at >= 0; at = text.indexOf(question, at + 1)) {
    if ((at === 0 || isWordEnd(at - 1)) && isWordEnd(at + question.length)) return true;
  }
  return false;
}

function worthOf({ path, title, section, text }: FoundSection, question: string): number {
  // The reference comes first only for a query that contains an address of the API.
  if (REFERENCE.test(path) && !question.includes('/')) return WORTH.reference;
  let worth = 1;
  const [page, heading] = [plain(title), plain(section)];
  if (heading === '' && page.startsWith(question)) worth *= WORTH.page;
  if (heading === question) worth *= WORTH.heading;
  const headings = `${page} ${heading}`;
  if (question.split(' ').every((word) => headings.includes(word))) worth *= WORTH.inHeadings;
  if (standsIn(plain(text), question)) worth *= WORTH.verbatim;
  return worth;
}

function sectionOf(result: SearchResult): FoundSection {
  const textOf = (name: string): string => String(result[name]);
  return {
    id: String(result.id),
    path: textOf('path'),
    title: textOf('title'),
    section: textOf('section'),
    text: textOf('text'),
    terms: result.terms,
  };
}

/** All words first; a query that no section matches completely may match in part. */
export function rankSections(index: MiniSearch, query: string, most: number): FoundSection[] {
  const question = plain(query);
  const options = {
    prefix: (_term: string, place: number, terms: string[]) => place === terms.length - 1,
    fuzzy: (term: string) => (term.length < FUZZY_FROM ? false : FUZZY),
    weights: { fuzzy: 0.1, prefix: 0.3 },
  };
  const all = index.search(question, { ...options, combineWith: 'AND' });
  return (all.length > 0 ? all : index.search(question, options))
    .map((result) => {
      const section = sectionOf(result);
      return { section, score: result.score * worthOf(section, question) };
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ section }) => section);
}
