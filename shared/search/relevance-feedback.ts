/**
 * Pseudo-relevance feedback: words that the best documents of a first search share are added to the query (RM3:
 * Abdul-Jaleel et al., UMass at TREC 2004). Finds notes on the subject that use other words than the question.
 */
import { visitWords } from './forward-index.ts';
import type { Segment } from './segment.ts';
import { stemOf } from './stem.ts';
import { findTerm, termAt } from './term-table.ts';
import type { RawHit } from './top-hits.ts';

/** A word added to the query, as its stem, and its weight relative to a word of the query. */
export interface FeedbackWord {
  stem: string;
  weight: number;
}

/** How far to trust the first search: the constants of the paper, and a limit for words that are everywhere. */
export const FEEDBACK = {
  documents: 5,
  terms: 20,
  /** Total weight of the words of the query; the rest is for the added words. */
  original: 0.6,
  /** A word in a larger share of the documents, and in more than this number, is too common to indicate a subject. */
  share: 0.1,
  least: 3,
  /** A word in fewer documents leads to no other one. */
  rarest: 2,
} as const;
const wordLike = /^\p{L}{3,20}$/u;

interface Candidate {
  stem: string;
  likelihood: number;
  /** The forms that were met. */
  words: Set<string>;
}

/** The most distinctive words of the best documents, best first; `queryWords` is the number of words in the query. */
export function feedbackWords(
  best: readonly RawHit[],
  segments: readonly Segment[],
  queryWords: number,
): FeedbackWord[] {
  const total = segments.reduce((count, segment) => count + segment.liveCount, 0);
  const limit = Math.max(FEEDBACK.least, FEEDBACK.share * total);
  const telling: Candidate[] = [];
  for (const candidate of candidatesOf(best)) {
    const frequency = frequencyIn(segments, candidate);
    if (frequency >= FEEDBACK.rarest && frequency <= limit) telling.push(candidate);
    if (telling.length === FEEDBACK.terms) break;
  }
  const mass = telling.reduce((sum, { likelihood }) => sum + likelihood, 0);
  const scale = ((1 - FEEDBACK.original) / FEEDBACK.original) * queryWords;
  return telling.map(({ stem, likelihood }) => ({ stem, weight: (scale * likelihood) / mass }));
}

/** Stems of the documents by how likely they are in them, where better documents count more. */
function candidatesOf(best: readonly RawHit[]): Candidate[] {
  const scores = best.reduce((sum, { score }) => sum + score, 0);
  const candidates = new Map<string, Candidate>();
  for (const { segment, doc, score } of best) {
    const share = score / scores / Math.max(1, segment.data.lengths[doc] ?? 0);
    visitWords(segment.data, doc, (term, count) => {
      const word = termAt(segment.data, term);
      if (!wordLike.test(word)) return;
      const stem = stemOf(word);
      const candidate = candidates.get(stem) ?? { stem, likelihood: 0, words: new Set() };
      candidate.likelihood += share * count;
      candidate.words.add(word);
      candidates.set(stem, candidate);
    });
  }
  return [...candidates.values()].sort(
    (one, other) => other.likelihood - one.likelihood || (one.stem < other.stem ? -1 : 1),
  );
}

function frequencyIn(segments: readonly Segment[], { words }: Candidate): number {
  const holders = (word: string): number =>
    segments.reduce((sum, { data }) => sum + (data.frequencies[findTerm(data, word)] ?? 0), 0);
  return Math.max(...[...words].map(holders));
}
