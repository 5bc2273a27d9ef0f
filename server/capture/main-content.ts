// Main content of a page, as HTML: without menus, advertisements and lists of other articles. Two extractors process it. Where
// they agree the shorter result is used, because text in only one of them is mostly clutter; where they do not, Readability's,
// which misses the article less often. Figures: tests/bench/extraction.bench.ts.
import { Readability } from '@mozilla/readability';
import { Defuddle, type DefuddleOptions, type DefuddleResponse } from 'defuddle/node';
import { parseHTML } from 'linkedom';

/** Part of each answer that the other must hold, in runs of four words. */
const AGREEMENT = 0.8;
const RUN = 4;
/** A page with more elements is not shown to the slower extractor. */
const ELEMENTS_MAX = 30_000;
/** Words beside its links from which a page is an article, and not a list of links. */
const PROSE_MIN = 100;
/** A block of links to other pages of the site: at most this many words, and at least this share of them linked. */
const LINK_BLOCK_WORDS = 60;
const LINK_BLOCK_SHARE = 0.7;
const BLOCKS = 'p, ul, ol, h2, h3, h4, h5, h6, div, section, aside';

/** Metadata of a page, and its main content in Markdown. */
export interface MainContent extends DefuddleResponse {
  contentMarkdown: string;
}

/** Undefined for a document that no extractor can work on. */
export async function mainContent(html: string, url: string): Promise<MainContent | undefined> {
  const found = await defuddled(html, url, {});
  if (found === undefined) return undefined;
  // An extractor written for the site beats a generic one.
  const read = found.extractorType === undefined ? readable(html) : undefined;
  const { document } = parseHTML(`<html><body>${chosen(found.content, read)}</body></html>`);
  removeLinkBlocks(document.body, url);
  // Everything left is content; this only normalizes code, footnotes and tables.
  const kept = await defuddled(document.toString(), url, { ...KEEP_ALL, separateMarkdown: true });
  return { ...found, contentMarkdown: kept?.contentMarkdown ?? '' };
}

const KEEP_ALL: DefuddleOptions = {
  contentSelector: 'body',
  removeExactSelectors: false,
  removePartialSelectors: false,
  removeHiddenElements: false,
  removeLowScoring: false,
  removeContentPatterns: false,
};

async function defuddled(
  html: string,
  url: string,
  options: DefuddleOptions,
): Promise<DefuddleResponse | undefined> {
  const { document } = parseHTML(html);
  try {
    return await Defuddle(document, url, {
      useAsync: false,
      fetch: refuseToFetch,
      ...options,
    });
  } catch (error) {
    console.info('page: the extractor gave up', error);
    return undefined;
  }
}

const refuseToFetch = (): Promise<never> => Promise.reject(new Error('Extraction loads nothing'));

function readable(html: string): string | undefined {
  const { document } = parseHTML(html);
  try {
    return new Readability(document, { maxElemsToParse: ELEMENTS_MAX }).parse()?.content ?? undefined;
  } catch (error) {
    console.info('page: the second extractor gave up', error);
    return undefined;
  }
}

function chosen(one: string, other: string | undefined): string {
  if (other === undefined) return one;
  const ones = bodyOf(one);
  const others = bodyOf(other);
  const oneRuns = runsOf(ones.textContent);
  const otherRuns = runsOf(others.textContent);
  if (otherRuns.size === 0) return one;
  const both = [...oneRuns].filter((run) => otherRuns.has(run)).length;
  if (both < AGREEMENT * oneRuns.size || both < AGREEMENT * otherRuns.size) return other;
  const [short, long, shortHtml, longHtml] =
    ones.textContent.length < others.textContent.length
      ? [ones, others, one, other]
      : [others, ones, other, one];
  // A table or a program is no clutter.
  return ['table', 'pre'].some(
    (kind) => long.querySelectorAll(kind).length > short.querySelectorAll(kind).length,
  )
    ? longHtml
    : shortHtml;
}

function bodyOf(html: string) {
  return parseHTML(`<html><body>${html}</body></html>`).document.body;
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** Every run of four words, once; all words as one run when there are fewer. */
function runsOf(text: string): Set<string> {
  const words = wordsOf(text);
  if (words.length === 0) return new Set();
  const count = Math.max(1, words.length - RUN + 1);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + RUN).join(' ')));
}

/** "Read more", "Related" and the like, in an article with other content; links to other sites are sources, and stay. */
function removeLinkBlocks(body: ReturnType<typeof bodyOf>, url: string): void {
  const { all, linked } = countWords(body);
  if (all - linked < PROSE_MIN || linked > all / 2) return;
  const site = URL.parse(url)?.hostname;
  // Innermost first: the rest of a block without its links is checked again.
  for (const block of [...body.querySelectorAll(BLOCKS)].toReversed()) {
    if (block.closest('table, pre, figure') !== null) continue;
    const counts = countWords(block);
    if (counts.all === 0 || counts.all > LINK_BLOCK_WORDS || counts.linked < LINK_BLOCK_SHARE * counts.all)
      continue;
    const targets = [...block.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');
    const isOwn = (target: string) => !target.startsWith('#') && URL.parse(target, url)?.hostname === site;
    if (targets.every(isOwn)) block.remove();
  }
}

function countWords(element: Pick<ReturnType<typeof bodyOf>, 'textContent' | 'querySelectorAll'>): {
  all: number;
  linked: number;
} {
  const links = [...element.querySelectorAll('a')];
  const linked = links.reduce((sum, link) => sum + wordsOf(link.textContent).length, 0);
  return { all: wordsOf(element.textContent).length, linked };
}
