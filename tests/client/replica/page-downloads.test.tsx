/** The newest saved pages come to the device by themselves, as far as half of the room for files goes. */
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { newId } from '#shared/ids.ts';
import { Device } from '#client/replica/lazy-device.ts';
import { findFile, keepFile } from '#client/replica/file-store.ts';
import { followMemories } from '#client/replica/follow-memories.ts';
import { bringSavedPages } from '#client/replica/page-downloads.ts';
import { replicaInProcess } from '#tests/support/engine-port.ts';
import { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memoryRow, minute, USER, WORKSPACE } from '#tests/support/replica-rows.ts';

const BYTES = 100;
const html = (page: number) => `<p>Page ${page}`.padEnd(BYTES, '.');
const saved = (hash: string) => ({ snapshot: { hash, taken: '2026-05-04T10:00:00.000Z', bytes: BYTES } });
const rows = [0, 1, 2, 3].map((page) =>
  memoryRow({
    url: `https://shore.example/${page}`,
    created: minute(-page),
    metadata: saved(`hash-${page}`),
  }),
);
const keyOf = (page: number) => `snapshot/hash-${page}`;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The server's pages, except those that it refuses; returns the numbers of those that were asked for. */
function servePages(refusals: Readonly<Record<number, number>> = {}): number[] {
  const asked: number[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const page = rows.findIndex(({ id }) => new Request(input).url.endsWith(`${id}/snapshot`));
    asked.push(page);
    const status = refusals[page];
    if (status === 429)
      return Response.json({ error: { message: 'm', detail: 'd', code: 'rate_limited' } }, { status });
    if (status !== undefined) return Response.json({}, { status });
    return new Response(html(page), { headers: { etag: `"hash-${page}"` } });
  });
  return asked;
}

function openPage(cap: number): Device {
  const server = new FakeSyncServer({ userId: USER, realmId: WORKSPACE });
  server.put('memory', ...rows);
  const account = new FakeSyncServer({ userId: USER, realmId: USER });
  const replica = replicaInProcess({
    userId: USER,
    fetch: (input, init) => (new Request(input).url.includes(USER) ? account : server).fetch(input, init),
  });
  replica.openWorkspace(WORKSPACE);
  const device = new Device(newId('user'));
  const end = followMemories(replica, [bringSavedPages(replica, device, async () => cap)]);
  onTestFinished(async () => {
    end();
    await (await device.tables()).delete();
    await replica.wipe();
  });
  return device;
}

const stored = async (device: Device) => (await device.tables()).file.toCollection().primaryKeys();

it('are all here, the newest first, and open as they were sent', async () => {
  const asked = servePages();
  const device = openPage(1_000_000);
  await expect.poll(() => stored(device), { timeout: 5_000 }).toHaveLength(rows.length);
  expect(asked).toEqual([0, 1, 2, 3]);
  expect(await (await findFile(device, keyOf(2)))?.text()).toBe(html(2));
});

it('fill half of the room, and leave before anything that was opened', async () => {
  servePages();
  const device = openPage(5 * BYTES);
  await expect.poll(() => stored(device)).toEqual([keyOf(0), keyOf(1)]);
  const open = (id: string) => keepFile(device, { id, blob: new Blob([html(9)]) }, async () => 5 * BYTES);
  for (const id of ['opened-1', 'opened-2', 'opened-3']) await open(id);
  await findFile(device, keyOf(0));
  await open('opened-4');
  expect(await stored(device)).toEqual(['opened-2', 'opened-3', 'opened-4', keyOf(0)]);
});

it('of others come although the server refuses one', async () => {
  const asked = servePages({ 1: 404 });
  const device = openPage(1_000_000);
  await expect.poll(() => stored(device), { timeout: 5_000 }).toEqual([keyOf(0), keyOf(2), keyOf(3)]);
  expect(asked).toEqual([0, 1, 2, 3]);
});

it('wait when the server says that there are too many requests', async () => {
  const asked = servePages({ 1: 429 });
  const device = openPage(1_000_000);
  await expect.poll(() => asked).toEqual([0, 1]);
  expect(await stored(device)).toEqual([keyOf(0)]);
});

it('stay away from a mobile network', async () => {
  vi.stubGlobal(
    'navigator',
    new Proxy(navigator, {
      get: (target, name) => (name === 'connection' ? { type: 'cellular' } : Reflect.get(target, name)),
    }),
  );
  const asked = servePages();
  const device = openPage(1_000_000);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(asked).toEqual([]);
  expect(await stored(device)).toEqual([]);
});
