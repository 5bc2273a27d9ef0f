/** Long texts come to the device after the rows: many to a request, the newest first, counted, and as far as there is room. */
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { newId } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { BodyCache } from '#client/replica/body-cache.ts';
import { DeviceDatabase } from '#client/replica/device-database.ts';
import { followMemories } from '#client/replica/follow-memories.ts';
import { bringTexts } from '#client/replica/text-downloads.ts';
import { syncLabel } from '#client/shell/sync-labels.ts';
import { replicaInProcess } from '#tests/support/engine-port.ts';
import { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memoryRow, minute, USER, WORKSPACE } from '#tests/support/replica-rows.ts';

const notes = Array.from({ length: 200 }, (_unused, index) => `Note ${index} `.padEnd(8_000, 'tide '));
const rows = notes.map((text, index) =>
  memoryRow({ ...bodyFields(text), notes: null, created: minute(-index) }),
);
const textOf = new Map<string, string>(rows.map(({ id }, index) => [id, notes[index] ?? '']));

afterEach(() => vi.restoreAllMocks());

/** The server's texts; every request after the first `answered` ones fails. */
function serveTexts(answered = Number.POSITIVE_INFINITY): string[][] {
  const asked: string[][] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_input, init) => {
    const { texts }: { texts: { id: string }[] } = JSON.parse(
      typeof init?.body === 'string' ? init.body : '',
    );
    if (asked.length >= answered) throw new TypeError('Failed to fetch');
    asked.push(texts.map(({ id }) => id));
    return Response.json({ result: texts.map(({ id }) => ({ id, text: textOf.get(id) ?? null })) });
  });
  return asked;
}

function openPage(database: DeviceDatabase, cap = 100_000_000) {
  const server = new FakeSyncServer({ userId: USER, realmId: WORKSPACE });
  server.put('memory', ...rows);
  const account = new FakeSyncServer({ userId: USER, realmId: USER });
  const replica = replicaInProcess({
    userId: USER,
    fetch: (input, init) => (new Request(input).url.includes(USER) ? account : server).fetch(input, init),
  });
  replica.openWorkspace(WORKSPACE);
  const bodies = new BodyCache({ tables: async () => database }, async () => cap);
  const labels: string[] = [];
  const watch = replica.subscribe(() => {
    const { state, count, texts } = replica.status();
    labels.push(syncLabel(state, count, texts));
  });
  const ends = [watch, followMemories(replica, [bringTexts(replica, bodies)])];
  const close = () => ends.splice(0).forEach((end) => end());
  onTestFinished(async () => {
    close();
    await replica.wipe();
  });
  return { bodies, labels, server, replica, close };
}

function openDevice(): DeviceDatabase {
  const database = new DeviceDatabase(newId('user'));
  onTestFinished(() => database.delete());
  return database;
}

it('are all here, newest first, before the device is called synced', async () => {
  const asked = serveTexts();
  const { bodies, labels } = openPage(openDevice());
  await expect.poll(() => labels.at(-1)).toBe('Synced');
  expect(await bodies.hashes()).toHaveLength(200);
  expect(asked.flat()).toEqual(rows.map(({ id }) => id));
  expect(asked).toHaveLength(4);
  expect(labels).toContain('Texts: 50 of 200');
  expect(labels.indexOf('Synced')).toBeGreaterThan(labels.lastIndexOf('Texts: 150 of 200'));
});

it('go on after a reload where they stopped', async () => {
  const database = openDevice();
  serveTexts(2);
  const first = openPage(database);
  await expect.poll(() => first.bodies.hashes()).toHaveLength(100);
  first.close();
  const asked = serveTexts();
  const { labels } = openPage(database);
  await expect.poll(() => labels.at(-1)).toBe('Synced');
  expect(asked.flat()).toEqual(rows.slice(100).map(({ id }) => id));
});

it('of memories that arrive later follow at once', async () => {
  serveTexts();
  const { labels, server, replica, bodies } = openPage(openDevice());
  await expect.poll(() => labels.at(-1)).toBe('Synced');
  const text = 'Late '.padEnd(9_000, 'tide ');
  const late = memoryRow({ ...bodyFields(text), notes: null, created: minute(1) });
  textOf.set(late.id, text);
  server.put('memory', late);
  replica.syncNow();
  await expect.poll(() => bodies.hashes()).toHaveLength(201);
  expect(await bodies.find(late.bodyHash ?? '')).toBe(text);
});

it('stop where there is no room, which is said', async () => {
  serveTexts();
  const { labels, bodies } = openPage(openDevice(), 1_000_000);
  await expect.poll(() => labels.at(-1)).toBe('No room for texts: 100 of 200');
  expect(await bodies.hashes()).toHaveLength(100);
});
