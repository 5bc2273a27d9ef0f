// A device without a browser: IndexedDB in this process, engines of the product as its tabs, and storage that can stop in
// the middle of anything, as when the power goes. Import it before whatever opens a database.
import './production-mode.ts';
import 'fake-indexeddb/auto';
import type { KVStoreProvider } from 'replicache';
import type { Id } from '#shared/ids.ts';
import { Replica } from '#client/replica/replica.ts';
import type { EngineOptions } from '#client/replica/worker/engine.ts';
import { IdbDatabase } from '#client/replica/worker/idb-database.ts';
import { OBJECT_STORE, promiseOf } from '#client/replica/worker/idb-requests.ts';
import { openIdbJournal } from '#client/replica/worker/journal.ts';
import { packedStore } from '#client/replica/worker/kv-store.ts';
import { enginePort } from '#tests/support/engine-port.ts';

/** The person at the device, and its special settings. */
export interface TabOptions {
  userId: Id<'user'>;
  token?: string;
  apiBase?: string;
  fetch: typeof fetch;
  schema?: EngineOptions['schema'];
  check?: EngineOptions['check'];
  now?: () => number;
}

/** One tab; its storage can be stopped for good. */
export interface Tab {
  replica: Replica;
  /** From now on Replicache writes nothing; its writes stay pending until it closes. */
  stopWriting(): void;
  /** Suspends its storage like that of a frozen tab; call the result to resume. */
  sleep(): () => void;
  /** Closes these realms as a closing page does. */
  leave(...realmIds: string[]): void;
  /** Removes what the tab has on the device, unless its storage was stopped. */
  end(): Promise<void>;
}

/** Storage whose writes wait for the promise that is given at their time. */
function stoppable(provider: KVStoreProvider, waits: () => Promise<void> | undefined): KVStoreProvider {
  return {
    drop: (name) => provider.drop(name),
    create(name) {
      const store = provider.create(name);
      return {
        read: () => store.read(),
        async write() {
          await waits();
          return await store.write();
        },
        close: () => store.close(),
        get closed() {
          return store.closed;
        },
      };
    },
  };
}

/** Opens a tab with the product's own storage and journal. */
export function openTab(given: TabOptions): Tab {
  const { userId, token = 'token', apiBase = '', fetch, schema, check, now } = given;
  let stopped: Promise<void> | undefined;
  let asleep: Promise<void> | undefined;
  let die: (reason: Error) => void = () => undefined;
  const port = enginePort({
    fetch,
    kvStore: (onFailure) => stoppable(packedStore(onFailure), () => stopped ?? asleep),
    openJournal: openIdbJournal,
    ...(schema ? { schema } : {}),
    ...(check ? { check } : {}),
  });
  const session = { userId, token, apiBase, memoryOnly: false };
  const replica = new Replica({ port, session, ...(now ? { now } : {}) });
  return {
    replica,
    stopWriting() {
      stopped = new Promise((_resolve, reject) => (die = reject));
      stopped.catch(() => undefined);
    },
    sleep() {
      let wake: () => void = () => undefined;
      asleep = new Promise((resolve) => (wake = resolve));
      return () => {
        asleep = undefined;
        wake();
      };
    },
    leave(...realmIds) {
      die(new Error('The storage was stopped'));
      for (const realmId of realmIds) port.send({ type: 'close', realmId });
    },
    async end() {
      // A stopped one would wait for its last write for ever.
      if (!stopped) await replica.wipe();
    },
  };
}

/** Names of the databases of this device that contain all of these parts. */
export async function databasesWith(...parts: readonly string[]): Promise<string[]> {
  const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  return names.filter((name) => parts.every((part) => name.includes(part)));
}

/** How many changes a database holds that Replicache has not written yet. */
export async function noted(databaseName: string): Promise<number> {
  const journal = openIdbJournal(databaseName);
  const { records } = await journal.read();
  await journal.close();
  return records.length;
}

/** Whether Replicache has written something that contains the text. */
export async function isOnDevice(databaseName: string, text: string): Promise<boolean> {
  const database = new IdbDatabase(databaseName);
  const store = (await database.begin('readonly')).objectStore(OBJECT_STORE);
  const chunks = await promiseOf<unknown[]>(store.getAll(IDBKeyRange.bound('c/', 'c0')));
  await database.close();
  return chunks.some((chunk) => JSON.stringify(chunk).includes(text));
}
