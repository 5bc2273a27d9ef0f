/** The device's tables for one person beside the replica, opened on first use. */
import { expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { deviceDatabaseName } from '#client/replica/device-database.ts';
import { Device } from '#client/replica/lazy-device.ts';

const names = async () => (await indexedDB.databases()).map(({ name }) => name);

it('is opened once and stores what it is given', async () => {
  const userId = newId('user');
  const device = new Device(userId);
  const [first, again] = await Promise.all([device.tables(), device.tables()]);
  expect(first).toBe(again);
  await first.preference.put({ key: 'layout', value: 'grid' });
  expect(await first.preference.get('layout')).toEqual({ key: 'layout', value: 'grid' });
  await first.delete();
});

it('stays closed after a logout: a late caller brings nothing back', async () => {
  const userId = newId('user');
  const device = new Device(userId);
  const early = device.tables();
  device.close();
  await expect(early).rejects.toThrow(/closed/);
  await expect(device.tables()).rejects.toThrow(/closed/);
  expect(await names()).not.toContain(deviceDatabaseName(userId));
});
