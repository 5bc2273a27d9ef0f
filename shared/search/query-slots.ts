/**
 * Turns a search plan into slots, one for each term of the query, and finds the terms of a segment that match them.
 * Knows factors and inflections; does not read postings.
 */
import { alternativesOf, type SearchPlan, type TermGroup } from '../memories/search-plan.ts';
import { findFuzzyTerms, findPartTerms } from './fuzzy-terms.ts';
import type { TermUse } from './postings.ts';
import { IN_TITLE, IN_URL, type Segment, type TermData } from './segment.ts';
import { stemOf } from './stem.ts';
import { findTerm, prefixRange, termAt, termLength } from './term-table.ts';
import type { SimilarWord } from './word-vectors.ts';

/** How loosely a search may match: words as typed, also misspelt, any of the words, or parts of titles. */
export const MATCH_MODES = ['all', 'fuzzy', 'any', 'part'] as const;
export type MatchMode = (typeof MATCH_MODES)[number];

export interface Slot {
  /** The term itself first, then its inflections. */
  alternatives: string[];
  prefix: boolean;
  fuzzy: boolean;
  /** Only terms that contain the word anywhere count. */
  part: boolean;
  /** All forms of the word count: terms of the same stem. */
  stem: string | undefined;
  /** Words that count for it too, each with its factor. */
  similar: readonly (SimilarWord & { factor: number })[];
  /** Weight relative to others of weight 1. */
  weight: number;
  /** Posting flag that must be set, 0 for none. */
  mask: number;
  /** A document may lack it (mode `any`). */
  optional: boolean;
}

/** A group of several terms with the numbers of their slots; documents must hold them side by side. */
export interface SlotPhrase {
  group: TermGroup;
  slots: number[];
}

export interface SlotPlan {
  slots: Slot[];
  phrases: SlotPhrase[];
}

const INFLECTION_FACTOR = 0.9;
const PREFIX_FACTOR = 0.8;
const FUZZY_FACTORS = [1, 0.5, 0.3];
/** Shorter parts are in too many words. */
const PART_MIN = 3;
/** The most that a form adds to its stem. */
const ENDING_MAX = 4;
const MASKS = { any: 0, title: IN_TITLE, url: IN_URL };

/** Whether misspellings of the slot of this number count as well. */
export type FuzzyChoice = (slot: number) => boolean;

/** Slots of the required groups; in mode `any` plain words may be missing, operators and quoted text may not. */
export function slotsOf(plan: SearchPlan, mode: MatchMode, isFuzzy: FuzzyChoice): SlotPlan {
  const slots: Slot[] = [];
  const phrases: SlotPhrase[] = [];
  for (const group of plan.required) {
    const optional = mode === 'any' && !group.exact;
    const numbers = group.terms.map((_, index) => {
      const fuzzy = isPlain(group) && isFuzzy(slots.length);
      return slots.push({ ...slotOf(group, index), fuzzy, optional }) - 1;
    });
    if (numbers.length > 1 && !optional) phrases.push({ group, slots: numbers });
  }
  return { slots, phrases };
}

/** A single unquoted word: its inflections and misspellings match too. */
function isPlain({ terms, exact }: TermGroup): boolean {
  return terms.length === 1 && !exact;
}

/** Slots for words as parts of words in titles; none when that would mean too many or a word must be as written. */
export function partSlotsOf(plan: SearchPlan): Slot[] {
  const words = plan.required.flatMap((group) => group.terms);
  if (plan.required.some((group) => group.exact) || words.some((word) => word.length < PART_MIN)) return [];
  return plan.required.flatMap((group) =>
    group.terms.map((_, index) => ({ ...slotOf(group, index), prefix: false, part: true, mask: IN_TITLE })),
  );
}

/** A slot for one term as it is, which documents may lack. */
export function termSlot(term: string, weight: number): Slot {
  return { ...stemSlot('', weight), alternatives: [term], stem: undefined };
}

/** A slot for all forms of a word that documents may lack. */
export function stemSlot(stem: string, weight: number): Slot {
  return {
    alternatives: [],
    prefix: false,
    fuzzy: false,
    part: false,
    stem,
    similar: [],
    weight,
    mask: 0,
    optional: true,
  };
}

