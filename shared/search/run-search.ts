/**
 * One search over all segments. Several words must all match; while few memories have them all, the best of those that
 * have some are included by their score, as are misspellings of rare words. A single word is searched as typed, then
 * misspelt, and finally as a part of titles. A question tolerates more missing words, counts words that are used alike where
 * `WordVectors` are given, and is searched twice; see `relevance-feedback.ts`. Ranks across segments; `segment-search.ts`
 * reads postings.
 */
import { planSearch, type SearchPlan } from '../memories/search-plan.ts';
import type { HighlightWords } from '../memories/search-snippet.ts';
import { prepareFilter, type DocumentFilter, type SearchConditions } from './document-filter.ts';
import { facetTerm } from './search-document.ts';
import { createScratch, type Scratch, type TermUse } from './postings.ts';
import {
  fillSlot,
  frequencyOf,
  partSlotsOf,
  stemSlot,
  termSlot,
  slotsOf,
  type FuzzyChoice,
  type MatchMode,
  type Slot,
  type SlotPlan,
} from './query-slots.ts';
import { inverseFrequency, searchSegment, type NearBest } from './segment-search.ts';
import { docCountOf, idAt, type Segment } from './segment.ts';
import { termAt } from './term-table.ts';
import { subjectOf } from './question.ts';
import { feedbackWords, FEEDBACK } from './relevance-feedback.ts';
import { createTopHits, type RawHit } from './top-hits.ts';
import { CLEAR_LIKENESS, COMPARED_MAX, type WordVectors } from './word-vectors.ts';

/** Options of a search beside the query, as plain data. */
export interface SearchRequest extends SearchConditions {
  /** Most hits wanted, default 50; the total counts all. */
  limit?: number;
  /** How far to go when little is found, default all the way. */
  widest?: MatchMode;
}

/** A request within one thread, where a function may decide too. */
export interface SearchOptions extends SearchRequest {
  /** A final check of each match, which may depend on its segment; called for each one, so it should be fast. */
  isAllowed?: (id: string, segment: Segment) => boolean;
  /** With them a question finds also what says the same in other words. */
  wordVectors?: WordVectors | undefined;
}

export interface SearchHit {
  id: string;
  /** Comparable within one result and one `match` only. */
  score: number;
  /** How it matched: every word, every word with misspellings, or some words. */
  match: MatchMode;
}

/** Hits are ordered best first. */
export interface SearchResult {
  hits: SearchHit[];
  total: number;
  highlight: HighlightWords;
}

/**
 * With fewer memories than this that have all words as typed, those that have some of them, or have them misspelt, are shown
 * too; a word in fewer memories is treated as a typo.
 */
const FEW_HITS = 3;
const EVERYTHING: NearBest = { share: 0, least: 0, bestKnown: 0 };
/** A memory that lacks words must score at least this share of the best one. */
const NEAR = { share: 0.5, least: 0 } as const;
/** The same for questions, where many memories may be relevant: the first ten are shown whatever their score. */
const QUESTION = { share: 0.25, least: 10 } as const;
/** One that was only found by words that the best memories share must score this share of the best one. */
const FAINT = 0.07;
/** Upper bound of partial matches, more than a person looks through. */
const NEAR_LIMIT = 500;
const LIMIT_DEFAULT = 50;

// One search runs at a time, and it resets the scratch: so one is enough for all indexes of the thread.
let scratch: Scratch = createScratch(1024);

/** Runs a search on segments; documents are unique among the valid and allowed ones of all segments. */
export function runSearch(
  segments: readonly Segment[],
  plan: SearchPlan,
  options: SearchOptions,
): SearchResult {
  const { widest = 'part', limit = LIMIT_DEFAULT } = options;
  const subject = widest === 'any' || widest === 'part' ? subjectOf(plan) : undefined;
  const found = subject ? searchQuestion(segments, subject, options) : searchWords(segments, plan, options);
  if (found.total > 0 || widest !== 'part' || plan.required.length === 0) return found;
  const slots = partSlotsOf(plan);
  if (slots.length === 0) return found;
  return searchInMode(segments, { slots, phrases: [], plan, mode: 'part', limit, near: EVERYTHING }, options);
}

