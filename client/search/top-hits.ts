/** Keeps the best hits of a search without sorting all of them. Knows scores and dates only. */
import type { Segment } from './segment.ts';

/** A match before its id is looked up. */
export interface RawHit {
  segment: Segment;
  doc: number;
  score: number;
}

/** Takes matches in any order and answers the best ones. */
export interface TopHits {
  /** Counted by whoever finds the matches, since most of them are not worth adding. */
  total: number;
  /** Matches of a lower score need not be added. */
  threshold: number;
  add(segment: Segment, doc: number, score: number): void;
  /** The best hits, best first: by score, then newest first. */
  best(): RawHit[];
}

/** A collector of at most `limit` hits. */
export function createTopHits(limit: number): TopHits {
  let hits: RawHit[] = [];
  const cut = (): void => {
    hits.sort(compareHits);
    hits = hits.slice(0, limit);
    top.threshold = hits.length < limit ? -Infinity : (hits.at(-1)?.score ?? -Infinity);
  };
  const top: TopHits = {
    total: 0,
    threshold: -Infinity,
    add(segment, doc, score) {
      hits.push({ segment, doc, score });
      // Sorting rarely and much at once keeps the cost per match low, also when all scores are equal.
      if (hits.length >= limit + 1024) cut();
    },
    best() {
      cut();
      return hits;
    },
  };
  return top;
}

function compareHits(one: RawHit, other: RawHit): number {
  return other.score - one.score || createdOf(other) - createdOf(one);
}

function createdOf({ segment, doc }: RawHit): number {
  return segment.data.created[doc] ?? 0;
}