/** Slot for one term of a group, required and without misspellings. */
export function slotOf(group: TermGroup, index: number): Slot {
  return {
    alternatives: group.terms.length === 1 ? alternativesOf(group) : group.terms.slice(index, index + 1),
    prefix: group.prefix && index === group.terms.length - 1,
    fuzzy: false,
    part: false,
    stem: isPlain(group) ? stemOf(group.terms[index] ?? '') : undefined,
    similar: [],
    weight: 1,
    mask: MASKS[group.field],
    optional: false,
  };
}

/** The terms of a segment that fill a slot, each once, with the factor by which its occurrences count. */
export function fillSlot(segment: Segment, slot: Slot): TermUse[] {
  const { data } = segment;
  const [typed = ''] = slot.alternatives;
  if (slot.part) return findPartTerms(data, typed).map((term) => singleTerm(term, 1, slot.mask));
  const uses: TermUse[] = [];
  slot.alternatives.forEach((alternative, index) => {
    // The completions already include every alternative that begins like the word.
    if (slot.prefix && index > 0 && alternative.startsWith(typed)) return;
    const term = findTerm(data, alternative);
    if (term !== -1) uses.push(singleTerm(term, index === 0 ? 1 : INFLECTION_FACTOR, slot.mask));
  });
  const completions = slot.prefix ? completionsOf(data, typed, slot.mask) : undefined;
  if (completions) uses.push(completions);
  const formFactor = uses.length === 0 ? 1 : INFLECTION_FACTOR;
  if (slot.stem !== undefined) addForms(data, slot.stem, uses, { factor: formFactor, mask: slot.mask });
  if (slot.fuzzy) addMisspellings(data, typed, slot.mask, uses);
  for (const { stem, factor, likeness } of slot.similar)
    addForms(data, stem, uses, { factor, mask: slot.mask, likeness });
  return uses;
}

export function singleTerm(term: number, factor: number, mask: number, likeness = 1): TermUse {
  return { first: term, end: term + 1, factor, fullLength: 0, mask, likeness };
}

/** Documents that any form of the word may be in; counts a document twice when it has two of them. */
export function frequencyOf(segment: Segment, uses: readonly TermUse[]): number {
  let sum = 0;
  for (const { first, end, likeness } of uses) {
    if (likeness < 1) continue;
    for (let term = first; term < end; term += 1) sum += segment.data.frequencies[term] ?? 0;
  }
  return sum;
}

/** All longer terms that begin so; the word itself, if it is a term, sorts first among them and is left out. */
function completionsOf(data: TermData, prefix: string, mask: number): TermUse | undefined {
  const [first, end] = prefixRange(data, prefix);
  const fullLength = new TextEncoder().encode(prefix).length;
  const longer = first < end && termLength(data, first) === fullLength ? first + 1 : first;
  return longer < end
    ? { first: longer, end, factor: PREFIX_FACTOR, fullLength, mask, likeness: 1 }
    : undefined;
}

function addForms(
  data: TermData,
  stem: string,
  uses: TermUse[],
  { factor, mask, likeness = 1 }: { factor: number; mask: number; likeness?: number },
): void {
  // All forms begin with the stem but for its last letter: `tries` has the stem `try`, and `using` has `use`.
  const [first, end] = prefixRange(data, /[ey]$/.test(stem) ? stem.slice(0, -1) : stem);
  for (let term = first; term < end; term += 1) {
    if (termLength(data, term) > stem.length + ENDING_MAX) continue;
    if (uses.some((use) => term >= use.first && term < use.end)) continue;
    if (stemOf(termAt(data, term)) === stem) uses.push(singleTerm(term, factor, mask, likeness));
  }
}

function addMisspellings(data: TermData, word: string, mask: number, uses: TermUse[]): void {
  for (const { term, distance } of findFuzzyTerms(data, word)) {
    const known = uses.some(({ first, end }) => term >= first && term < end);
    if (!known) uses.push(singleTerm(term, FUZZY_FACTORS[distance] ?? 0, mask));
  }
}