function searchWords(segments: readonly Segment[], plan: SearchPlan, options: SearchOptions): SearchResult {
  const { widest = 'part', limit = LIMIT_DEFAULT } = options;
  const run = (mode: MatchMode, isFuzzy: FuzzyChoice, bounds: Bounds = { limit, near: EVERYTHING }) =>
    searchInMode(segments, { ...slotsOf(plan, mode, isFuzzy), plan, mode, ...bounds }, options);
  const exact = run('all', () => false);
  if (exact.total >= FEW_HITS || widest === 'all' || plan.required.length === 0) return exact;
  // A word that hardly occurs is the likely slip; only when there is none may every word be one.
  const isRare: FuzzyChoice = (slot) => (exact.frequencies[slot] ?? 0) < FEW_HITS;
  const mayLack = plan.required.length > 1 && plan.required.some((group) => !group.exact);
  if (widest !== 'fuzzy' && mayLack) {
    // Words that occur together somewhere are no typos. Misspellings would make every score smaller than the known one.
    const bestKnown = exact.hits[0]?.score ?? 0;
    const isSlip: FuzzyChoice = exact.total > 0 ? () => false : isRare;
    const bounds = { limit: NEAR_LIMIT, near: { ...NEAR, bestKnown } };
    return near(exact, run('any', isSlip, bounds), limit, NEAR);
  }
  const someRare = exact.frequencies.some((_, slot) => isRare(slot));
  if (exact.total > 0 && !someRare) return exact;
  const slips = someRare ? run('fuzzy', isRare) : run('fuzzy', () => true);
  const fuzzy = slips.total === 0 && someRare ? run('fuzzy', () => true) : slips;
  return append(exact, fuzzy, limit);
}

/** Any of the words in all of their forms, and then once more with the words that the best memories share. */
function searchQuestion(
  segments: readonly Segment[],
  plan: SearchPlan,
  options: SearchOptions,
): SearchResult {
  const { limit = LIMIT_DEFAULT } = options;
  const whole = { ...slotsOf(plan, 'all', () => false), plan, mode: 'all' as const, limit, near: EVERYTHING };
  const exact = searchInMode(segments, whole, options);
  // A rare word says most in a question, so only one without any match is treated as a typo, unless it is a word.
  const isWord = (slot: number) => options.wordVectors?.has(whole.slots[slot]?.stem ?? '');
  const isSlip: FuzzyChoice = (slot) => exact.frequencies[slot] === 0 && !isWord(slot);
  const { slots: asked, phrases } = slotsOf(plan, 'any', isSlip);
  const search = {
    phrases,
    plan,
    mode: 'any' as const,
    limit: NEAR_LIMIT,
    near: { ...QUESTION, bestKnown: 0 },
  };
  const slots = withSimilar(asked, exact.frequencies, options.wordVectors);
  const first = searchClear(segments, { ...search, slots }, options);
  const best = first.raw.slice(0, FEEDBACK.documents);
  if (best.length === 0) return near(exact, first, limit, QUESTION);
  const words = feedbackWords(best, segments, slots.length);
  const weights = new Map(words.map(({ stem, weight }) => [stem, weight]));
  const weighed = slots.map((slot) => ({
    ...slot,
    weight: slot.weight + (weights.get(slot.stem ?? '') ?? 0),
  }));
  const stems = new Set(slots.map(({ stem }) => stem));
  const added = words.flatMap(({ stem, weight }) => (stems.has(stem) ? [] : [stemSlot(stem, weight)]));
  const bestKnown = first.raw[0]?.score ?? 0;
  const again = { ...search, slots: [...weighed, ...added], near: { ...QUESTION, bestKnown } };
  const second = searchInMode(segments, again, options);
  const faint = FAINT * (second.hits[0]?.score ?? 0);
  const kept = second.hits.filter(({ id, score }) => score >= faint || first.clear.has(id));
  const found = { ...second, hits: withFirst(kept, first.hits[0]), highlight: first.highlight };
  return near(exact, found, limit, QUESTION);
}

/** What a word that is used exactly like one of the question counts: more where no memory has that one. */
const SIMILAR_FACTORS = { found: 0.2, missing: 0.4 } as const;

