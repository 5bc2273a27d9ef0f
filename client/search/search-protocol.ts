/** Messages between the page and the search worker. They are cloned when posted, so they are plain data. */
import type { SearchHit, SearchRequest, SearchResult } from '#shared/search/run-search.ts';
import type { SearchDocument } from '#shared/search/search-document.ts';

/** Messages to the worker; those with a `call` get one reply, the others none. */
export type ToSearchWorker =
  /** Loads what is stored under the name; must come first. Without a name nothing is stored. */
  | { type: 'open'; call: number; name: string | undefined }
  /** A later search of the same channel makes an earlier one stale. */
  | { type: 'search'; call: number; channel: string; query: string; request: SearchRequest }
  | { type: 'related'; call: number; id: string; tags: readonly string[]; limit: number }
  | { type: 'upsert'; documents: readonly SearchDocument[] }
  | { type: 'remove'; ids: readonly string[] }
  /** Everything that exists now: `stamps[i]` belongs to `ids[i]`. */
  | { type: 'reconcile'; call: number; ids: readonly string[]; stamps: Float64Array }
  /** Stores the index if it has changed. */
  | { type: 'save'; call: number }
  /** Stores the index if it has changed, unless `discard`, and returns nothing after that. */
  | { type: 'close'; call: number; discard: boolean };

export type FromSearchWorker =
  /** `usable`: a stored index was loaded; otherwise everything has to be fed. */
  | { type: 'opened'; call: number; usable: boolean; count: number }
  | { type: 'found'; call: number; result: SearchResult }
  | { type: 'related'; call: number; hits: SearchHit[] }
  | { type: 'stale'; call: number }
  /** Ids whose documents have to be fed. */
  | { type: 'reconciled'; call: number; ids: string[] }
  | { type: 'saved' | 'closed'; call: number }
  | { type: 'failed'; call: number; message: string };

/** The worker as the page sees it; tests put a host of the same process behind it. */
export interface SearchPort {
  send(message: ToSearchWorker, transfer: Transferable[]): void;
  listen(listener: (message: FromSearchWorker) => void): void;
  terminate(): void;
}
