/** What the list of waiting changes calls them. */
import { expect, it } from 'vitest';
import { MUTATORS } from '#shared/mutators.ts';
import { changeLabel } from '#client/shell/sync-labels.ts';

it('has plain words for every mutation that a person makes', () => {
  const own = Object.keys(MUTATORS).filter((name) => !name.startsWith('sync.'));
  expect(own.filter((name) => changeLabel(name).includes('.'))).toEqual([]);
  const said = ['memory.create', 'memory.restore', 'memory.retry', 'memory.remove_tags', 'thread.open'];
  expect(said.map(changeLabel)).toEqual([
    'Create memory',
    'Restore memory',
    'Retry memory',
    'Remove tags',
    'Open thread',
  ]);
  expect(changeLabel('memory.set_notes')).toBe('Edit notes');
});
