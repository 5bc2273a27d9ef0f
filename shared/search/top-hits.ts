/** Selects the best hits of a search by score and date without sorting all of them. */
import { idStartOf, type Segment } from './segment.ts';

/** A match with its document number instead of its id. */
export interface RawHit {
  segment: Segment;
  doc: number;
  score: number;
}

/** Accepts matches in any order and returns the best ones. */
export interface TopHits {
  /** Counted by the code that finds the matches, since most of them are not worth adding. */
  total: number;
  /** Matches of a lower score need not be added. */
  threshold: number;
  add(segment: Segment, doc: number, score: number): void;
  /** The best hits, best first: by score, then newest first, then by id. */
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
      // Sorting rarely and many at once costs little per match, also when all scores are equal.
      if (hits.length >= limit + 1024) cut();
    },
    best() {
      cut();
      return hits;
    },
  };
  return top;
}

// Ids decide at last, so that an order never depends on how an index was built.
function compareHits(one: RawHit, other: RawHit): number {
  return other.score - one.score || createdOf(other) - createdOf(one) || compareIds(one, other);
}

function compareIds(one: RawHit, other: RawHit): number {
  const [data, otherData] = [one.segment.data, other.segment.data];
  const [start, otherStart] = [idStartOf(data, one.doc), idStartOf(otherData, other.doc)];
  const [length, otherLength] = [
    idStartOf(data, one.doc + 1) - start,
    idStartOf(otherData, other.doc + 1) - otherStart,
  ];
  for (let at = 0; at < Math.min(length, otherLength); at += 1) {
    const difference = (data.idBytes[start + at] ?? 0) - (otherData.idBytes[otherStart + at] ?? 0);
    if (difference !== 0) return difference;
  }
  return length - otherLength;
}

function createdOf({ segment, doc }: RawHit): number {
  return segment.data.created[doc] ?? 0;
}
