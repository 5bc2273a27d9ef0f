/**
 * One search over all segments. Of several words all must be there; while few memories have them all, the best of those
 * that have some stand among them by their score, misspellings of rare words included. A single word is looked for as
 * typed, then misspelt. Knows ranking across segments; postings are read by `segment-search.ts`.
 */
import type { SearchPlan } from '#shared/memories/search-plan.ts';
import type { HighlightWords } from '#shared/memories/search-snippet.ts';
import { prepareFilter, type DocumentFilter, type SearchConditions } from './document-filter.ts';
import { createScratch, type Scratch, type TermUse } from './postings.ts';
import {
  fillSlot,
  frequencyOf,
  slotsOf,
  type FuzzyChoice,
  type MatchMode,
  type Slot,
  type SlotPlan,
} from './query-slots.ts';
import { inverseFrequency, searchSegment } from './segment-search.ts';
import { docCountOf, idAt, type Segment } from './segment.ts';
import { termAt } from './term-table.ts';
import { createTopHits } from './top-hits.ts';

/** What a caller may ask beside the query, as plain data. */
export interface SearchRequest extends SearchConditions {
  /** Most hits wanted, default 50; the total counts all. */
  limit?: number;
  /** How far to go when little is found, default `any`. */
  widest?: MatchMode;
}

/** A request within one thread, where a function may decide too. */
export interface SearchOptions extends SearchRequest {
  /** A last word on every match; asked for each, so it should be quick. */
  isAllowed?: (id: string) => boolean;
}

/** A found memory. */
export interface SearchHit {
  id: string;
  /** Comparable within one result and one `match` only. */
  score: number;
  /** How it matched: every word, every word with misspellings, or some words. */
  match: MatchMode;
}

/** What was found, best first. */
export interface SearchResult {
  hits: SearchHit[];
  total: number;
  highlight: HighlightWords;
}

/**
 * With fewer memories than this that have all words as typed, those that have some of them, or have them misspelt, are
 * shown too; a word in fewer memories is taken for a slip (decision 0125).
 */
const FEW_HITS = 3;
/** A memory that lacks words must score at least this share of the best one. */
const NEAR_SHARE = 0.5;
/** More near matches than anybody looks through. */
const NEAR_LIMIT = 500;
const LIMIT_DEFAULT = 50;

// One search runs at a time, and it leaves the scratch clean: so one is enough for all indexes of the thread.
let scratch: Scratch = createScratch(1024);

/** Runs a search on segments; documents are unique among the valid ones of all segments. */
export function runSearch(
  segments: readonly Segment[],
  plan: SearchPlan,
  options: SearchOptions,
): SearchResult {
  const { widest = 'any', limit = LIMIT_DEFAULT } = options;
  const run = (mode: MatchMode, isFuzzy: FuzzyChoice, bounds: Partial<Bounds> = {}): ModeResult =>
    searchInMode(
      segments,
      { ...slotsOf(plan, mode, isFuzzy), plan, mode, bestKnown: 0, limit, ...bounds },
      options,
    );
  const exact = run('all', () => false);
  if (exact.total >= FEW_HITS || widest === 'all' || plan.required.length === 0) return exact;
  // A word that hardly occurs is the likely slip; only when there is none may every word be one.
  const isRare: FuzzyChoice = (slot) => (exact.frequencies[slot] ?? 0) < FEW_HITS;
  const mayLack = plan.required.length > 1 && plan.required.some((group) => !group.exact);
  if (widest === 'any' && mayLack) {
    // Words that stand together somewhere are no slips. Misspellings would make every score smaller than the known one.
    const bestKnown = exact.hits[0]?.score ?? 0;
    const isSlip: FuzzyChoice = exact.total > 0 ? () => false : isRare;
    return near(exact, run('any', isSlip, { bestKnown, limit: NEAR_LIMIT }), limit);
  }
  const someRare = exact.frequencies.some((_, slot) => isRare(slot));
  if (exact.total > 0 && !someRare) return exact;
  const slips = someRare ? run('fuzzy', isRare) : run('fuzzy', () => true);
  const fuzzy = slips.total === 0 && someRare ? run('fuzzy', () => true) : slips;
  return append(exact, fuzzy, limit);
}

/** Of the memories that have any of the words those that come near the best one, and all that have every word. */
function near(exact: SearchResult, loose: SearchResult, limit: number): SearchResult {
  const floor = (loose.hits[0]?.score ?? 0) * NEAR_SHARE;
  const whole = new Set(exact.hits.map(({ id }) => id));
  const close = loose.hits.filter(({ score }) => score >= floor);
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

interface Bounds {
  /** Most hits to keep. */
  limit: number;
  /** A score that the best hit has at least. */
  bestKnown: number;
}

interface ModeSearch extends SlotPlan, Bounds {
  plan: SearchPlan;
  mode: MatchMode;
}

interface ModeResult extends SearchResult {
  /** Documents per slot, before the slots are brought together. */
  frequencies: number[];
}

function searchInMode(
  segments: readonly Segment[],
  { slots, phrases, plan, mode, limit, bestKnown }: ModeSearch,
  options: SearchOptions,
): ModeResult {
  const total = segments.reduce((sum, segment) => sum + segment.liveCount, 0);
  const meanLength = segments.reduce((sum, segment) => sum + segment.liveLength, 0) / Math.max(total, 1);
  const fillings = segments.map((segment) => slots.map((slot) => fillSlot(segment, slot)));
  const frequencies = slots.map((_, slot) =>
    segments.reduce((sum, segment, index) => sum + frequencyOf(segment, fillings[index]?.[slot] ?? []), 0),
  );
  const order = slots
    .map((_, slot) => slot)
    .sort((one, other) => (frequencies[one] ?? 0) - (frequencies[other] ?? 0));
  const top = createTopHits(limit);
  segments.forEach((segment, index) => {
    const filled = slots.map(({ optional }, slot) => ({
      uses: fillings[index]?.[slot] ?? [],
      idf: inverseFrequency(frequencies[slot] ?? 0, total),
      optional,
    }));
    if (filled.some((slot) => !slot.optional && slot.uses.length === 0)) return;
    reserveScratch(docCountOf(segment));
    const isAllowed = filterOf(segment, plan, options);
    const near = { share: mode === 'any' ? NEAR_SHARE : 0, bestKnown };
    const search = { segment, slots: filled, order, phrases, isAllowed, meanLength, near };
    withCleanScratch(() => searchSegment(search, scratch, top));
  });
  const hits = top.best().map(({ segment, doc, score }) => ({ id: idAt(segment, doc), score, match: mode }));
  return { hits, total: top.total, highlight: highlightOf(segments, slots, fillings), frequencies };
}

function filterOf(segment: Segment, plan: SearchPlan, options: SearchOptions): DocumentFilter {
  const filter = prepareFilter(segment, plan, options, scratch);
  const { isAllowed } = options;
  return isAllowed ? (doc) => filter(doc) && isAllowed(idAt(segment, doc)) : filter;
}

/** The words asked for, and those of the index that took their place; completions are told by their beginning. */
function highlightOf(
  segments: readonly Segment[],
  slots: readonly Slot[],
  fillings: readonly (readonly TermUse[][])[],
): HighlightWords {
  const words = new Set(slots.flatMap((slot) => slot.alternatives));
  segments.forEach(({ data }, index) => {
    for (const use of fillings[index]?.flat() ?? []) {
      if (use.fullLength === 0) words.add(termAt(data, use.first));
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
