/** What the mutations of a person's own sidebar do and refuse, on plain Maps. */
import { beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/constants.ts';
import { SIDEBAR } from '#shared/spaces/limits.ts';
import type { MutationContext } from '#shared/define/mutator.ts';
import { newId, type Id } from '#shared/ids.ts';
import { arrangeSpaces, placed } from '#shared/spaces/sidebar-order.ts';
import { contextOf, MapTx, run } from '#tests/support/map-tx.ts';
import { spaceRow } from '#tests/support/rows.ts';

const AT = '2026-11-21T10:00:00.000Z';
let tx: MapTx;
let ada: MutationContext;
/** Spaces named A to F, by name. */
let spaces: { id: Id<'space'>; name: string }[];

beforeEach(() => {
  tx = new MapTx();
  ada = contextOf('read-only');
  spaces = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => spaceRow({ name }));
  for (const space of spaces) tx.rows.space.set(space.id, spaceRow(space));
});

const idOf = (name: string): Id<'space'> => {
  const found = spaces.find((space) => space.name === name);
  if (!found) throw new Error(`There is no ${name}`);
  return found.id;
};
const idsOf = (names: string): Id<'space'>[] => [...names].map(idOf);
const pin = (names: string) => run(tx, ada, 'sidebar.pin', { at: AT, spaceIds: idsOf(names) });
const unpin = (names: string) => run(tx, ada, 'sidebar.unpin', { at: AT, spaceIds: idsOf(names) });
const move = (name: string, section: 'pinned' | 'spaces', above: string) =>
  run(tx, ada, 'sidebar.move', { at: AT, spaceId: idOf(name), section, above: idsOf(above) });

/** The sidebar as two words: `AB CD` has A and B pinned. */
function shown(): string {
  const row = tx.rows.sidebar.get(ada.actor.userId) ?? { pinned: [], order: [] };
  const { pinned, spaces: others } = arrangeSpaces(spaces, row);
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).join('');
  return `${names(pinned)} ${names(others)}`;
}

