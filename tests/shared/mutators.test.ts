// What the mutations do and refuse, on plain Maps: the same functions that replicas and the server run.
import { fc } from '#tests/support/fast-check.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { MutationContext } from '#shared/define/mutator.ts';
import { newId } from '#shared/ids.ts';
import { MUTATORS } from '#shared/mutators.ts';
import { contextOf, MapTx, run } from '#tests/support/map-tx.ts';
import { memoryRow, spaceRow } from '#tests/support/rows.ts';

const AT = '2026-11-21T10:00:00.000Z';
let tx: MapTx;
let member: MutationContext;

beforeEach(() => {
  tx = new MapTx();
  member = contextOf('member');
});

async function createNote(notes: string, context = member) {
  const id = newId('memory');
  await run(tx, context, 'memory.create', { id, at: AT, origin: 'manual_entry', notes });
  return id;
}

/** Spaces that list a memory. */
function linksOf(id: string): string[] {
  const links = [...tx.rows.space_memory.values()].filter(({ memoryId }) => memoryId === id);
  return links.map(({ spaceId }) => spaceId).sort();
}

describe('creating memories', () => {
  test('a text becomes a completed note with its content address', async () => {
    const id = await createNote('Remember the milk');
    expect(tx.rows.memory.get(id)).toMatchObject({
      type: 'note',
      contentStatus: 'completed',
      bodyBytes: 17,
      ownerId: member.actor.userId,
      created: AT,
    });
  });

  test('an address becomes a pending link', async () => {
    const id = newId('memory');
    await run(tx, member, 'memory.create', { id, at: AT, origin: 'web', url: 'https://example.com/a' });
    expect(tx.rows.memory.get(id)).toMatchObject({ type: 'link', contentStatus: 'pending' });
  });

  test('a note that gets an address is a link, and a note again without it', async () => {
    const id = await createNote('Remember the milk');
    await run(tx, member, 'memory.update', { id, at: AT, url: 'https://example.com/milk' });
    expect(tx.rows.memory.get(id)).toMatchObject({ type: 'link', contentStatus: 'pending' });
    await run(tx, member, 'memory.update', { id, at: AT, url: null });
    expect(tx.rows.memory.get(id)).toMatchObject({ type: 'note', contentStatus: 'completed', url: null });
  });

  test('neither text nor address is refused', async () => {
    await expect(
      run(tx, member, 'memory.create', { id: newId('memory'), at: AT, origin: 'web' }),
    ).rejects.toThrow();
  });

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://',
    'notaurl',
    `https://x/${'a'.repeat(2_050)}`,
  ])('the address %s is refused', async (url) => {
    await expect(
      run(tx, member, 'memory.create', { id: newId('memory'), at: AT, origin: 'web', url }),
    ).rejects.toThrow();
  });

  test('origins that only the server gives are refused', async () => {
    await expect(
      run(tx, member, 'memory.create', { id: newId('memory'), at: AT, origin: 'system', notes: 'x' }),
    ).rejects.toThrow(/server/);
  });

  test('a read-only member creates nothing', async () => {
    await expect(createNote('x', contextOf('read-only'))).rejects.toMatchObject({ code: 'forbidden' });
    expect(tx.rows.memory.size).toBe(0);
  });

  test('capturing into a space also links it', async () => {
    const space = spaceRow();
    await tx.insert('space', space);
    const id = newId('memory');
    await run(tx, member, 'memory.create', {
      id,
      at: AT,
      origin: 'manual_entry',
      notes: 'x',
      spaceId: space.id,
    });
    expect(tx.rows.space_memory.has(`${space.id}/${id}`)).toBe(true);
  });

  test('replaying the same creation changes nothing', async () => {
    const id = await createNote('once');
    const before = tx.rows.memory.get(id);
    await run(tx, member, 'memory.create', { id, at: AT, origin: 'manual_entry', notes: 'twice' });
    expect(tx.rows.memory.get(id)).toEqual(before);
  });
});

