/**
 * Runs one search on one segment: processes the slots one after the other, the rarest first, scores with BM25 over weighted
 * counts and passes every match that can be shown to the collector. Resets the scratch memory afterwards.
 */
import { findPhrase } from './phrase-match.ts';
import { addCounts, addCountsAtStage, type Scratch, type TermUse } from './postings.ts';
import type { DocumentFilter } from './document-filter.ts';
import type { SlotPhrase } from './query-slots.ts';
import { docCountOf, type Segment } from './segment.ts';
import type { TopHits } from './top-hits.ts';

interface SegmentSlot {
  uses: readonly TermUse[];
  /** Inverse document frequency over the whole index. */
  idf: number;
  optional: boolean;
}

export interface SegmentSearch {
  segment: Segment;
  slots: readonly SegmentSlot[];
  /** Slot numbers in the order to meet them: required ones first, rare before frequent. */
  order: readonly number[];
  phrases: readonly SlotPhrase[];
  isAllowed: DocumentFilter;
  /** Mean weighted length of the documents of the whole index. */
  meanLength: number;
  /** Where all words are optional: which documents may not be left out. */
  near: NearBest;
}

/** Documents that reach this share of the best score, which is at least the known one, and `least` of the best anyway. */
export interface NearBest {
  share: number;
  least: number;
  bestKnown: number;
}

/** BM25's two constants as Robertson proposes them. */
export const BM25_K1 = 1.2;
export const BM25_B = 0.75;

/** Rarity of a term in `frequency` of `total` documents. */
export function inverseFrequency(frequency: number, total: number): number {
  const used = Math.min(frequency, total);
  return Math.log(1 + (total - used + 0.5) / (used + 0.5));
}

/** Adds every matching document with its score to the hits; where words may be missing, those near the best one. */
export function searchSegment(search: SegmentSearch, scratch: Scratch, hits: TopHits): void {
  const { segment, slots, order, phrases } = search;
  if (order.length === 0) return listDocuments(search, hits);
  const required = order.flatMap((number) => (slots[number]?.optional === false ? [slots[number]] : []));
  const [only] = required;
  if (only && order.length === 1) return searchOneSlot(search, only, scratch, hits);
  let stage = 0;
  for (const slot of required) {
    meetRequired(search, slot, scratch, stage);
    stage += 1;
    if (scratch.candidatesLength === 0) return;
  }
  for (const phrase of phrases) keepPhrase(search, phrase, scratch, stage);
  if (required.length < order.length) meetOptional(search, scratch, stage);
  const { candidates, scores, stages } = scratch;
  const least = leastScore(search, scratch);
  for (let index = 0; index < scratch.candidatesLength; index += 1) {
    const doc = candidates[index] ?? 0;
    const score = scores[doc] ?? 0;
    if (score >= least && score >= hits.threshold) hits.add(segment, doc, score);
    scores[doc] = 0;
    stages[doc] = 0;
  }
  hits.total += scratch.candidatesLength;
  scratch.candidatesLength = 0;
}

/** Everything that the filters allow; the order by date is the collector's. */
function listDocuments({ segment, isAllowed }: SegmentSearch, hits: TopHits): void {
  for (let doc = 0; doc < docCountOf(segment); doc += 1) {
    if (!isAllowed(doc)) continue;
    hits.total += 1;
    hits.add(segment, doc, 0);
  }
}

/** The short way for a single word, which is what most searches with very many matches are. */
function searchOneSlot(search: SegmentSearch, slot: SegmentSlot, scratch: Scratch, hits: TopHits): void {
  const { segment, isAllowed } = search;
  for (const use of slot.uses) addCounts(segment.data, use, scratch);
  const { counts, touched } = scratch;
  const { lengths } = segment.data;
  const { base, perLength } = lengthNorm(search);
  const gain = slot.idf * (BM25_K1 + 1);
  let matches = 0;
  for (let index = 0; index < scratch.touchedLength; index += 1) {
    const doc = touched[index] ?? 0;
    const count = counts[doc] ?? 0;
    counts[doc] = 0;
    if (!isAllowed(doc)) continue;
    matches += 1;
    const score = (gain * count) / (count + base + perLength * (lengths[doc] ?? 0));
    if (score >= hits.threshold) hits.add(segment, doc, score);
  }
  hits.total += matches;
  scratch.touchedLength = 0;
}

/** Narrows the candidates to documents that match the slot; the first slot also applies the filter. */
function meetRequired(search: SegmentSearch, slot: SegmentSlot, scratch: Scratch, stage: number): void {
  const { data } = search.segment;
  if (stage === 0) {
    for (const use of slot.uses) addCounts(data, use, scratch);
    admitTouched(search, slot, scratch);
    return;
  }
  for (const use of slot.uses) addCountsAtStage(data, use, scratch, stage);
  const { counts, candidates, scores, stages } = scratch;
  const { base, perLength } = lengthNorm(search);
  let kept = 0;
  for (let index = 0; index < scratch.candidatesLength; index += 1) {
    const doc = candidates[index] ?? 0;
    const count = counts[doc] ?? 0;
    if (count === 0) {
      stages[doc] = 0;
      scores[doc] = 0;
      continue;
    }
    counts[doc] = 0;
    stages[doc] = stage + 1;
    const norm = base + perLength * (data.lengths[doc] ?? 0);
    scores[doc] = (scores[doc] ?? 0) + (slot.idf * count * (BM25_K1 + 1)) / (count + norm);
    candidates[kept++] = doc;
  }
  scratch.candidatesLength = kept;
}

