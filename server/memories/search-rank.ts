/**
 * Orders the candidates of a search with BM25 over weighted fields, the same constants as the index on devices, and
 * cuts out what matched. Pure: it gets texts and numbers, and knows no database.
 */
import { alternativesOf, urlText, type SearchPlan, type TermGroup } from '#shared/memories/search-plan.ts';
import type { Snippet } from '#shared/memories/search-hit.ts';
import { makeSnippet, type HighlightWords } from '#shared/memories/search-snippet.ts';
import { termsOf } from '#shared/memories/text-analysis.ts';

/** The texts of a memory that search reads. */
export interface SearchedTexts {
  id: string;
  title: string | null;
  tags: readonly string[];
  description: string | null;
  summary: string | null;
  notes: string | null;
  url: string | null;
}

/** How rare the groups of a plan are. */
export interface Rarity {
  /** Memories in the workspace. */
  total: number;
  /** Memories that meet each required group, in their order. */
  frequencies: readonly number[];
}

const K1 = 1.2;
const B = 0.75;
const PREFIX_FACTOR = 0.8;
const INFLECTION_FACTOR = 0.9;
/** Times a word counts, as on devices. */
const WEIGHTS = { title: 5, tags: 4, description: 2, summary: 2, notes: 1, url: 1 } as const;
const SNIPPETS_MAX = 3;

interface Counted {
  candidate: SearchedTexts;
  /** Weighted occurrences per group. */
  counts: number[];
  length: number;
}

/** Ids with scores, best first; equal scores keep the order in which they came. */
export function rankCandidates(
  candidates: readonly SearchedTexts[],
  plan: SearchPlan,
  { total, frequencies }: Rarity,
): { id: string; score: number }[] {
  const counted = candidates.map((candidate) => countGroups(candidate, plan.required));
  const mean = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const rarities = plan.required.map((_, index) => {
    const frequency = Math.min(frequencies[index] ?? 0, total);
    return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
  });
  return counted
    .map(({ candidate, counts, length }) => {
      const norm = K1 * (1 - B + (B * length) / Math.max(1, mean));
      const score = counts.reduce(
        (sum, count, index) => sum + ((rarities[index] ?? 0) * count * (K1 + 1)) / (count + norm),
        0,
      );
      return { id: candidate.id, score: Math.round(score * 1_000) / 1_000 };
    })
    .sort((a, b) => b.score - a.score);
}

function countGroups(candidate: SearchedTexts, groups: readonly TermGroup[]): Counted {
  const counts = groups.map(() => 0);
  let length = 0;
  for (const [field, text] of fieldTexts(candidate)) {
    const terms = termsOf(text);
    const weight = WEIGHTS[field];
    length += terms.length * weight;
    groups.forEach((group, index) => {
      if (group.field !== 'any' && group.field !== field) return;
      counts[index] = (counts[index] ?? 0) + weight * occurrences(terms, group);
    });
  }
  return { candidate, counts, length };
}

function fieldTexts(texts: SearchedTexts): [keyof typeof WEIGHTS, string][] {
  return [
    ['title', texts.title ?? ''],
    ['tags', texts.tags.join(', ')],
    ['description', texts.description ?? ''],
    ['summary', texts.summary ?? ''],
    ['notes', texts.notes ?? ''],
    ['url', urlText(texts.url ?? '')],
  ];
}

/** Occurrences of a group in one field; a longer word that begins with the typed one counts less. */
function occurrences(terms: readonly string[], group: TermGroup): number {
  const [first = ''] = group.terms;
  if (group.terms.length > 1) return phraseOccurrences(terms, group);
  const others = new Set(alternativesOf(group).slice(1));
  let sum = 0;
  for (const term of terms) {
    if (term === first) sum += 1;
    else if (others.has(term)) sum += INFLECTION_FACTOR;
    else if (group.prefix && term.startsWith(first)) sum += (PREFIX_FACTOR * first.length) / term.length;
  }
  return sum;
}

function phraseOccurrences(terms: readonly string[], { terms: wanted, prefix }: TermGroup): number {
  let sum = 0;
  const last = wanted.length - 1;
  for (let at = 0; at + last < terms.length; at += 1) {
    const fits = wanted.every((want, index) => {
      const term = terms[at + index] ?? '';
      return term === want || (prefix && index === last && term.startsWith(want));
    });
    if (fits) sum += wanted.length;
  }
  return sum;
}

/** The words that a plan looks for, for marking. */
export function highlightOf(plan: SearchPlan): HighlightWords {
  const words = plan.required.flatMap((group) => alternativesOf(group));
  const prefixes = plan.required.flatMap((group) => (group.prefix ? group.terms.slice(-1) : []));
  return { words: [...new Set(words)], prefixes };
}

/** Pieces of the fields that matched, title first; without any match the beginning of the text. */
export function snippetsOf(texts: SearchedTexts, highlight: HighlightWords): Snippet[] {
  const pieces = fieldTexts(texts)
    .filter(([field, text]) => field !== 'tags' && text !== '')
    .map(([field, text]) => {
      const { text: piece, ranges } = makeSnippet(text, highlight);
      return { field, text: piece, ranges };
    });
  const matched = pieces.filter(({ ranges }) => ranges.length > 0);
  return matched.length > 0 ? matched.slice(0, SNIPPETS_MAX) : pieces.slice(1, 2);
}
