/** Messages between the server and its search workers. They are cloned when posted, so they are plain data. */
import type { Snippet } from '#shared/memories/search-hit.ts';
import type { SearchPlan } from '#shared/memories/search-plan.ts';
import type { SearchConditions } from '#shared/search/document-filter.ts';
import type { MatchMode } from '#shared/search/query-slots.ts';

/** One search of one person in one workspace. */
export interface FindRequest {
  workspaceId: string;
  userId: string;
  plan: SearchPlan;
  conditions: SearchConditions;
  page: number;
  perPage: number;
}

/** One page of what a person finds. */
export interface Found {
  hits: { id: string; score: number; snippets: Snippet[] }[];
  total: number;
  /** The loosest way in which anything on the page matched. */
  match: MatchMode;
}

/** What a worker is started with. */
export interface SearchWorkerData {
  databaseUrl: string;
  /** Where indexes are stored between starts. */
  folder: string;
  /** Bytes that the indexes of this worker may take. */
  capacity: number;
}

/** Messages to a worker; each gets one reply. */
export interface ToSearchWorker {
  call: number;
  request: FindRequest;
}

/** Replies to calls, and messages for the log. */
export type FromSearchWorker =
  | { type: 'found'; call: number; found: Found }
  /** The index exceeds the memory limit or is not ready in time; `message` is for the log, if present. */
  | { type: 'unready'; call: number; message?: string }
  | { type: 'warning'; message: string };
