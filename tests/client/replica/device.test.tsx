/** The device's tables for one person beside the replica, opened on first use. */
import { expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { deviceDatabaseName } from '#client/replica/device-database.ts';
import { Device } from '#client/replica/lazy-device.ts';
import { reduceToUnsent } from '#client/replica/reduce-device.ts';
import { userKey } from '#client/replica/user-key.ts';

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

it('holds no answer to a question that waits beyond the session, also when other things stay', async () => {
  const userId = newId('user');
  const device = new Device(userId);
  const tables = await device.tables();
  const [messageId, workspaceId, memoryId] = [newId('message'), newId('workspace'), newId('memory')];
  await tables.answer.put({
    messageId,
    workspaceId,
    content: '> Words of a note \\[1\\]',
    citations: [{ memoryId, quote: 'Words of a note' }],
  });
  await tables.upload.put({
    id: newId('memory'),
    workspaceId,
    kind: 'file',
    name: 'a',
    blob: new Blob(['a']),
    fields: {},
    created: 0,
    tries: 0,
    lastError: null,
  });
  device.close();
  expect(await reduceToUnsent(userKey(userId))).toBe(1);
  const later = await new Device(userId).tables();
  expect([await later.answer.count(), await later.upload.count()]).toEqual([0, 1]);
  await later.delete();
});
