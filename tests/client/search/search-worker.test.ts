/** The worker's protocol end to end: a real host behind real message ports, stored in IndexedDB. */
import 'fake-indexeddb/auto';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { deleteSearchIndex, openIndexStore } from '#client/search/index-store.ts';
import { createSearchClient, type SearchClient } from '#client/search/search-client.ts';
import { createSearchHost } from '#client/search/search-host.ts';
import type { SearchDocument } from '#shared/search/search-document.ts';
import type { FromSearchWorker, SearchPort, ToSearchWorker } from '#client/search/search-protocol.ts';
import { readWordVectors } from '#server/search/word-vectors.ts';
import { makeDocument } from '#tests/shared/search/naive-search.ts';

const wordVectors = readWordVectors();

const open: SearchClient[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close({ discard: true })));
  await Promise.all(['usr_a/ws_b', 'usr_x/ws_y', 'damaged', 'never seen'].map(deleteSearchIndex));
});

function startHost(): SearchPort {
  const { port1: page, port2: worker } = new MessageChannel();
  const host = createSearchHost(
    (message) => worker.postMessage(message),
    async () => wordVectors,
  );
  worker.on('message', (message: ToSearchWorker) => host.receive(message));
  return {
    send: (message, transfer) =>
      page.postMessage(
        message,
        transfer.filter((each) => each instanceof ArrayBuffer),
      ),
    listen: (listener) => page.on('message', (message: FromSearchWorker) => listener(message)),
    terminate: () => page.close(),
  };
}

function startClient(): SearchClient {
  const client = createSearchClient(startHost(), (message) => {
    throw new Error(message);
  });
  open.push(client);
  return client;
}

const rows = (count: number): SearchDocument[] =>
  Array.from({ length: count }, (_, place) =>
    makeDocument(`mem_${place}`, { title: `entry number${place}`, notes: 'shared words', stamp: place }),
  );

const stampsOf = (documents: readonly SearchDocument[]): Map<string, number> =>
  new Map(documents.map(({ id, stamp }) => [id, stamp]));

async function foundIds(client: SearchClient, query: string): Promise<string[] | undefined> {
  const result = await client.search(query, { limit: 1000, widest: 'all' });
  return result?.hits.map((hit) => hit.id).toSorted();
}

describe('search client and host', () => {
  it('find what was fed, changed and removed', async () => {
    const client = startClient();
    expect(await client.open(undefined)).toBe(false);
    client.upsert(rows(3));
    client.upsert([makeDocument('mem_1', { title: 'renamed' })]);
    client.remove(['mem_2']);
    expect(await foundIds(client, 'entry')).toEqual(['mem_0']);
    expect(await foundIds(client, 'renam')).toEqual(['mem_1']);
  });

  it('find what shares tags and words with a document, and nothing else', async () => {
    const client = startClient();
    await client.open(undefined);
    client.upsert([
      makeDocument('mem_a', {
        title: 'Compost',
        notes: 'worms turn kitchen scraps to compost',
        tags: ['garden'],
      }),
      makeDocument('mem_b', { title: 'Worms', notes: 'worms like compost and kitchen scraps' }),
      makeDocument('mem_c', { title: 'Roses', notes: 'cut them in spring', tags: ['garden'] }),
      makeDocument('mem_d', { title: 'Taxes', notes: 'due in may' }),
    ]);
    const ids = (await client.related('mem_a', ['garden'], 5)).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(['mem_b', 'mem_c']);
    expect(await client.related('mem_d', [], 5)).toEqual([]);
    expect(await client.related('unknown', ['garden'], 5)).toEqual([]);
    client.remove(['mem_b']);
    expect((await client.related('mem_a', ['garden'], 5)).map(({ id }) => id)).toEqual(['mem_c']);
  });

  it('return only the result of the newest search of a channel', async () => {
    const client = startClient();
    await client.open(undefined);
    client.upsert(rows(10));
    const typed = ['e', 'en', 'ent', 'entr', 'entry'].map((query) => client.search(query));
    const other = client.search('entry', { channel: 'list' });
    const results = await Promise.all(typed);
    expect(results.map((result) => result?.total)).toEqual([undefined, undefined, undefined, undefined, 10]);
    expect((await other)?.total).toBe(10);
  });

  it('store the index between visits and need only what has changed since', async () => {
    const before = rows(500);
    const first = startClient();
    expect(await first.open('usr_a/ws_b')).toBe(false);
    expect(await first.synchronise(stampsOf(before), (id) => before.find((each) => each.id === id))).toBe(
      500,
    );
    await first.close();

    const after = before
      .slice(1)
      .map((each) => (each.id === 'mem_7' ? { ...each, title: 'new', stamp: -1 } : each));
    const second = startClient();
    expect(await second.open('usr_a/ws_b')).toBe(true);
    expect(await foundIds(second, 'entry')).toHaveLength(500);
    const fed: string[] = [];
    await second.synchronise(stampsOf(after), (id) => {
      fed.push(id);
      return after.find((each) => each.id === id);
    });
    expect(fed).toEqual(['mem_7']);
    expect(await foundIds(second, 'entry')).toHaveLength(498);
    expect(await foundIds(second, 'new')).toEqual(['mem_7']);
  });

  it('merge in the background while searches go on', async () => {
    const client = startClient();
    await client.open(undefined);
    const documents = rows(3000);
    for (let at = 0; at < documents.length; at += 100) client.upsert(documents.slice(at, at + 100));
    client.remove(documents.slice(0, 1000).map((each) => each.id));
    for (let round = 0; round < 20; round += 1) {
      expect((await client.search('words'))?.total).toBe(2000);
      await new Promise((resume) => setTimeout(resume, 5));
    }
  });

  it('start empty on a damaged index and on none', async () => {
    const store = openIndexStore('damaged');
    await store.save(new ArrayBuffer(64));
    store.close();
    expect(await startClient().open('damaged')).toBe(false);
    expect(await startClient().open('never seen')).toBe(false);
  });

  it('leave nothing behind after closing with discard and deleting', async () => {
    const client = startClient();
    await client.open('usr_x/ws_y');
    client.upsert(rows(5));
    await client.save();
    client.upsert(rows(6));
    await client.close({ discard: true });
    await deleteSearchIndex('usr_x/ws_y');
    const names = (await indexedDB.databases()).map((database) => database.name);
    expect(names.filter((name) => name?.includes('usr_x'))).toEqual([]);
  });

  it('report a failure through the call that failed', async () => {
    const client = startClient();
    await client.open(undefined);
    client.upsert(rows(2));
    // A limit that cannot be cloned is refused by the port itself, not lost.
    await expect(
      client.search('entry', { spaceIds: Object.assign(['a'], { toJSON: () => 'x' }) }),
    ).rejects.toThrow(/could not be cloned/);
    expect((await client.search('entry'))?.total).toBe(2);
  });
});