/** Slots for which words that are used alike count too; words that are in the question count for themselves. */
function withSimilar(
  slots: Slot[],
  frequencies: readonly number[],
  vectors: WordVectors | undefined,
): Slot[] {
  if (!vectors) return slots;
  const stems = new Set(slots.map(({ stem }) => stem));
  return slots.map((slot, place) => {
    const factor = frequencies[place] === 0 ? SIMILAR_FACTORS.missing : SIMILAR_FACTORS.found;
    const words = slot.stem === undefined || place >= COMPARED_MAX ? [] : vectors.similarTo(slot.stem);
    const similar = words
      .filter(({ stem }) => !stems.has(stem))
      .map((word) => ({ ...word, factor: factor * word.likeness }));
    return { ...slot, similar };
  });
}

/** A memory that has neither a word of the question nor one clearly like it must say this share of it in other words. */
const OTHER_WORDS_SHARE = 0.13;

/** Without the memories in which only faintly similar words are, and few of them. */
function searchClear(
  segments: readonly Segment[],
  search: ModeSearch,
  options: SearchOptions,
): ModeResult & { clear: ReadonlySet<string> } {
  const wide = searchInMode(segments, search, options);
  if (!options.wordVectors) return { ...wide, clear: new Set(wide.hits.map(({ id }) => id)) };
  const slots = search.slots.map((slot) => ({
    ...slot,
    similar: slot.similar.filter(({ likeness }) => likeness >= CLEAR_LIKENESS),
  }));
  const clear = new Set(searchInMode(segments, { ...search, slots }, options).hits.map(({ id }) => id));
  const floor = OTHER_WORDS_SHARE * wide.impacts.reduce((sum, impact) => sum + impact, 0);
  const kept = wide.hits.map(({ id, score }) => clear.has(id) || score >= floor);
  const hits = wide.hits.filter((_, place) => kept[place]);
  return { ...wide, hits, raw: wide.raw.filter((_, place) => kept[place]), total: hits.length, clear };
}

/** Keeps the best match of the original query first: feedback only orders the others, and may be wrong. */
function withFirst(hits: readonly SearchHit[], first: SearchHit | undefined): SearchHit[] {
  const others = hits.filter(({ id }) => id !== first?.id);
  return first ? [{ ...first, score: hits[0]?.score ?? first.score }, ...others] : others;
}

/** Of the memories that have any of the words those that come near the best one, and all that have every word. */
function near(
  exact: SearchResult,
  loose: SearchResult,
  limit: number,
  { share, least }: Omit<NearBest, 'bestKnown'>,
): SearchResult {
  const floor = (loose.hits[0]?.score ?? 0) * share;
  const whole = new Set(exact.hits.map(({ id }) => id));
  const close = loose.hits.filter(({ score }, place) => place < least || score >= floor);
  const hits = close.map((hit) => (whole.has(hit.id) ? { ...hit, match: 'all' as const } : hit));
  const found = new Set(close.map(({ id }) => id));
  hits.push(...exact.hits.filter(({ id }) => !found.has(id)));
  return { ...loose, hits: hits.slice(0, limit), total: hits.length };
}

function append(exact: SearchResult, fuzzy: SearchResult, limit: number): SearchResult {
  const known = new Set(exact.hits.map((hit) => hit.id));
  const more = fuzzy.hits.filter((hit) => !known.has(hit.id));
  return { ...fuzzy, hits: [...exact.hits, ...more].slice(0, limit) };
}

/** A memory with less than this share of another's terms is not about the same subject. */
const RELATED_SHARE = 0.15;
/** Weight of a shared tag; all shared words together weigh 2/3. */
const TAG_WEIGHT = 0.2;

/** Documents that share tags and distinctive words with one of them, best first; itself is not among them. */
export function runRelated(
  segments: readonly Segment[],
  { segment, doc }: Pick<RawHit, 'segment' | 'doc'>,
  { tags, limit }: { tags: readonly string[]; limit: number },
): SearchHit[] {
  const id = idAt(segment, doc);
  const words = feedbackWords([{ segment, doc, score: 1 }], segments, 1);
  const slots = [
    ...words.map(({ stem, weight }) => stemSlot(stem, weight)),
    ...tags.map((tag) => termSlot(facetTerm('tag', tag), TAG_WEIGHT)),
  ];
  if (slots.length === 0) return [];
  const plan = planSearch([]);
  const bounds = { near: { bestKnown: 0, share: RELATED_SHARE, least: 0 }, limit: limit + 1 };
  const { hits } = searchInMode(segments, { slots, phrases: [], plan, mode: 'any', ...bounds }, {});
  const floor = (hits[0]?.score ?? 0) * RELATED_SHARE;
  return hits.filter((hit) => hit.id !== id && hit.score >= floor).slice(0, limit);
}

