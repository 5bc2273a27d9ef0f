/**
 * Merges the results by words and by meaning to one ranking: reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009), which
 * needs no comparable scores. Pure.
 */
import { RANK_OFFSET } from './embedding-limits.ts';

/** Ranks by words beyond this are ignored, so that no page depends on the number of read hits. */
const WORDS_DEPTH = 200;

/** How many hits by words must be known for a fused list of `length`. */
export function rankedDepth(length: number, near: readonly unknown[]): number {
  return Math.max(WORDS_DEPTH, length + near.length);
}

/** A hit of the fused list: the score is 1 for what both put first. */
export type FusedHit<H> = Omit<H, 'score'> & { id: string; score: number };

/** Each memory once, best first; hits by words must be best first too. The total counts what only one of them found. */
export function fuseRanks<H extends { id: string; score: number; match?: unknown }>(
  { hits, total }: { hits: readonly H[]; total: number },
  near: readonly { id: string }[],
): { hits: (FusedHit<Pick<H, 'id' | 'match'>> | FusedHit<H>)[]; total: number } {
  const points = (rank: number | undefined) => (rank === undefined ? 0 : 1 / (RANK_OFFSET + rank));
  const best = 2 * points(1);
  const nearRanks = new Map(near.map(({ id }, index) => [id, index + 1]));
  const known = new Set(hits.map(({ id }) => id));
  const ranked = [
    ...hits.map((hit, index) => ({
      ...hit,
      points: points(index < WORDS_DEPTH ? index + 1 : undefined) + points(nearRanks.get(hit.id)),
    })),
    ...near.filter(({ id }) => !known.has(id)).map(({ id }) => ({ id, points: points(nearRanks.get(id)) })),
  ];
  return {
    // Stable, so what has equal points stays in the order of its words.
    hits: ranked
      .toSorted((one, other) => other.points - one.points)
      .map(({ points: sum, ...hit }) => ({ ...hit, score: sum / best })),
    total: total + near.filter(({ id }) => !known.has(id)).length,
  };
}
