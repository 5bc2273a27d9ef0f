/** Opened files on this device: found again, bounded, and removed with everything else of the person. */
import { afterEach, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { findFile, keepFile } from '#client/replica/file-store.ts';
import { Device } from '#client/replica/lazy-device.ts';
import { reduceToUnsent } from '#client/replica/reduce-device.ts';
import { userKey } from '#client/replica/user-key.ts';

const USER = newId('user');
const blobOf = (bytes: number) => new Blob([new Uint8Array(bytes)], { type: 'image/png' });
const cap = async () => 1_000;

let device = new Device(USER);
afterEach(async () => {
  await (await device.tables()).delete();
  device.close();
  device = new Device(USER);
});

const left = async () => (await device.tables()).file.toCollection().primaryKeys();

it('are found under the id of their upload, with their type', async () => {
  await keepFile(device, { id: 'one', blob: blobOf(10) });
  const found = await findFile(device, 'one');
  expect([found?.size, found?.type]).toEqual([10, 'image/png']);
  expect(await findFile(device, 'other')).toBeUndefined();
});

it('make room for newer ones, the least recently used first', async () => {
  for (const id of ['a', 'b', 'c']) {
    await keepFile(device, { id, blob: blobOf(300) }, cap);
    await (await device.tables()).file.update(id, { lastUsed: 'abc'.indexOf(id) });
  }
  await findFile(device, 'a');
  await keepFile(device, { id: 'd', blob: blobOf(300) }, cap);
  expect(await left()).toEqual(['a', 'c', 'd']);
});

it('are not stored when they are larger than all of the room', async () => {
  await keepFile(device, { id: 'a', blob: blobOf(400) }, cap);
  await keepFile(device, { id: 'huge', blob: blobOf(1_001) }, cap);
  expect(await left()).toEqual(['a']);
});

it('do not outlive the session', async () => {
  await keepFile(device, { id: 'a', blob: blobOf(10) });
  (await device.tables()).close();
  expect(await reduceToUnsent(userKey(USER))).toBe(0);
  device.close();
  device = new Device(USER);
  expect(await left()).toEqual([]);
});

it('are shown without being stored where nothing may be stored', async () => {
  await keepFile(undefined, { id: 'a', blob: blobOf(10) });
  expect(await findFile(undefined, 'a')).toBeUndefined();
});
