// Archives that claim to be exports of Loci and are made to do harm: paths that lead elsewhere, ids of other people, lists
// that promise too much, rows of the wrong kind. Each costs itself at most, and nothing of others is touched or shown.
import { beforeEach, describe, expect, it } from 'vitest';
import { runImport } from '#server/capture/import-run.ts';
import { startImport } from '#server/capture/service.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { IMPORT } from '#shared/capture/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import {
  archiveOf,
  AT,
  EVIL_PAGE,
  memoryRow,
  messageRow,
  spaceRow,
  threadRow,
  type Json,
} from '#tests/support/archive-rows.ts';
import { IS_WHOLE } from '#tests/support/whole-run.ts';
import { openWorld } from '#tests/support/world.ts';
import type { ZipEntry } from '#tests/support/zip.ts';

let cast: Cast;
let workspaceId: Id<'workspace'>;
const world = await openWorld();
beforeEach(async () => {
  cast = await createCast(world);
  ({ workspaceId } = cast);
});

async function importBy(agent: Agent, archive: Buffer): Promise<ImportJob> {
  const { context } = world;
  const order = { workspaceId, userId: agent.user.id, filename: 'acme.zip', folders: 'none' as const };
  const { id } = await startImport(context, context.jobs, order, archive);
  await runImport(context, id);
  return (await agent.api('import.get', { params: { workspaceId, id } })).result;
}

const reasonsOf = ({ problems }: ImportJob) => problems.map(({ reason }) => reason);
const memoriesOf = (id: Id<'workspace'> = workspaceId) =>
  world.context.db.selectFrom('memory').selectAll().where('workspaceId', '=', id).orderBy('title').execute();

describe('the list', () => {
  it.each<[string, Json | string, RegExp]>([
    ['that is no JSON', '{', /damaged or was cut off/],
    ['that is a text', '"x"', /not laid out as expected/],
    ['of another format', { format: 'else' }, /not laid out as expected at “format”/],
    ['of a newer version', { version: 2 }, /newer version of Loci/],
    ['with rows below zero', { data: [{ path: 'x', rows: -1 }] }, /not laid out/],
    ['with half a row', { data: [{ path: 'x', rows: 0.5 }] }, /not laid out/],
    ['that promises a million rows', { data: [{ path: 'x', rows: 1_000_000 }] }, /more than 250,000 items/],
    [
      'that promises too many in parts',
      { data: Array.from({ length: 26 }, (_, index) => ({ path: `${index}`, rows: 10_000 })) },
      /more than 250,000 items/,
    ],
    ['of giant size', JSON.stringify({ format: 'x'.repeat(11_000_000) }), /too large/],
  ])('%s is refused', async (_name, manifest, reason) => {
    const job = await importBy(cast.alice, await archiveOf({ manifest }));
    expect(job.status).toBe('failed');
    expect(job.error).toMatch(reason);
    expect(await memoriesOf()).toEqual([]);
  });

  it('that names files which are not there, or outside, costs those rows', async () => {
    const data = ['../../etc/passwd', '/etc/passwd', 'loci/00002.jsonl', 'C:\\x'].map((path) => ({
      path,
      rows: 2,
    }));
    const job = await importBy(cast.alice, await archiveOf({ manifest: { data } }));
    expect(job).toMatchObject({ status: 'completed', imported: 0, processed: 8, total: 8 });
    expect(new Set(reasonsOf(job))).toEqual(new Set(['It is not in the archive']));
  });

  it('that promises more rows than there are costs the missing ones', async () => {
    const manifest = { data: [{ path: 'loci/00001.jsonl', rows: 3 }] };
    const job = await importBy(cast.alice, await archiveOf({ rows: [memoryRow()], manifest }));
    expect(job).toMatchObject({ status: 'completed', imported: 1, processed: 3 });
  });

  it.each(IS_WHOLE ? [11_000] : [])('is read to its limit beside %i files', async (count) => {
    const files = Array.from({ length: count }, (_, index) => ({ path: `Notes/${index}.md`, bytes: 'x' }));
    const job = await importBy(cast.alice, await archiveOf({ rows: [memoryRow()], files }));
    expect(job).toMatchObject({ status: 'completed', imported: 1, total: 1, problems: [] });
    expect(count).toBeLessThan(IMPORT.maxEntries);
  });
});

