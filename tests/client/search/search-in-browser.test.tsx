/** The search worker as the page has it: a real worker and real IndexedDB in Chromium. */
import { afterEach, expect, it } from 'vitest';
import { deleteSearchIndex } from '#client/search/index-store.ts';
import { createSearchClient, startSearchWorker, type SearchClient } from '#client/search/search-client.ts';
import { syntheticMemories } from '#tests/bench/synthetic-memories.ts';

const NAME = 'usr_browser/ws_browser';
const documents = syntheticMemories(300);
const byId = new Map(documents.map((document) => [document.id, document]));
const stamps = new Map(documents.map((document) => [document.id, document.stamp]));

afterEach(() => deleteSearchIndex(NAME));

async function openClient(): Promise<{ client: SearchClient; usable: boolean }> {
  const client = createSearchClient(startSearchWorker(), (message) => {
    throw new Error(message);
  });
  return { client, usable: await client.open(NAME) };
}

it('searches in a worker, and after a reload with the stored index', async () => {
  const first = await openClient();
  expect(first.usable).toBe(false);
  expect(await first.client.synchronise(stamps, (id) => byId.get(id))).toBe(documents.length);
  const [sought] = documents;
  const query = sought?.title ?? '';
  const found = await first.client.search(query);
  expect(found?.hits[0]?.id).toBe(sought?.id);
  await first.client.close();

  const second = await openClient();
  expect(second.usable).toBe(true);
  expect(await second.client.synchronise(stamps, (id) => byId.get(id))).toBe(0);
  expect(await second.client.search(query)).toEqual(found);
  await second.client.close({ discard: true });
});

it('finds by a question what says the same in other words', async () => {
  const { client } = await openClient();
  const [some] = documents;
  if (!some) throw new Error('There are documents');
  client.upsert([{ ...some, id: 'mem_loft', title: 'Loft', notes: 'The landlord wants 640 euros.' }]);
  const ask = async () => (await client.search('how much rent would the apartment cost'))?.hits[0]?.id;
  await expect.poll(ask).toBe('mem_loft');
  await client.close({ discard: true });
});

it('leaves no database behind once deleted', async () => {
  const { client } = await openClient();
  client.upsert(documents.slice(0, 10));
  await client.save();
  await client.close({ discard: true });
  await deleteSearchIndex(NAME);
  expect((await indexedDB.databases()).filter(({ name }) => name?.includes('usr_browser'))).toEqual([]);
});
