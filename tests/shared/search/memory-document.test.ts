/** When a memory is indexed again. */
import { expect, it } from 'vitest';
import { searchStampOf } from '#shared/search/memory-document.ts';
import { memoryRow } from '#tests/support/replica-rows.ts';

it('is indexed again after each change of what is found, also by the server, which leaves its last change as it is', () => {
  const row = memoryRow({ title: 'Kiln', tags: ['clay'] });
  const stampOf = (given: Partial<typeof row>) =>
    searchStampOf({ ...row, ...given }, [], { body: false, page: false });
  const changes = [
    {},
    { title: 'Firing a kiln' },
    { title: null },
    { tags: [] },
    { archived: true },
    { updated: '2026-05-01T00:00:00.000Z' },
  ];
  expect(new Set(changes.map(stampOf)).size).toBe(changes.length);
  expect(stampOf({ metadata: { automatic: { summary: 'Not searched' } } })).toBe(stampOf({}));
});
