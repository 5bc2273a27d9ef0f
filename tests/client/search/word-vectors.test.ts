/** How a device comes by the vectors of words: a question waits a moment for them, once. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { createWordVectors } from '#client/search/word-vectors.ts';

const FILE = new URL('../../../shared/search/word-vectors.bin', import.meta.url);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('are not waited for when they are slow, and are there for the next question', async () => {
  vi.useFakeTimers();
  const slow = Promise.withResolvers<Response>();
  const fetch = vi.fn(async () => slow.promise);
  vi.stubGlobal('fetch', fetch);
  const find = createWordVectors();
  const first = find();
  await vi.advanceTimersByTimeAsync(150);
  expect(await first).toBeUndefined();
  expect(await find()).toBeUndefined();
  slow.resolve(new Response(readFileSync(FILE)));
  await vi.waitFor(async () => expect(await find()).toBeDefined());
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('are fetched again with the next question after a failure', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const fetch = vi
    .fn<() => Promise<Response>>()
    .mockRejectedValueOnce(new TypeError('offline'))
    .mockResolvedValueOnce(new Response('', { status: 502 }))
    .mockResolvedValueOnce(new Response(readFileSync(FILE)));
  vi.stubGlobal('fetch', fetch);
  const find = createWordVectors();
  expect(await find()).toBeUndefined();
  expect(await find()).toBeUndefined();
  expect(await find()).toBeDefined();
  expect(warn).toHaveBeenCalledTimes(2);
});
