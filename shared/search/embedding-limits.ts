// Limits of semantic search, each with its unit.

export const EMBEDDINGS = {
  /** Numbers of one vector; no known model has more. */
  dimensionsMax: 4_096,
  /** Characters of one passage, about 300 tokens, and passages of one memory; later text is found only by its words. */
  passageCharacters: 1_200,
  passagesMax: 200,
  /** Characters of a note or page that are split into passages. */
  textMax: 200_000,
  /** Texts of one request: its response is parsed on the main thread. */
  perRequest: 16,
  /** Characters of a query that count. */
  queryCharacters: 1_000,
  /** Queries of one process whose vectors are remembered. */
  queriesKept: 500,
  /** After a failure queries go by words alone for so long; the time doubles with each failure. */
  restMs: { first: 5_000, max: 5 * 60_000 },
  /** Memories that are found by meaning for one search. */
  found: 50,
  /** Memories that the background work reads at a time, and for how long it stays with one workspace. */
  readAtOnce: 16,
  turnMs: 20_000,
  /** How long changes are gathered before they are queued. */
  gatherMs: 1_000,
  /** Waits of the background work after failures, doubling. */
  retrySeconds: { first: 5, max: 3_600 },
  readerMemoryMb: 128,
} as const;

/** Constant of reciprocal rank fusion by words and by meaning: a lower one favours the first places. */
export const RANK_OFFSET = 10;