describe('moving memories', () => {
  test('to a space, which lists it, and out of it again', async () => {
    const space = spaceRow();
    await tx.insert('space', space);
    const id = await createNote('Wanders');
    await run(tx, member, 'memory.move', { id, at: AT, spaceId: space.id });
    expect(tx.rows.memory.get(id)?.spaceId).toBe(space.id);
    expect(linksOf(id)).toEqual([space.id]);
    await run(tx, member, 'memory.move', { id, at: AT, spaceId: null });
    expect(tx.rows.memory.get(id)?.spaceId).toBeNull();
    expect(linksOf(id)).toEqual([]);
  });

  test('takes it out of the home it had and leaves it in all other spaces', async () => {
    const [from, to, other] = [spaceRow(), spaceRow(), spaceRow()];
    for (const space of [from, to, other]) await tx.insert('space', space);
    const id = await createNote('Wanders');
    await run(tx, member, 'space_memory.create', { spaceId: other.id, memoryId: id, at: AT });
    await run(tx, member, 'memory.move', { id, at: AT, spaceId: from.id });
    await run(tx, member, 'memory.move', { id, at: AT, spaceId: to.id });
    expect(linksOf(id)).toEqual([to.id, other.id].sort());
    await run(tx, member, 'memory.move', { id, at: AT, spaceId: to.id });
    expect(linksOf(id), 'a replay changes nothing').toEqual([to.id, other.id].sort());
  });

  test('is refused to colleagues and readers, also out of a home that all can read', async () => {
    const [open, mine] = [spaceRow(), spaceRow({ visibility: 'private' })];
    for (const space of [open, mine]) await tx.insert('space', space);
    const id = await createNote('Not yours');
    await run(tx, member, 'memory.move', { id, at: AT, spaceId: open.id });
    for (const position of ['member', 'read-only'] as const) {
      const stranger = contextOf(position);
      for (const spaceId of [open.id, null, mine.id])
        await expect(run(tx, stranger, 'memory.move', { id, at: AT, spaceId })).rejects.toMatchObject({
          code: 'forbidden',
        });
    }
    expect(tx.rows.memory.get(id)?.spaceId).toBe(open.id);
    expect(linksOf(id)).toEqual([open.id]);
    await run(tx, contextOf('admin'), 'memory.move', { id, at: AT, spaceId: null });
    expect(tx.rows.memory.get(id)?.spaceId).toBeNull();
  });

  test.each([undefined, '', 'null', 'spc_../etc', 7, { id: null }, ['spc']])(
    'to %o is refused',
    async (spaceId) => {
      const id = await createNote('Stays');
      const given = JSON.parse(JSON.stringify({ id, at: AT, spaceId }));
      await expect(run(tx, member, 'memory.move', given)).rejects.toThrow();
      expect(tx.rows.memory.get(id)?.spaceId).toBeNull();
      expect(linksOf(id)).toEqual([]);
    },
  );

  test('is refused for deleted memories, and into spaces that are deleted, unknown or private to others', async () => {
    const [open, gone, shut] = [
      spaceRow(),
      spaceRow({ deletedAt: AT }),
      spaceRow({ visibility: 'private' }),
    ] as const;
    for (const space of [open, gone, shut]) await tx.insert('space', space);
    const id = await createNote('Stays');
    const move = (spaceId: typeof open.id) => run(tx, member, 'memory.move', { id, at: AT, spaceId });
    await expect(move(gone.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(move(newId('space'))).rejects.toMatchObject({ code: 'not_found' });
    await expect(move(shut.id)).rejects.toMatchObject({ code: 'forbidden' });
    expect(tx.rows.memory.get(id)?.spaceId).toBeNull();
    expect(linksOf(id)).toEqual([]);
    await run(tx, member, 'memory.remove', { id, at: AT });
    await expect(move(open.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(tx.rows.memory.get(id)?.spaceId).toBeNull();
  });
});

describe('editing memories', () => {
  test('notes edited on the base that is stored replace it', async () => {
    const id = await createNote('first');
    const baseHash = tx.rows.memory.get(id)?.bodyHash ?? null;
    await run(tx, member, 'memory.set_notes', { id, at: AT, notes: 'second', baseHash });
    expect(tx.rows.memory.get(id)?.notes).toBe('second');
  });

  test('notes edited on another base keep both texts, and a replay does not merge again', async () => {
    const id = await createNote('first');
    const baseHash = tx.rows.memory.get(id)?.bodyHash ?? null;
    await run(tx, member, 'memory.set_notes', { id, at: AT, notes: 'from the phone', baseHash });
    const late = { id, at: AT, notes: 'from the laptop', baseHash };
    await run(tx, member, 'memory.set_notes', late);
    const merged = tx.rows.memory.get(id)?.notes ?? '';
    expect(merged).toContain('from the laptop');
    expect(merged).toContain('from the phone');
    expect(merged).toContain('2026-11-21');
    await run(tx, member, 'memory.set_notes', late);
    expect(tx.rows.memory.get(id)?.notes).toBe(merged);
  });

  test('notes that were shortened keep both texts when they were changed elsewhere, though one begins with the other', async () => {
    const id = await createNote('code: 1234');
    const baseHash = tx.rows.memory.get(id)?.bodyHash ?? null;
    await run(tx, member, 'memory.set_notes', { id, at: AT, notes: 'code: 1234, of the garage', baseHash });
    await run(tx, member, 'memory.set_notes', { id, at: AT, notes: 'code:', baseHash });
    expect(tx.rows.memory.get(id)?.notes).toMatch(/^code:\n[^]*Conflicting version[^]*1234, of the garage$/);
  });

  test('a quote is added, noted and removed, whatever became of the notes meanwhile', async () => {
    const id = await createNote('first');
    const notes = () => tx.rows.memory.get(id)?.notes;
    const baseHash = tx.rows.memory.get(id)?.bodyHash ?? null;
    const edit = (from: string | null, to: string | null, seen: string) =>
      run(tx, member, 'memory.edit_quote', { id, at: AT, notes: seen, baseHash, from, to });
    await edit(null, '> One', 'first\n\n> One');
    // From here on the edits were made of the text of before.
    await edit(null, '> Two', 'first\n\n> Two');
    await edit(null, '> Two', 'first\n\n> Two');
    expect(notes()).toBe('first\n\n> One\n\n> Two');
    await edit('> One', '> One\n\nWords', 'first\n\n> One\n\nWords');
    await edit('> Gone', null, 'first');
    await edit('> Two', null, 'first');
    expect(notes()).toBe('first\n\n> One\n\nWords');
    await expect(edit(null, null, 'x')).rejects.toThrow();
    await expect(edit(null, 'x'.repeat(100_001), 'x')).rejects.toThrow();
    await expect(edit(null, `> ${'x'.repeat(99_990)}`, 'x')).rejects.toMatchObject({ code: 'invalid' });
    const reader = contextOf('read-only');
    const args = { id, at: AT, notes: null, baseHash: tx.rows.memory.get(id)?.bodyHash ?? null };
    await expect(
      run(tx, reader, 'memory.edit_quote', { ...args, from: '> One', to: null }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    expect(notes()).toBe('first\n\n> One\n\nWords');
  });

  test('tags merge as sets in any order of arrival', async () => {
    const tag = fc.stringMatching(/^[a-z]{1,6}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.array(tag, { minLength: 1, maxLength: 5 }),
        fc.array(tag, { minLength: 1, maxLength: 5 }),
        async (a, b) => {
          const results = [];
          for (const order of [
            [a, b],
            [b, a],
          ]) {
            tx = new MapTx();
            const id = await createNote('x');
            for (const tags of order) await run(tx, member, 'memory.add_tags', { id, at: AT, tags });
            results.push([...(tx.rows.memory.get(id)?.tags ?? [])].sort());
          }
          expect(results[0]).toEqual(results[1]);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('a member edits what the workspace reads, but not what lies in a private home space', async () => {
    const privateSpace = spaceRow({ visibility: 'private' });
    await tx.insert('space', privateSpace);
    const open = memoryRow();
    const closed = memoryRow({ spaceId: privateSpace.id });
    await tx.insert('memory', open);
    await tx.insert('memory', closed);
    await run(tx, member, 'memory.update', { id: open.id, at: AT, title: 'New' });
    await expect(
      run(tx, member, 'memory.update', { id: closed.id, at: AT, title: 'New' }),
    ).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  test('a deleted memory can be brought back, and only by who may delete it', async () => {
    const id = await createNote('x');
    const other = contextOf('member');
    await expect(run(tx, other, 'memory.remove', { id, at: AT })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await run(tx, member, 'memory.remove', { id, at: AT });
    expect(tx.rows.memory.get(id)?.deletedAt).toBe(AT);
    await run(tx, member, 'memory.restore', { id, at: AT });
    expect(tx.rows.memory.get(id)?.deletedAt).toBeNull();
  });
});

describe('an edit of a text that has changed since its author saw it', () => {
  const later = '2026-12-11T10:00:00.000Z';

  test.each([
    ['an honest clock', AT],
    ['a clock that is ahead', '2027-11-21T10:00:00.000Z'],
  ])('is refused, with %s', async (_name, at) => {
    const id = await createNote('x');
    await run(tx, member, 'memory.update', { id, at: AT, title: 'Old' });
    const other = contextOf('owner', member.realmId);
    await run(tx, other, 'memory.update', { id, at: later, title: 'New', base: { title: 'Old' } });
    const edit = { id, at, title: 'Mine', base: { title: 'Old' } };
    await expect(run(tx, member, 'memory.update', edit)).rejects.toMatchObject({ code: 'conflict' });
    expect(tx.rows.memory.get(id)).toMatchObject({ title: 'New', lastEditedBy: other.actor.userId });
    // Another text of the same memory is as the author saw it.
    await run(tx, member, 'memory.update', { id, at, description: 'Mine', base: { description: null } });
    expect(tx.rows.memory.get(id)).toMatchObject({ title: 'New', description: 'Mine' });
  });

  test('is taken when it is repeated, follows an edit of the same person, or a page filled what was empty', async () => {
    const id = await createNote('x');
    const edit = (from: string | null, to: string) =>
      run(tx, member, 'memory.update', { id, at: AT, title: to, base: { title: from } });
    await edit(null, 'One');
    await edit(null, 'One');
    await edit('One', 'Two');
    await tx.update('memory', id, { title: 'Title of the page' });
    await edit(null, 'Three');
    expect(tx.rows.memory.get(id)?.title).toBe('Three');
  });

  test('is refused for names of spaces and threads, too', async () => {
    const [space, thread] = [newId('space'), newId('thread')];
    await run(tx, member, 'space.create', {
      id: space,
      at: AT,
      name: 'Old',
      slug: 'old',
      visibility: 'private',
    });
    await run(tx, member, 'thread.create', { id: thread, at: AT, name: 'Old', visibility: 'private' });
    const edit = { at: AT, name: 'Mine', base: { name: 'Older' } };
    const refused = { code: 'conflict' };
    await expect(run(tx, member, 'space.update', { ...edit, id: space })).rejects.toMatchObject(refused);
    await expect(run(tx, member, 'thread.update', { ...edit, id: thread })).rejects.toMatchObject(refused);
  });
});

describe('spaces', () => {
  test('a member publishes an own space unless the workspace forbids it', async () => {
    const id = newId('space');
    await run(tx, member, 'space.create', { id, at: AT, name: 'Open', slug: 'open', visibility: 'public' });
    expect(tx.rows.space.get(id)?.visibility).toBe('public');
    const foreign = spaceRow();
    await tx.insert('space', foreign);
    await expect(
      run(tx, member, 'space.update', { id: foreign.id, at: AT, visibility: 'public' }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('filing a memory of a private home in a public space needs its owner', async () => {
    const home = spaceRow({ visibility: 'private' });
    const open = spaceRow({ visibility: 'public' });
    const foreign = memoryRow({ spaceId: home.id });
    await tx.insert('space', home);
    await tx.insert('space', open);
    await tx.insert('memory', foreign);
    const link = { spaceId: open.id, memoryId: foreign.id, at: AT };
    await expect(run(tx, member, 'space_memory.create', link)).rejects.toMatchObject({ code: 'forbidden' });
    await run(
      tx,
      { ...member, actor: { userId: foreign.ownerId, position: 'member' } },
      'space_memory.create',
      link,
    );
    expect(tx.rows.space_memory.size).toBe(1);
  });

  test.each(['p', 'new', 'UPPER', 'a', '-a', 'a--b', 'a'.repeat(49)])(
    'the slug %s is refused',
    async (slug) => {
      await expect(
        run(tx, member, 'space.create', { id: newId('space'), at: AT, name: 'X', slug }),
      ).rejects.toThrow();
    },
  );
});

describe('threads', () => {
  test('a thread is private by default and its messages keep their order', async () => {
    const threadId = newId('thread');
    await run(tx, member, 'thread.create', { id: threadId, at: AT, name: 'Questions' });
    expect(tx.rows.thread.get(threadId)?.visibility).toBe('private');
    await run(tx, member, 'message.create', { id: newId('message'), threadId, content: 'One', at: AT });
    await expect(
      run(tx, member, 'message.create', { id: newId('message'), threadId, content: '   ', at: AT }),
    ).rejects.toThrow(/Write something/);
    expect(tx.rows.message.size).toBe(1);
    expect(tx.opened.has(threadId)).toBe(true);
  });

  test('a branch copies what was said up to a message, again under the same ids', async () => {
    const [threadId, other] = [newId('thread'), newId('thread')];
    const ids = [newId('message'), newId('message'), newId('message')] as const;
    for (const id of [threadId, other]) await run(tx, member, 'thread.create', { id, at: AT, name: 'Talk' });
    for (const id of ids) await run(tx, member, 'message.create', { id, threadId, content: id, at: AT });
    const branch = { id: newId('thread'), threadId, messageId: ids[1], at: AT };
    await run(tx, member, 'thread.branch', branch);
    const copies = () => [...tx.rows.message.values()].filter((row) => row.threadId === branch.id);
    expect(copies().map(({ content }) => content)).toEqual(ids.slice(0, 2));
    const before = structuredClone(tx.rows);
    await run(tx, member, 'thread.branch', branch);
    expect(tx.rows).toEqual(before);
    const [copy] = copies();
    for (const row of copies()) await tx.remove('message', row.id);
    await tx.remove('thread', branch.id);
    await run(tx, member, 'thread.branch', branch);
    expect(copies()[0]).toEqual(copy);
    // Not through another thread, nor from what an answer said before, nor by those who may begin no thread.
    const from = { ...branch, id: newId('thread') };
    await expect(run(tx, member, 'thread.branch', { ...from, threadId: other })).rejects.toThrow(
      /Message not/,
    );
    await tx.update('message', ids[1], { versionOf: ids[0] });
    await expect(run(tx, member, 'thread.branch', from)).rejects.toThrow(/Message not/);
    await expect(run(tx, contextOf('read-only'), 'thread.branch', from)).rejects.toMatchObject({
      code: 'forbidden',
    });
    await run(tx, member, 'thread.remove', { id: threadId, at: AT });
    await expect(run(tx, member, 'thread.branch', from)).rejects.toThrow(/Thread not/);
  });
});

describe.each(
  (['memory.create', 'space.create', 'thread.create', 'message.create'] as const).map((name) => ({ name })),
)('$name', ({ name }) => {
  /** Arguments under which the mutation does all that it can do beside adding its row. */
  async function prepare() {
    const space = spaceRow();
    await tx.insert('space', space);
    const threadId = newId('thread');
    await run(tx, member, 'thread.create', { id: threadId, at: AT, name: 'Talk', visibility: 'workspace' });
    const args = {
      'memory.create': {
        id: newId('memory'),
        at: AT,
        origin: 'manual_entry',
        notes: 'x',
        spaceId: space.id,
      },
      'space.create': { id: newId('space'), at: AT, name: 'Room', slug: 'room' },
      'thread.create': { id: newId('thread'), at: AT, name: 'Other', visibility: 'workspace' },
      'message.create': { id: newId('message'), at: AT, threadId, content: 'Hello' },
    } as const;
    await run(tx, member, name, args[name]);
    // What followed is taken away, so that it would be seen to come back.
    tx.rows.space_memory.clear();
    tx.opened.clear();
    await tx.update('thread', threadId, { updated: '2020-01-01T00:00:00.000Z' });
    return { args: args[name], before: structuredClone(tx.rows) };
  }

  test('under the id of a row of another person is a conflict and does nothing', async () => {
    const { args, before } = await prepare();
    await expect(run(tx, contextOf('member'), name, args)).rejects.toMatchObject({ code: 'conflict' });
    expect([tx.rows, tx.opened.size]).toEqual([before, 0]);
  });

  test('repeated by its author does nothing', async () => {
    const { args, before } = await prepare();
    await run(tx, member, name, args);
    expect([tx.rows, tx.opened.size]).toEqual([before, 0]);
  });
});

test('every mutation that names a new row is among those above', () => {
  const creating = Object.keys(MUTATORS).filter((name) => name.endsWith('.create'));
  expect(creating).toEqual([
    'memory.create',
    'space.create',
    'space_memory.create',
    'thread.create',
    'message.create',
  ]);
});

test('no mutation accepts arbitrary arguments', () => {
  for (const [name, mutator] of Object.entries(MUTATORS)) {
    fc.assert(
      fc.property(fc.anything(), (args) => !mutator.args.safeParse(args).success),
      { numRuns: 200 },
    );
    expect(name).toMatch(/^[a-z_]+\.[a-z_]+$/);
  }
});
