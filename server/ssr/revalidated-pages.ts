// The cache of pages made from the database. A page is stored with the version that its workspace had before it was rendered,
// and served again while the database has the same version: content that is no longer public disappears at the next request on
// every node. After another write in the workspace the page's calls are repeated, and only a page whose responses changed is
// rendered again.
import { createHash } from 'node:crypto';
import type { CallApi } from '#shared/site/render.ts';
import { keepPage, type KeptPage } from './page-cache.ts';

/** A bound for the memory, since every query makes another page. */
const MOST_PAGES = 100;
/** The year in the footer is part of a page. */
const KEPT_MS = 3_600_000;
/** The first visitor after a change waits for it. */
const BROTLI_QUALITY = 5;

type CallArguments = Parameters<CallApi>;

/** The API calls of one request, each made at most once. */
export interface PageCalls {
  callApi: CallApi;
  /** How many different calls were made. */
  count(): number;
  /** A digest of each answer by its call; undefined when a call failed. */
  digests(): Promise<ReadonlyMap<string, string> | undefined>;
  /** The first failed response. */
  failure(): Promise<Response | undefined>;
  /** The resources whose visit the calls counted. */
  visited: ReadonlySet<string>;
}

/** Remembers the calls of one request; `open` gets the function that is called for each visit they count. */
export function recordCalls(open: (onVisit: (resourceId: string) => void) => CallApi): PageCalls {
  const made = new Map<string, Promise<unknown>>();
  const visited = new Set<string>();
  const callApi = open((resourceId) => void visited.add(resourceId));
  return {
    callApi(...call) {
      const key = JSON.stringify(call);
      const known = made.get(key) ?? callApi(...call);
      made.set(key, known);
      return known;
    },
    count: () => made.size,
    async digests() {
      const digests = new Map<string, string>();
      for (const [key, answer] of made) {
        try {
          digests.set(key, digestOf(await answer));
        } catch {
          // The caller has the error; a page with one is not stored.
          return undefined;
        }
      }
      return digests;
    },
    async failure() {
      const settled = await Promise.allSettled(made.values());
      const reasons = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      return reasons.find((reason: unknown) => reason instanceof Response);
    },
    visited,
  };
}

function digestOf(answer: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(answer) ?? '')
    .digest('base64url');
}

/** A page and whether search engines may list it. */
export interface RevalidatedPage extends KeptPage {
  noindex: boolean;
}

interface Entry {
  page: RevalidatedPage;
  /** Undefined for a page whose calls are repeated for every visitor. */
  version: string | undefined;
  digests: ReadonlyMap<string, string>;
  /** Resources that a visit of the page counts for. */
  visited: ReadonlySet<string>;
  until: number;
}

interface Visit {
  address: string;
  /** Version of the page's workspace, read from the database for this request and before any of its calls. */
  version: string | undefined;
  calls: PageCalls;
  /** Counts the visit of a page whose calls need not be made. */
  recordVisits(resourceIds: ReadonlySet<string>): Promise<void>;
}

export interface RevalidatedPages {
  /** The page of an address if all of its data is unchanged. */
  find(visit: Visit): Promise<RevalidatedPage | undefined>;
  /** Stores a page that was rendered from the visit's calls; returns the page to send. */
  store(visit: Visit, page: { html: string; noindex: boolean }): Promise<RevalidatedPage>;
}

/** An empty cache. */
export function createRevalidatedPages(): RevalidatedPages {
  const entries = new Map<string, Entry>();
  return {
    async find(visit) {
      const { address, version, calls } = visit;
      const entry = entries.get(address);
      if (entry === undefined || entry.until <= Date.now()) {
        entries.delete(address);
        return undefined;
      }
      if (version !== undefined && version === entry.version) {
        // Back at the end of the map: the least recently visited page is evicted first.
        entries.delete(address);
        entries.set(address, entry);
        await visit.recordVisits(entry.visited);
        return entry.page;
      }
      // All at once, though one call may have named the other's subject: if that changed, its answer differs.
      await Promise.allSettled([...entry.digests.keys()].map((key) => calls.callApi(...callOf(key))));
      const digests = await calls.digests();
      const unchanged = digests !== undefined && isSame(digests, entry.digests);
      if (entries.get(address) === entry) {
        entries.delete(address);
        if (unchanged) entries.set(address, { ...entry, version: versionFor(digests, version) });
      }
      return unchanged ? entry.page : undefined;
    },
    async store({ address, version, calls }, { html, noindex }) {
      const page = { ...keepPage(html, BROTLI_QUALITY), noindex };
      const digests = await calls.digests();
      if (digests === undefined) return page;
      const entry = { page, digests, version: versionFor(digests, version), visited: calls.visited };
      entries.delete(address);
      entries.set(address, { ...entry, until: Date.now() + KEPT_MS });
      const oldest = entries.keys().next().value;
      if (entries.size > MOST_PAGES && oldest !== undefined) entries.delete(oldest);
      return page;
    },
  };
}

/** Searches count against their visitor's limit each time, so a page with one repeats its calls. */
function versionFor(digests: ReadonlyMap<string, string>, version: string | undefined): string | undefined {
  return [...digests.keys()].every((key) => callOf(key)[0] === 'GET') ? version : undefined;
}

function callOf(key: string): CallArguments {
  const call: CallArguments = JSON.parse(key);
  return call;
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, digest]) => other.get(key) === digest);
}