describe('pinning', () => {
  it('puts spaces at the end of the pinned ones, each once', async () => {
    await pin('D');
    await pin('BDB');
    expect(shown()).toBe('DB ACEF');
    await unpin('D');
    await unpin('DA');
    expect(shown()).toBe('B ACDEF');
  });

  it('leaves out what is deleted or out of sight, and refuses when nothing is left', async () => {
    tx.rows.space.set(idOf('C'), spaceRow({ ...spaces[2], deletedAt: AT }));
    const unknown = newId('space');
    await run(tx, ada, 'sidebar.pin', { at: AT, spaceIds: [idOf('C'), unknown, idOf('A')] });
    expect(tx.rows.sidebar.get(ada.actor.userId)?.pinned).toEqual([idOf('A')]);
    await expect(
      run(tx, ada, 'sidebar.pin', { at: AT, spaceIds: [idOf('C'), unknown] }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('holds so many and no more; spaces that are gone make room', async () => {
    const many = Array.from({ length: SIDEBAR.pinned }, () => spaceRow({}));
    for (const space of many) tx.rows.space.set(space.id, space);
    await run(tx, ada, 'sidebar.pin', { at: AT, spaceIds: many.map(({ id }) => id) });
    await expect(pin('A')).rejects.toMatchObject({ code: 'invalid' });
    const [gone] = many;
    if (!gone) throw new Error('no space');
    tx.rows.space.set(gone.id, { ...gone, deletedAt: AT });
    await pin('A');
    const pinned = tx.rows.sidebar.get(ada.actor.userId)?.pinned ?? [];
    expect([pinned.length, pinned.at(-1), pinned.includes(gone.id)]).toEqual([
      SIDEBAR.pinned,
      idOf('A'),
      false,
    ]);
  });

  it('is no business of guests', async () => {
    const guest: MutationContext = { ...ada, actor: { ...ada.actor, position: 'guest' } };
    for (const name of ['sidebar.pin', 'sidebar.unpin'] as const)
      await expect(run(tx, guest, name, { at: AT, spaceIds: idsOf('A') })).rejects.toMatchObject({
        code: 'forbidden',
      });
    expect(tx.rows.sidebar.size).toBe(0);
  });
});

describe('moving', () => {
  it('moves one and leaves the others by name', async () => {
    await move('E', 'spaces', 'A');
    expect(shown()).toBe(' AEBCDF');
    await move('A', 'spaces', 'EBC');
    expect(shown()).toBe(' EBCADF');
    await move('F', 'spaces', '');
    expect(shown()).toBe(' FEBCAD');
  });

  it('moves among the pinned ones, in and out', async () => {
    await pin('ABC');
    await move('C', 'pinned', '');
    await move('F', 'pinned', 'CA');
    expect(shown()).toBe('CAFB DE');
    await move('A', 'spaces', 'D');
    expect(shown()).toBe('CFB DAE');
  });

  it('keeps what two devices did offline, in either order', async () => {
    // One moves F below A, the other pins B and moves E to the top; both saw the order by name.
    const steps = [() => move('F', 'spaces', 'A'), () => pin('B'), () => move('E', 'spaces', '')];
    for (const step of steps) await step();
    expect(shown()).toBe('B EAFCD');
    tx.rows.sidebar.clear();
    for (const step of steps.toReversed()) await step();
    expect(shown()).toBe('B EAFCD');
  });

  it('does nothing the second time', async () => {
    await move('E', 'spaces', 'A');
    await pin('C');
    const before = tx.rows.sidebar.get(ada.actor.userId);
    await move('E', 'spaces', 'A');
    await pin('C');
    expect(tx.rows.sidebar.get(ada.actor.userId)).toEqual(before);
  });

  it('says by its argument that a thousand is the end', async () => {
    const above = Array.from({ length: SIDEBAR.ordered }, () => newId('space'));
    const args = { at: AT, spaceId: idOf('A'), section: 'spaces' as const };
    await expect(run(tx, ada, 'sidebar.move', { ...args, above })).rejects.toThrow();
    await run(tx, ada, 'sidebar.move', { ...args, above: above.slice(1) });
    expect(tx.rows.sidebar.get(ada.actor.userId)?.order).toEqual([idOf('A')]);
  });

  it('puts one in front where none of its neighbours is there any more', () => {
    expect(placed(['b', 'c'], 'c', ['x'])).toEqual(['c', 'b']);
    expect(placed(['b', 'c'], 'a', ['c', 'a', 'x'])).toEqual(['b', 'c', 'a']);
  });
});

it('remembers which sections are collapsed', async () => {
  const collapse = (section: 'pinned' | 'spaces', collapsed: boolean) =>
    run(tx, ada, 'sidebar.collapse', { at: AT, section, collapsed });
  const collapsed = () => tx.rows.sidebar.get(ada.actor.userId)?.collapsed;
  await collapse('spaces', true);
  await collapse('spaces', true);
  await collapse('pinned', true);
  expect(collapsed()).toEqual(['spaces', 'pinned']);
  await collapse('spaces', false);
  expect(collapsed()).toEqual(['pinned']);
});

describe('one colour for many spaces', () => {
  it('colours those that the person may change, and reports the others', async () => {
    const mia = contextOf('member');
    const own = spaceRow({ ownerId: mia.actor.userId });
    tx.rows.space.set(own.id, own);
    const refused = await run(tx, mia, 'space.color_many', {
      at: AT,
      ids: [own.id, idOf('A')],
      color: 'plum',
    });
    expect([tx.rows.space.get(own.id)?.color, tx.rows.space.get(idOf('A'))?.color]).toEqual([
      'plum',
      'emerald',
    ]);
    expect(refused).toMatchObject({ args: { ids: [idOf('A')] }, error: { code: 'forbidden' } });
    await expect(
      run(tx, mia, 'space.color_many', { at: AT, ids: [idOf('A')], color: 'plum' }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('saved filters', () => {
  const save = (name: string, query: string) => run(tx, ada, 'sidebar.save_filter', { at: AT, name, query });
  const filters = () => tx.rows.sidebar.get(ada.actor.userId)?.filters;

  it('are saved under their names, replaced and removed', async () => {
    await save('  Bread ', 'tag=bread');
    await save('Archive', 'view=archived');
    await save('Bread', 'tag=bread%2Cyeast');
    expect(filters()).toEqual({ Bread: 'tag=bread%2Cyeast', Archive: 'view=archived' });
    await run(tx, ada, 'sidebar.remove_filter', { at: AT, name: 'Bread' });
    await run(tx, ada, 'sidebar.remove_filter', { at: AT, name: 'Unknown' });
    expect(filters()).toEqual({ Archive: 'view=archived' });
  });

  it('keep what else the sidebar holds, and have names that objects have already', async () => {
    await pin('B');
    for (const name of ['constructor', 'toString', '1']) await save(name, 'tag=a');
    expect(Object.keys(filters() ?? {}).toSorted()).toEqual(['1', 'constructor', 'toString']);
    expect(shown()).toBe('B ACDEF');
  });

  it.each([
    ['', 'tag=a'],
    ['   ', 'tag=a'],
    ['x'.repeat(LIMITS.name + 1), 'tag=a'],
    ['two\nlines', 'tag=a'],
    ['a\u0000b', 'tag=a'],
    ['No query', ''],
    ['Spaces', 'tag=a b'],
    ['Other words', 'tag=é'],
    ['Long', 'x'.repeat(LIMITS.url + 1)],
  ])('are refused: %j, %j', async (name, query) => {
    await expect(save(name, query)).rejects.toThrow();
    expect(filters()).toBeUndefined();
  });

  it('are limited, and the last of them can still be replaced', async () => {
    for (let count = 0; count < SIDEBAR.filters; count += 1) await save(`Filter ${count}`, 'tag=a');
    await expect(save('One more', 'tag=a')).rejects.toThrow('at most 50');
    await save('Filter 7', 'tag=b');
    expect(filters()?.['Filter 7']).toBe('tag=b');
  });
});
