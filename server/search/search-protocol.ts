/** Messages between the server and its search workers. They are cloned when posted, so they are plain data. */
import type { Snippet } from '#shared/memories/search-hit.ts';
import type { SearchPlan } from '#shared/memories/search-plan.ts';
import type { SearchConditions } from '#shared/search/document-filter.ts';
import type { MatchMode } from '#shared/search/query-slots.ts';

export interface FindRequest {
  workspaceId: string;
  userId: string;
  plan: SearchPlan;
  conditions: SearchConditions;
  page: number;
  perPage: number;
  /** Semantic matches, best first; ranked together with the matches by words. */
  near?: readonly NearMemory[] | undefined;
}

/** Which memories of a workspace are nearest to a vector. Memories with old or no vectors are not among them. */
export interface NearRequest {
  workspaceId: string;
  fingerprint: string;
  vector: Float32Array;
  /**
   * A statement that lists the memories which the person may read and which meet the filters of the search, as `id` and the
   * `revision` of their vectors: only these are ranked.
   */
  allowed: { sql: string; parameters: readonly unknown[] };
  limit: number;
  /** Least cosine similarity. */
  minSimilarity: number;
}

/** A memory found by meaning, with the passages that are nearest. */
export interface NearMemory {
  id: string;
  /** Cosine similarity of its best passage. */
  similarity: number;
  passages: { field: Snippet['field']; text: string }[];
}

export interface Found {
  hits: { id: string; score: number; snippets: Snippet[] }[];
  total: number;
  /** The loosest way in which anything on the page matched. */
  match: MatchMode;
}

export interface SearchWorkerData {
  databaseUrl: string;
  /** Where indexes are stored between starts. */
  folder: string;
  /** Maximum bytes of the indexes of this worker, and the same for vectors. */
  capacity: number;
  vectorCapacity: number;
}

/** Messages to a worker; each gets one reply. */
export interface ToSearchWorker {
  call: number;
  request: { find: FindRequest } | { near: NearRequest };
  /** Milliseconds that the reply may wait for an index to be built. */
  indexMs: number;
}

export type SearchResponse = Found | NearMemory[];

/** Replies to calls, and messages for the log. */
export type FromSearchWorker =
  | { type: 'found'; call: number; found: SearchResponse }
  /** The index exceeds the memory limit or is not ready in time; `message` is for the log, if present. */
  | { type: 'unready'; call: number; message?: string }
  | { type: 'warning'; message: string };
