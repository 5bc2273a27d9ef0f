/** How a list of memories is narrowed, ordered and counted, and how that stands in the address. */
import { expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { parseListView, timeOf, toggleFacet, writeListView } from '#client/memories/list-view.ts';
import { countFacet, selectMemories } from '#client/memories/select-memories.ts';

/** Home as it opens without parameters. */
const PLAIN_VIEW = parseListView(new URLSearchParams());

const workspaceId = newId('workspace');
const userId = newId('user');
let clock = Date.parse('2026-03-01T00:00:00.000Z');

function head(fields: Partial<MemoryHead>): MemoryHead {
  clock -= 60_000;
  const created = new Date(clock).toISOString();
  return {
    id: newId('memory'),
    workspaceId,
    ownerId: userId,
    createdBy: userId,
    lastEditedBy: userId,
    spaceId: null,
    type: 'note',
    origin: 'manual_entry',
    contentStatus: 'completed',
    metadata: {},
    title: null,
    description: null,
    summary: null,
    url: null,
    notes: null,
    bodyHash: null,
    bodyBytes: 0,
    tags: [],
    screenshot: null,
    filename: null,
    uploadId: null,
    archived: false,
    deletedAt: null,
    created,
    updated: created,
    ...fields,
  };
}

const of = (newestFirst: readonly MemoryHead[]) => ({ newestFirst, links: [] });
const titles = (rows: readonly MemoryHead[]) => rows.map((row) => row.title);

it('shows neither archived nor deleted memories by default', () => {
  const rows = [
    head({ title: 'here' }),
    head({ title: 'old', archived: true }),
    head({ title: 'gone', deletedAt: '2026-03-02T00:00:00.000Z' }),
    head({ title: 'old and gone', archived: true, deletedAt: '2026-03-02T00:00:00.000Z' }),
  ];
  const shown = (scope: 'active' | 'archived' | 'deleted') =>
    titles(selectMemories(of(rows), { ...PLAIN_VIEW, scope }));
  expect(shown('active')).toEqual(['here']);
  expect(shown('archived')).toEqual(['old']);
  expect(shown('deleted')).toEqual(['gone', 'old and gone']);
});

it('wants all chosen tags but any of the chosen types', () => {
  const rows = [
    head({ title: 'both', tags: ['a', 'b'] }),
    head({ title: 'one', tags: ['a'], type: 'link' }),
    head({ title: 'file', type: 'file' }),
  ];
  expect(titles(selectMemories(of(rows), { ...PLAIN_VIEW, tag: ['a', 'b'] }))).toEqual(['both']);
  expect(titles(selectMemories(of(rows), { ...PLAIN_VIEW, type: ['link', 'file'] }))).toEqual([
    'one',
    'file',
  ]);
});

it('counts for each value what choosing it would leave', () => {
  const rows = [
    head({ tags: ['a', 'b'] }),
    head({ tags: ['a'], type: 'link' }),
    head({ tags: ['c'], type: 'link' }),
  ];
  const view = { ...PLAIN_VIEW, type: ['link'], tag: ['a'] };
  expect(Object.fromEntries(countFacet(of(rows), view, 'type'))).toEqual({ note: 1, link: 1 });
  expect(Object.fromEntries(countFacet(of(rows), view, 'tag'))).toEqual({ a: 1 });
});

it('filters by space through the links', () => {
  const rows = [head({ title: 'in' }), head({ title: 'out' })];
  const links = [
    { spaceId: 'spc_x', memoryId: rows[0]?.id ?? '' },
    { spaceId: 'spc_y', memoryId: rows[1]?.id ?? '' },
  ];
  const source = { newestFirst: rows, links };
  expect(titles(selectMemories(source, { ...PLAIN_VIEW, space: ['spc_x'] }))).toEqual(['in']);
  expect(Object.fromEntries(countFacet(source, PLAIN_VIEW, 'space'))).toEqual({ spc_x: 1, spc_y: 1 });
});

it('orders by time, by last change or by the title that is shown', () => {
  const rows = [
    head({ title: 'b 10' }),
    head({ title: null, notes: 'A first line', updated: '2026-09-01T00:00:00.000Z' }),
    head({ title: 'b 9' }),
  ];
  const order = (view: Partial<typeof PLAIN_VIEW>) =>
    titles(selectMemories(of(rows), { ...PLAIN_VIEW, ...view }));
  expect(order({ reversed: true })).toEqual(['b 9', null, 'b 10']);
  expect(order({ sort: 'title' })).toEqual([null, 'b 9', 'b 10']);
  expect(order({ sort: 'updated' })).toEqual([null, 'b 10', 'b 9']);
});

it('orders what was deleted by when it was, newest first', () => {
  const rows = [
    head({ title: 'saved last', deletedAt: '2026-03-02T00:00:00.000Z' }),
    head({ title: 'deleted last', deletedAt: '2026-03-04T00:00:00.000Z' }),
    head({ title: 'saved first', deletedAt: '2026-03-03T00:00:00.000Z' }),
  ];
  const view = { ...PLAIN_VIEW, scope: 'deleted' } as const;
  const order = ['deleted last', 'saved first', 'saved last'];
  expect(titles(selectMemories(of(rows), view))).toEqual(order);
  expect(titles(selectMemories(of(rows), { ...view, reversed: true }))).toEqual(order.toReversed());
  expect(timeOf(view)).toBe('deletedAt');
});

it('survives the way through the address and leaves foreign parameters alone', () => {
  const view = toggleFacet(
    { ...PLAIN_VIEW, scope: 'archived', sort: 'title', reversed: true },
    'tag',
    'café & co',
  );
  const params = writeListView(new URLSearchParams('memory=mem_1&tag=gone'), view);
  expect(parseListView(new URLSearchParams(params.toString()))).toEqual(view);
  expect(params.get('memory')).toBe('mem_1');
  expect(writeListView(params, PLAIN_VIEW).toString()).toBe('memory=mem_1');
});

it('ignores unknown values in an address', () => {
  expect(parseListView(new URLSearchParams('view=x&sort=price&type=note,virus&origin='))).toEqual({
    ...PLAIN_VIEW,
    type: ['note'],
  });
});