interface Bounds {
  limit: number;
  near: NearBest;
}

interface ModeSearch extends SlotPlan, Bounds {
  plan: SearchPlan;
  mode: MatchMode;
}

interface ModeResult extends SearchResult {
  /** The hits with document numbers instead of ids. */
  raw: RawHit[];
  /** Documents per slot, before the slots are merged. */
  frequencies: number[];
  /** What each slot adds to the score of a document of mean length that has its word once. */
  impacts: number[];
}

function searchInMode(
  segments: readonly Segment[],
  { slots, phrases, plan, mode, limit, near }: ModeSearch,
  options: SearchOptions,
): ModeResult {
  const total = segments.reduce((sum, segment) => sum + segment.liveCount, 0);
  const meanLength = segments.reduce((sum, segment) => sum + segment.liveLength, 0) / Math.max(total, 1);
  const fillings = segments.map((segment) => slots.map((slot) => fillSlot(segment, slot)));
  const frequencies = slots.map((_, slot) =>
    segments.reduce((sum, segment, index) => sum + frequencyOf(segment, fillings[index]?.[slot] ?? []), 0),
  );
  const impacts = slots.map(({ weight }, slot) => weight * inverseFrequency(frequencies[slot] ?? 0, total));
  const impactOf = (slot: number): number => impacts[slot] ?? 0;
  const order = slots.map((_, slot) => slot).sort((one, other) => impactOf(other) - impactOf(one));
  const top = createTopHits(limit);
  segments.forEach((segment, index) => {
    const filled = slots.map(({ optional }, slot) => ({
      uses: fillings[index]?.[slot] ?? [],
      idf: impactOf(slot),
      optional,
    }));
    if (filled.some((slot) => !slot.optional && slot.uses.length === 0)) return;
    reserveScratch(docCountOf(segment));
    const isAllowed = filterOf(segment, plan, options);
    const search = { segment, slots: filled, order, phrases, isAllowed, meanLength, near };
    withCleanScratch(() => searchSegment(search, scratch, top));
  });
  const raw = top.best();
  const hits = raw.map(({ segment, doc, score }) => ({ id: idAt(segment, doc), score, match: mode }));
  return {
    hits,
    raw,
    total: top.total,
    highlight: highlightOf(segments, slots, fillings),
    frequencies,
    impacts,
  };
}

function filterOf(segment: Segment, plan: SearchPlan, options: SearchOptions): DocumentFilter {
  const filter = prepareFilter(segment, plan, options, scratch);
  const { isAllowed } = options;
  return isAllowed ? (doc) => filter(doc) && isAllowed(idAt(segment, doc), segment) : filter;
}

/** The words of the query, and those of the index that matched instead; completions are recognised by their prefix. */
function highlightOf(
  segments: readonly Segment[],
  slots: readonly Slot[],
  fillings: readonly (readonly TermUse[][])[],
): HighlightWords {
  const words = new Set(slots.flatMap((slot) => slot.alternatives));
  segments.forEach(({ data }, index) => {
    for (const use of fillings[index]?.flat() ?? []) {
      if (use.fullLength === 0 && use.likeness >= CLEAR_LIKENESS) words.add(termAt(data, use.first));
    }
  });
  const prefixes = slots.flatMap((slot) => (slot.prefix ? slot.alternatives.slice(0, 1) : []));
  return { words: [...words], prefixes };
}

// A caller's check may throw half-way and leave the scratch dirty: the next search must not see that.
function withCleanScratch(search: () => void): void {
  let finished = false;
  try {
    search();
    finished = true;
  } finally {
    if (!finished) scratch = createScratch(scratch.scores.length);
  }
}

function reserveScratch(docCount: number): void {
  if (scratch.scores.length < docCount) scratch = createScratch(Math.ceil(docCount * 1.25));
}