/** Makes candidates of the documents just touched, scores them, and forgets the counts. */
function admitTouched(search: SegmentSearch, slot: SegmentSlot, scratch: Scratch): void {
  const { counts, touched, candidates, scores, stages } = scratch;
  const { lengths } = search.segment.data;
  const { base, perLength } = lengthNorm(search);
  let length = scratch.candidatesLength;
  for (let index = 0; index < scratch.touchedLength; index += 1) {
    const doc = touched[index] ?? 0;
    const count = counts[doc] ?? 0;
    counts[doc] = 0;
    if (stages[doc] === 0) {
      if (!search.isAllowed(doc)) continue;
      stages[doc] = 1;
      candidates[length++] = doc;
    }
    const norm = base + perLength * (lengths[doc] ?? 0);
    scores[doc] = (scores[doc] ?? 0) + (slot.idf * count * (BM25_K1 + 1)) / (count + norm);
  }
  scratch.candidatesLength = length;
  scratch.touchedLength = 0;
}

/** Adds the scores of optional slots; a document must meet at least one of them. */
function meetOptional(search: SegmentSearch, scratch: Scratch, stage: number): void {
  const optional = search.order.flatMap((number) => {
    const slot = search.slots[number];
    return slot?.optional ? [slot] : [];
  });
  if (stage === 0) return meetAnyOf(search, optional, scratch);
  const met = new Set<number>();
  for (const slot of optional) addOptionalScores(search, slot, scratch, { stage, met });
  keepCandidates(scratch, (doc) => met.has(doc));
}

/**
 * Documents with any of the slots. Once those that are left cannot lift a new document near the best one any more, they
 * only add to documents already found (MaxScore: Turtle and Flood, Query evaluation: strategies and optimizations, 1995).
 */
function meetAnyOf(search: SegmentSearch, slots: readonly SegmentSlot[], scratch: Scratch): void {
  // Upper bound of a slot's score, whatever the number of occurrences.
  let reachable = slots.reduce((sum, { idf }) => sum + idf * (BM25_K1 + 1), 0);
  for (const slot of slots) {
    if (reachable < leastScore(search, scratch)) {
      addOptionalScores(search, slot, scratch, { stage: 1 });
    } else {
      for (const use of slot.uses) addCounts(search.segment.data, use, scratch);
      admitTouched(search, slot, scratch);
    }
    reachable -= slot.idf * (BM25_K1 + 1);
  }
}

/** Minimum score of a document to be returned, by the scores known so far. */
function leastScore({ near }: SegmentSearch, { candidates, candidatesLength, scores }: Scratch): number {
  if (near.share === 0) return 0;
  let best = near.bestKnown;
  // The best scores so far, the lowest of them first.
  const first = new Float64Array(near.least);
  for (let index = 0; index < candidatesLength; index += 1) {
    const score = scores[candidates[index] ?? 0] ?? 0;
    best = Math.max(best, score);
    if (score <= (first[0] ?? Infinity)) continue;
    first[0] = score;
    first.sort();
  }
  return Math.min(best * near.share, first[0] ?? Infinity);
}

/** Adds a slot's score to the candidates at the stage, and returns which of them match it. */
function addOptionalScores(
  search: SegmentSearch,
  slot: SegmentSlot,
  scratch: Scratch,
  { stage, met }: { stage: number; met?: Set<number> },
): void {
  const { data } = search.segment;
  for (const use of slot.uses) addCountsAtStage(data, use, scratch, stage);
  const { base, perLength } = lengthNorm(search);
  for (const doc of scratch.candidates.subarray(0, scratch.candidatesLength)) {
    const count = scratch.counts[doc] ?? 0;
    if (count === 0) continue;
    scratch.counts[doc] = 0;
    met?.add(doc);
    const norm = base + perLength * (data.lengths[doc] ?? 0);
    scratch.scores[doc] = (scratch.scores[doc] ?? 0) + (slot.idf * count * (BM25_K1 + 1)) / (count + norm);
  }
}

function keepPhrase(search: SegmentSearch, phrase: SlotPhrase, scratch: Scratch, stage: number): void {
  if (scratch.candidatesLength === 0) return;
  const fillings = phrase.slots.map((number) => search.slots[number]?.uses ?? []);
  const found = findPhrase(search.segment, phrase.group, fillings, (doc) => scratch.stages[doc] === stage);
  keepCandidates(scratch, (doc) => found.has(doc));
}

function keepCandidates(scratch: Scratch, isKept: (doc: number) => boolean): void {
  const { candidates, scores, stages } = scratch;
  let kept = 0;
  for (let index = 0; index < scratch.candidatesLength; index += 1) {
    const doc = candidates[index] ?? 0;
    if (isKept(doc)) {
      candidates[kept++] = doc;
    } else {
      stages[doc] = 0;
      scores[doc] = 0;
    }
  }
  scratch.candidatesLength = kept;
}

function lengthNorm({ meanLength }: SegmentSearch): { base: number; perLength: number } {
  return { base: BM25_K1 * (1 - BM25_B), perLength: (BM25_K1 * BM25_B) / Math.max(meanLength, 1) };
}
