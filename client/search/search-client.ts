/**
 * The page's side of search: calls become messages to the worker, and replies become promises. Stores no documents;
 * their owner feeds them to it.
 */
import type { SearchHit, SearchRequest, SearchResult } from '#shared/search/run-search.ts';
import type { SearchDocument } from '#shared/search/search-document.ts';
import type { FromSearchWorker, SearchPort, ToSearchWorker } from './search-protocol.ts';

export interface SearchClient {
  /** Loads the index stored under the name; false when there is none to use. Without a name nothing is ever stored. */
  open(name: string | undefined): Promise<boolean>;
  /** Undefined when a later search of the same channel has made this one pointless. */
  search(query: string, request?: SearchRequest & { channel?: string }): Promise<SearchResult | undefined>;
  /** Documents that share tags and distinctive words with one of them, best first. */
  related(id: string, tags: readonly string[], limit: number): Promise<SearchHit[]>;
  /** Adds or replaces documents; a few hundred at a time, since they are copied at once. */
  upsert(documents: readonly SearchDocument[]): void;
  remove(ids: readonly string[]): void;
  /**
   * Brings the index to what exists now: `stamps` by id decide what is read through `documentOf`, in slices that leave
   * the page free. Returns how many documents were fed.
   */
  synchronise(
    stamps: ReadonlyMap<string, number>,
    documentOf: (id: string) => SearchDocument | undefined,
  ): Promise<number>;
  /** Stores the index now instead of some seconds after the last change. */
  save(): Promise<void>;
  /** Ends the worker; with `discard` (before `deleteSearchIndex`) it stores nothing any more. */
  close(options?: { discard?: boolean }): Promise<void>;
}

/** Documents copied to the worker in one task of the page. */
const FEED_SIZE = 200;

type Call = Extract<ToSearchWorker, { call: number }>;
type Answer = FromSearchWorker | { type: 'superseded' };
/** A call without its number; spelled out per message, since `Omit` would merge the union. */
type Unnumbered<T> = T extends unknown ? Omit<T, 'call'> : never;

/** A client on a port. `onFailure` receives what belongs to no call, such as a device without storage. */
export function createSearchClient(port: SearchPort, onFailure: (message: string) => void): SearchClient {
  const pending = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  const newest = new Map<string, number>();
  let calls = 0;
  port.listen((message) => {
    const call = pending.get(message.call);
    pending.delete(message.call);
    if (message.type !== 'failed') call?.resolve(message);
    else if (call) call.reject(new Error(message.message));
    else onFailure(message.message);
  });
  let closed: Promise<void> | undefined;
  const ask = async (message: Unnumbered<Call>, transfer: Transferable[] = []): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (closed) return resolve({ type: 'superseded' });
      calls += 1;
      pending.set(calls, { resolve, reject });
      return port.send({ ...message, call: calls }, transfer);
    });
  const supersede = (channel: string): void => {
    const earlier = newest.get(channel) ?? 0;
    pending.get(earlier)?.resolve({ type: 'superseded' });
    pending.delete(earlier);
    newest.set(channel, calls + 1);
  };
  return {
    async open(name) {
      const answer = await ask({ type: 'open', name });
      return answer.type === 'opened' && answer.usable;
    },
    async search(query, { channel = '', ...request } = {}) {
      supersede(channel);
      const answer = await ask({ type: 'search', channel, query, request });
      return answer.type === 'found' ? answer.result : undefined;
    },
    async related(id, tags, limit) {
      const answer = await ask({ type: 'related', id, tags, limit });
      return answer.type === 'related' ? answer.hits : [];
    },
    upsert(documents) {
      port.send({ type: 'upsert', documents }, []);
    },
    remove(ids) {
      port.send({ type: 'remove', ids }, []);
    },
    async synchronise(stamps, documentOf) {
      const values = Float64Array.from(stamps.values());
      const answer = await ask({ type: 'reconcile', ids: [...stamps.keys()], stamps: values }, [
        values.buffer,
      ]);
      const ids = answer.type === 'reconciled' ? answer.ids : [];
      for (let at = 0; at < ids.length; at += FEED_SIZE) {
        const documents = ids.slice(at, at + FEED_SIZE).flatMap((id) => documentOf(id) ?? []);
        port.send({ type: 'upsert', documents }, []);
        await new Promise((resume) => setTimeout(resume, 0));
      }
      return ids.length;
    },
    async save() {
      await ask({ type: 'save' });
    },
    async close({ discard = false } = {}) {
      const answer = closed ? undefined : ask({ type: 'close', discard });
      closed ??= answer?.then(ignoreAnswer).finally(() => {
        // Earlier calls have had their reply by now; superseded ones never get one.
        for (const { resolve } of pending.values()) resolve({ type: 'superseded' });
        port.terminate();
      });
      await closed;
    },
  };
}

function ignoreAnswer(): void {
  // The reply has no result.
}

export function startSearchWorker(): SearchPort {
  const worker = new Worker(new URL('./search-worker.ts', import.meta.url), {
    type: 'module',
    name: 'search',
  });
  return {
    send(message, transfer) {
      worker.postMessage(message, transfer);
    },
    listen(listener) {
      worker.addEventListener('message', (event: MessageEvent<FromSearchWorker>) => listener(event.data));
      worker.addEventListener('error', (event) =>
        listener({ type: 'failed', call: 0, message: event.message }),
      );
    },
    terminate() {
      worker.terminate();
    },
  };
}
