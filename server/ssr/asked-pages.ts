// Pages of the database, kept together with every call they were made of. They are sent again only when each of these
// calls, made anew for each visitor, is answered as it was: what stopped being public is gone at the next request, and
// what did not change is neither rendered nor compressed again.
import { createHash } from 'node:crypto';
import type { CallApi } from '#shared/site/render.ts';
import { keepPage, type KeptPage } from './page-cache.ts';

/** A bound for the memory, since every query makes another page. */
const MOST_PAGES = 100;
/** The year in the footer is part of a page. */
const KEPT_MS = 3_600_000;
/** The first visitor after a change waits for it. */
const BROTLI_QUALITY = 5;

type Question = Parameters<CallApi>;

/** The calls of one request: each is made once, whoever asks for it. */
export interface Asking {
  callApi: CallApi;
  /** How many different calls were made. */
  count(): number;
  /** What was asked so far and a digest of each answer; undefined when a call failed. */
  answers(): Promise<ReadonlyMap<string, string> | undefined>;
  /** The first failure among the answers. */
  refusal(): Promise<Response | undefined>;
}

/** Wraps the calls of one request. */
export function askOnce(callApi: CallApi): Asking {
  const asked = new Map<string, Promise<unknown>>();
  return {
    callApi(...question) {
      const key = JSON.stringify(question);
      const known = asked.get(key) ?? callApi(...question);
      asked.set(key, known);
      return known;
    },
    count: () => asked.size,
    async answers() {
      const digests = new Map<string, string>();
      for (const [key, answer] of asked) {
        try {
          digests.set(key, digestOf(await answer));
        } catch {
          // Who asked has the error; a page with one is nothing to keep.
          return undefined;
        }
      }
      return digests;
    },
    async refusal() {
      const settled = await Promise.allSettled(asked.values());
      const reasons = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      return reasons.find((reason: unknown) => reason instanceof Response);
    },
  };
}

function digestOf(answer: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(answer) ?? '')
    .digest('base64url');
}

/** A page and whether search engines may keep it. */
export interface AskedPage extends KeptPage {
  noindex: boolean;
}

interface Kept {
  page: AskedPage;
  answers: ReadonlyMap<string, string>;
  until: number;
}

export interface AskedPages {
  /** The page of an address if everything that it was made of is still so, for the visitor behind `asking`. */
  find(address: string, asking: Asking): Promise<AskedPage | undefined>;
  /** Keeps a page with what was asked for it; answers the page to send. */
  keep(address: string, page: { html: string; noindex: boolean }, asking: Asking): Promise<AskedPage>;
}

/** An empty cache. `now` is the clock in milliseconds. */
export function createAskedPages(now: () => number = Date.now): AskedPages {
  const pages = new Map<string, Kept>();
  return {
    async find(address, asking) {
      const kept = pages.get(address);
      pages.delete(address);
      if (kept === undefined || kept.until <= now()) return undefined;
      // At once, though one call may have named the other's subject: if that changed, its answer differs.
      await Promise.allSettled([...kept.answers.keys()].map((key) => asking.callApi(...questionOf(key))));
      const answers = await asking.answers();
      if (answers === undefined || !isSame(answers, kept.answers)) return undefined;
      // Back at the end of the row: what is not asked for leaves first.
      pages.set(address, kept);
      return kept.page;
    },
    async keep(address, { html, noindex }, asking) {
      const page = { ...keepPage(html, BROTLI_QUALITY), noindex };
      const answers = await asking.answers();
      if (answers === undefined) return page;
      pages.set(address, { page, answers, until: now() + KEPT_MS });
      const oldest = pages.keys().next().value;
      if (pages.size > MOST_PAGES && oldest !== undefined) pages.delete(oldest);
      return page;
    },
  };
}

function questionOf(key: string): Question {
  const question: Question = JSON.parse(key);
  return question;
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, digest]) => other.get(key) === digest);
}
