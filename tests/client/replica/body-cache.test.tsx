/** Long texts on the device: never above the cap, never under another's name. */
import { afterEach, expect, it } from 'vitest';
import { addressOf } from '#shared/hash.ts';
import { newId } from '#shared/ids.ts';
import { BodyCache } from '#client/replica/body-cache.ts';
import { DeviceDatabase } from '#client/replica/device-database.ts';

const CAP = 100_000;
const textOf = (index: number) => `Text ${index} `.padEnd(10_000, String(index % 10));

let device: DeviceDatabase | undefined;

afterEach(async () => {
  await device?.delete();
});

function openCache(): { bodies: BodyCache; stored: () => Promise<number> } {
  const database = new DeviceDatabase(newId('user'));
  device = database;
  return {
    bodies: new BodyCache({ tables: async () => database }, async () => CAP),
    stored: async () => (await database.body.toArray()).reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

it('never take more room than the cap, and the one read last stays', async () => {
  const { bodies, stored } = openCache();
  for (let index = 0; index < 30; index += 1) {
    await bodies.keep(textOf(index));
    expect(await stored()).toBeLessThanOrEqual(CAP);
  }
  expect(await bodies.find(addressOf(textOf(29)).hash)).toBe(textOf(29));
  expect(await bodies.find(addressOf(textOf(0)).hash)).toBeUndefined();
});

it('are found again under the same hash after they were evicted and fetched again', async () => {
  const { bodies } = openCache();
  const hash = await bodies.keep(textOf(0));
  for (let index = 1; index < 15; index += 1) await bodies.keep(textOf(index));
  expect(await bodies.find(hash)).toBeUndefined();
  expect(await bodies.keep(textOf(0))).toBe(hash);
  expect(await bodies.find(hash)).toBe(textOf(0));
});

it('are never shown under the hash of another version', async () => {
  const { bodies } = openCache();
  const old = await bodies.keep('The old text');
  const { hash } = addressOf('The new text');
  expect(await bodies.find(hash)).toBeUndefined();
  await bodies.keep('The new text');
  expect(await bodies.find(hash)).toBe('The new text');
  expect(await bodies.find(old)).toBe('The old text');
});