describe('a row', () => {
  const wrong: [string, unknown][] = [
    ['no JSON', '{"kind":'],
    ['a number', 4],
    ['null', null],
    ['a list', []],
    ['of no kind', {}],
    ['of an unknown kind', { ...memoryRow(), kind: 'user' }],
    ['with the id of another kind', memoryRow({ id: newId('space') })],
    ['with a title as an object', memoryRow({ title: { toString: 'x' } })],
    ['with a script as its address', memoryRow({ url: 'javascript:alert(1)' })],
    ['with notes that are too long', memoryRow({ notes: 'x'.repeat(100_001) })],
    ['with a NUL', memoryRow({ notes: 'a\u0000b' })],
    ['with half a character', memoryRow({ title: '\ud800' })],
    ['with an unknown origin', memoryRow({ origin: 'nowhere' })],
    ['with a date that is none', memoryRow({ created: 'yesterday' })],
    ['with a thumbnail from elsewhere', memoryRow({ facts: { thumbnail: 'https://evil.example/x.png' } })],
    ['with an unknown colour', spaceRow({ color: 'url(x)' })],
    ['with an unknown visibility', spaceRow({ visibility: 'everyone' })],
    ['of a system message', messageRow({ role: 'system' })],
    ['with citations of no memories', messageRow({ citations: [{ memoryId: 'x', quote: null }] })],
  ];

  it('of the wrong kind costs itself', async () => {
    const rows = [...wrong.map(([, row]) => row), memoryRow({ title: 'The last' })];
    const job = await importBy(cast.alice, await archiveOf({ rows }));
    expect(job).toMatchObject({ status: 'completed', imported: 1, processed: rows.length });
    expect(job.problems).toHaveLength(wrong.length);
    expect((await memoriesOf()).map(({ title }) => title)).toEqual(['The last']);
  });

  it('says nothing about who it belongs to, when it was deleted, or its id', async () => {
    const { alice, bob } = cast;
    const original = newId('memory');
    const claimed = {
      ...memoryRow({ id: original }),
      workspaceId: cast.evesWorkspaceId,
      ownerId: alice.user.id,
      createdBy: alice.user.id,
      deletedAt: AT,
      uploadId: newId('upload'),
      metadata: { pageHash: 'x' },
      integrationId: 'x',
      created: '2199-01-01T00:00:00.000Z',
    };
    await importBy(bob, await archiveOf({ rows: [claimed] }));
    const [row] = await memoriesOf();
    expect(row).toMatchObject({
      ownerId: bob.user.id,
      createdBy: bob.user.id,
      deletedAt: null,
      uploadId: null,
    });
    expect(row?.id).not.toBe(original);
    expect(row?.metadata).toEqual({});
    expect(row?.created).toBe(world.clock.now().toISOString());
    expect(await memoriesOf(cast.evesWorkspaceId)).toEqual([]);
  });
});

describe('files', () => {
  const pdf = (path: string): ZipEntry => ({ path, bytes: '%PDF-1.7 x' });
  const fileRow = (file: string, given: Json = {}) =>
    memoryRow({ type: 'file', title: file, filename: 'x.pdf', file, ...given });

  it('come only from the archive itself, and only when they are what they say', async () => {
    const rows = [
      fileRow('../../../etc/passwd'),
      fileRow('/etc/passwd'),
      fileRow('Notes/lies.pdf'),
      fileRow('Notes/run.exe'),
      fileRow('loci.json'),
      fileRow('Notes/good.pdf'),
    ];
    const files = [
      pdf('Notes/good.pdf'),
      { path: 'Notes/lies.pdf', bytes: '<script>' },
      { path: 'Notes/run.exe', bytes: 'MZ' },
    ];
    const job = await importBy(cast.alice, await archiveOf({ rows, files }));
    expect(job).toMatchObject({ status: 'completed', imported: 6 });
    const made = await memoriesOf();
    expect(made.filter(({ type }) => type === 'file').map(({ title }) => title)).toEqual(['Notes/good.pdf']);
    expect(made.filter(({ type }) => type === 'note')).toHaveLength(5);
    expect(job.problems.every(({ reason }) => reason.startsWith('Became a note: '))).toBe(true);
  });

  it('with a path out of the archive are left out of it', async () => {
    // The writer of zips refuses such names, so they are put in afterwards.
    const honest = await archiveOf({ rows: [fileRow('../outside.pdf')], files: [pdf('__/outside.pdf')] });
    const archive = Buffer.from(honest.toString('latin1').replaceAll('__/outside', '../outside'), 'latin1');
    const job = await importBy(cast.alice, archive);
    expect(job).toMatchObject({ status: 'completed', imported: 1 });
    expect(await memoriesOf()).toMatchObject([{ type: 'note', title: '../outside.pdf', uploadId: null }]);
  });
});

