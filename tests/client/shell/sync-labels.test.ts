/** What the sync indicator and its list say. */
import { expect, it } from 'vitest';
import { MUTATORS } from '#shared/mutators.ts';
import {
  changeDetail,
  changeLabel,
  storageLabel,
  syncExplanation,
  syncLabel,
} from '#client/shell/sync-labels.ts';

it('names each state with its number', () => {
  expect(syncLabel('synced', 0)).toBe('Synced');
  expect(syncLabel('syncing', 0)).toBe('Syncing');
  expect(syncLabel('syncing', 3)).toBe('Syncing 3');
  expect(syncLabel('offline', 0)).toBe('Offline');
  expect(syncLabel('offline', 2)).toBe('Offline, 2 waiting');
  expect(syncLabel('attention', 1)).toBe('1 change needs attention');
});

it('promises no storage where nothing is stored', () => {
  expect(storageLabel('ok')).toBeUndefined();
  expect(storageLabel('memory')).toBe('Not stored on this device');
  expect(storageLabel('full')).toBe('Device storage full');
  expect(syncExplanation('offline', 'ok')).toContain('saved on this device');
  for (const storage of ['memory', 'full', 'lost'] as const)
    expect(syncExplanation('offline', storage)).not.toContain('saved');
});

it('has plain words for every mutation that a person makes', () => {
  const own = Object.keys(MUTATORS).filter((name) => !name.startsWith('sync.'));
  expect(own.filter((name) => changeLabel(name).includes('.'))).toEqual([]);
  const said = ['memory.create', 'memory.restore', 'memory.retry', 'memory.remove_tags', 'thread.open'];
  expect(said.map(changeLabel)).toEqual([
    ...['Create memory', 'Restore memory', 'Retry memory', 'Remove tags', 'Open thread'],
  ]);
  expect(changeLabel('memory.set_notes')).toBe('Edit notes');
});

it('recognises a change by its words', () => {
  expect(changeDetail({ id: 'mem_1', title: ' T ' })).toBe('T');
  expect(changeDetail({ tags: ['a', 'b'] })).toBe('a, b');
  expect(changeDetail({ id: 'mem_1' })).toBeUndefined();
  expect(changeDetail(undefined)).toBeUndefined();
});