describe('ids of others', () => {
  it('do not reach a private space of a colleague: nothing is filed in it, nothing of it becomes readable', async () => {
    const { alice, bob } = cast;
    const build = createBuild(cast);
    const hers = await build.space({ name: 'Secret', visibility: 'private' });
    const rows = [
      memoryRow({ title: 'Home', spaceId: hers.id }),
      memoryRow({ title: 'Filed', spaceIds: [hers.id] }),
      memoryRow({ title: 'Nowhere', spaceId: newId('space') }),
    ];
    const job = await importBy(bob, await archiveOf({ rows }));
    // Without the space, the whole workspace would read what belongs into it.
    expect(job.problems).toEqual([
      { path: 'Home', reason: 'The space it belongs to is not in this workspace', imported: false },
      { path: 'Nowhere', reason: 'The space it belongs to is not in this workspace', imported: false },
    ]);
    expect((await memoriesOf()).map(({ title, spaceId }) => [title, spaceId])).toEqual([['Filed', null]]);
    const links = await world.context.db
      .selectFrom('space_memory')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .execute();
    expect(links).toEqual([]);
    // As its own, a space row makes a space of the importer's.
    const copy = await importBy(
      bob,
      await archiveOf({ rows: [spaceRow({ id: hers.id, name: 'Mine', slug: 'mine' })] }),
    );
    expect(copy.imported).toBe(1);
    expect((await alice.api('space.get', { params: { workspaceId, id: hers.id } })).result.name).toBe(
      'Secret',
    );
  });

  it('do not put messages into threads that were there before', async () => {
    const { alice, bob } = cast;
    const build = createBuild(cast);
    const open = await build.thread({ name: 'Open', visibility: 'workspace' });
    const secret = await build.thread({ name: 'Secret' });
    const rows = [
      threadRow({ id: open.id }),
      messageRow({ threadId: open.id, role: 'assistant', content: 'Forged' }),
      messageRow({ threadId: secret.id, content: 'Forged' }),
      threadRow({ id: secret.id, name: 'A copy of my own' }),
    ];
    const job = await importBy(bob, await archiveOf({ rows }));
    expect(job.status).toBe('completed');
    for (const { id } of [open, secret]) {
      const { result } = await alice.api('message.list', { params: { workspaceId, threadId: id } });
      expect(result).toEqual([]);
    }
    const { result } = await alice.api('thread.get', { params: { workspaceId, id: secret.id } });
    expect(result.name).toBe('Secret');
  });

  it('do not change or show memories of others, and claim no words of theirs', async () => {
    const { alice, bob } = cast;
    const build = createBuild(cast);
    const secret = await build.space({ name: 'Secret', visibility: 'private' });
    const hers = await build.memory({ title: 'Hers', notes: 'A secret', spaceId: secret.id });
    const forThread = newId('thread');
    const rows = [
      memoryRow({ id: hers.id, title: 'Taken over', notes: `See memory:${hers.id}` }),
      threadRow({ id: forThread }),
      messageRow({
        threadId: forThread,
        role: 'assistant',
        citations: [{ memoryId: hers.id, quote: 'Invented' }],
      }),
      messageRow({ threadId: forThread, createdBy: alice.user.id }),
    ];
    const job = await importBy(bob, await archiveOf({ rows }));
    expect(job).toMatchObject({ status: 'completed', problems: [] });
    const made = (await memoriesOf()).find(({ title }) => title === 'Taken over');
    expect(made?.id).not.toBe(hers.id);
    expect(made?.notes).toBe(`See memory:${made?.id ?? 'none'}`);
    expect((await alice.api('memory.get', { params: { workspaceId, id: hers.id } })).result.notes).toBe(
      'A secret',
    );
    const messages = await world.context.db
      .selectFrom('message')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .execute();
    expect(messages.flatMap(({ citations }) => citations.map(({ memoryId }) => memoryId))).toEqual([
      made?.id,
    ]);
    expect(messages.map(({ createdBy }) => createdBy)).toEqual([null, null]);
  });

  it('bring no saved page as it is', async () => {
    const { alice } = cast;
    const link = (title: string, savedPage: unknown) =>
      memoryRow({ type: 'link', title, url: `https://example.com/${title}`, savedPage });
    const page = (file: string) => ({ file, taken: AT });
    const files = [
      { path: 'evil.html', bytes: EVIL_PAGE },
      { path: 'empty.html', bytes: '<html><body><script>x()</script></body></html>' },
      { path: 'paper.pdf', bytes: '%PDF-1.7 x' },
    ];
    const rows = [
      link('evil', page('evil.html')),
      link('empty', page('empty.html')),
      // The same file once more, as it came: the link above must not get it.
      memoryRow({ type: 'file', title: 'file', filename: 'empty.html', file: 'empty.html' }),
      link('paper', page('paper.pdf')),
      link('outside', page('../../etc/passwd')),
      link('undated', { file: 'evil.html', taken: 'yesterday' }),
      memoryRow({ title: 'note', savedPage: page('evil.html') }),
    ];
    const job = await importBy(alice, await archiveOf({ rows, files }));
    expect(reasonsOf(job).toSorted()).toEqual([
      'It is not laid out as expected',
      'Without its saved page: it is no page',
      'Without its saved page: it is not in the archive',
      'Without its saved page: it shows nothing',
    ]);
    const made = await memoriesOf();
    const idOf = (title: string) => made.find((row) => row.title === title)?.id ?? '';
    const snapshotOf = (title: string) =>
      alice.raw('GET', `/v1/memories/${workspaceId}/${idOf(title)}/snapshot`);
    const kept = await snapshotOf('evil');
    expect(kept.text).toMatch(/Words.*Image not saved: Pixel/s);
    expect(kept.text).not.toMatch(/script|onload|onerror|refresh|<base|iframe|evil\.example/i);
    for (const title of ['empty', 'paper', 'outside', 'note'])
      expect([title, (await snapshotOf(title)).status]).toEqual([title, 404]);
  });

  it('make nothing public, neither a space nor what is filed in one', async () => {
    const { alice } = cast;
    const build = createBuild(cast);
    const open = await build.space({ name: 'Open', visibility: 'public' });
    const rows = [
      spaceRow({ name: 'Published', slug: 'published', visibility: 'public' }),
      spaceRow({ name: 'Linked', slug: 'linked', visibility: 'unlisted' }),
      memoryRow({ title: 'Filed', spaceIds: [open.id] }),
      memoryRow({ title: 'Home', spaceId: open.id }),
      threadRow({ name: 'Thread', visibility: 'public' }),
    ];
    await importBy(alice, await archiveOf({ rows }));
    const { db } = world.context;
    const spaces = await db.selectFrom('space').selectAll().where('workspaceId', '=', workspaceId).execute();
    expect(spaces.map(({ name, visibility }) => `${name}: ${visibility}`).toSorted()).toEqual([
      'Linked: workspace',
      'Open: public',
      'Published: workspace',
    ]);
    const threads = await db
      .selectFrom('thread')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .execute();
    expect(threads.map(({ visibility }) => visibility)).toEqual(['workspace']);
    const links = await db.selectFrom('space_memory').selectAll().where('spaceId', '=', open.id).execute();
    expect(links).toEqual([]);
  });

  it('do not bring words of a closed space into a memory that all read', async () => {
    const { alice } = cast;
    const build = createBuild(cast);
    const url = 'https://example.com/page';
    const shared = await build.memory({ title: 'For all', url });
    world.clock.advance(60_000);
    const closed = spaceRow({ name: 'Closed', slug: 'closed', visibility: 'private' });
    const rows = [
      closed,
      memoryRow({
        type: 'link',
        title: 'Mine',
        url,
        notes: 'Private words',
        spaceId: closed['id'],
        created: world.clock.now().toISOString(),
      }),
    ];
    await importBy(alice, await archiveOf({ rows }));
    const made = await memoriesOf();
    expect(made.find(({ id }) => id === shared.id)?.notes).toBeNull();
    expect(made.find(({ title }) => title === 'Mine')?.spaceId).not.toBeNull();
    // For all, it is one memory.
    await importBy(
      alice,
      await archiveOf({ rows: [memoryRow({ type: 'link', title: 'Again', url, notes: 'Open words' })] }),
    );
    const after = await memoriesOf();
    expect(after).toHaveLength(2);
    expect(after.find(({ id }) => id === shared.id)?.notes).toBe('Open words');
  });
});

it('takes rows in any order and twice, and never lets a person without the right import', async () => {
  const { alice, rita } = cast;
  const [inSpace, inThread] = [spaceRow(), threadRow()];
  const twice = memoryRow({ spaceId: inSpace['id'], spaceIds: [inSpace['id'], inSpace['id']] });
  const said = messageRow({ threadId: inThread['id'] });
  const rows = [said, twice, inThread, inSpace, twice, said, inSpace, inThread];
  const job = await importBy(alice, await archiveOf({ rows }));
  expect(job).toMatchObject({ status: 'completed', problems: [], processed: 8 });
  expect(await memoriesOf()).toHaveLength(1);
  const messages = await world.context.db
    .selectFrom('message')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .execute();
  expect(messages).toHaveLength(1);
  const refused = await importBy(rita, await archiveOf({ rows: [memoryRow({ title: 'Of Rita' })] }));
  expect(refused.status).toBe('failed');
  expect((await memoriesOf()).map(({ title }) => title)).toEqual(['A memory']);
});
