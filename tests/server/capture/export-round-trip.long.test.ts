// A workspace that is exported and imported elsewhere is the same there: everything that the docs promise is compared, and
// what they do not promise is named here.
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { storeUrlKeys } from '#server/capture/import-notes.ts';
import { runImport } from '#server/capture/import-run.ts';
import { storeSnapshot } from '#server/capture/snapshots/store-snapshot.ts';
import { takeSnapshot } from '#server/capture/snapshots/take-snapshot.ts';
import { runUndo } from '#server/capture/import-undo.ts';
import { startImport } from '#server/capture/service.ts';
import { EgressError } from '#server/providers/egress.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import type { Head } from '#shared/entities.ts';
import { addressOf } from '#shared/hash.ts';
import { newId, type Id } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { memory } from '#shared/memories/memory.ts';
import { createBuild, createCast, join } from '#tests/support/build.ts';
import { uploadFile } from '#tests/support/upload.ts';
import { contentOf } from '#tests/support/workspace-content.ts';
import { downloadExport, entriesOf, exportWhole, rowsOf } from '#tests/support/workspace-export.ts';
import { openWorld } from '#tests/support/world.ts';
import { asPerson } from '#server/sync/readable.ts';
import { systemActor } from '#server/db/server-tx.ts';

const world = await openWorld();
const cast = await createCast(world);
const { workspaceId } = cast;

const PAGE = 'The whole text of the page.\n\nWith “signs”, \t tabs and 🌊.';
/** As servers keep it: made by the same code from a page. */
const SAVED_PAGE =
  '<html lang="en"><head><title>A page</title><style>@import "x.css"; h1{color:teal} .bar{position:fixed}</style></head>' +
  '<body onload="run()"><h1 id="top">A page</h1><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="Dot"><img src="gone.png" alt="A gull">' +
  '<svg viewBox="0 0 9 9"><circle r="4"/></svg><a href="/b">More</a><a href="#top">Up</a><script>run()</script></body></html>';
/** The picture that the page names for itself. */
const PICTURE = 'https://example.com/tide.png';
/** Two highlights of that page. */
const QUOTES =
  'Mine.\n\n> The whole text\n\nMy words\n\n— [example.com](https://example.com/a?b=c#d:~:text=The%20whole%20text,-of)\n\n> A page';
const NOTES = '---\nnot: front matter\n---\n\n# Title\n\r\nLine  \n[[Low water]] <b>bold</b> \u2028 end\n\n';

await furnish();

/** Every kind of thing that a workspace can hold, with values that are easily lost. */
async function furnish() {
  const { alice, bob } = cast;
  const build = createBuild(cast);
  const spaces = {
    garden: await build.space({ name: 'Garden: "east"', description: 'All\nabout pears' }),
    private: await build.space({ name: 'Private', visibility: 'private' }),
    named: await build.space({ name: 'Named', visibility: 'custom' }),
    empty: await build.space({ name: 'Empty' }),
    open: await build.space({ name: 'Open', visibility: 'public' }),
  };
  await alice.api('space.update', {
    params: { workspaceId, id: spaces.garden.id },
    body: { color: 'iris', slug: 'the-garden', publishText: false },
  });
  world.clock.advance(60_000);
  const picture = await uploadFile(world, alice, {
    workspaceId,
    bytes: Buffer.from('%PDF-1.7 a file of bytes \u0001\u00ff'),
    name: 'Tide tables 2026.pdf',
    payload: { title: 'Tide tables', tags: ['tides'] },
  });
  const fileId: Id<'memory'> = picture.json.result.id;
  const at = (days: number) => new Date(world.clock.now().getTime() - days * 86_400_000).toISOString();
  const rows: Head<'memory'>[] = [
    memoryRow({ title: 'A note', notes: NOTES, tags: ['two words', 'é', '#c'], origin: 'clipboard' }),
    memoryRow({
      title: 'Shows a file',
      notes: `![Tables](memory:${fileId}) and [again](memory:${fileId})`,
      spaceId: spaces.private.id,
      created: at(400),
      updated: at(3),
    }),
    memoryRow({
      title: null,
      notes: null,
      description: 'Only a description',
      archived: true,
      summary: 'Sum',
    }),
    memoryRow({
      title: 'Named',
      metadata: { automatic: { title: 'Named', summary: 'In short.', tags: ['tides'] } },
    }),
    memoryRow({ title: 'Long', notes: '\\ " \n'.repeat(20_000) }),
    memoryRow({
      type: 'link',
      title: 'A page',
      url: 'https://example.com/a?b=c#d',
      origin: 'browser_extension',
      notes: QUOTES,
      metadata: {
        site: 'Example',
        favicon: 'https://example.com/icon.svg',
        image: PICTURE,
        language: 'en',
        lead: 'The whole text',
        seconds: 187,
        pages: 812,
        pagesRead: 500,
        httpStatus: 200,
        pageHash: addressOf(PAGE).hash,
      },
      archived: true,
    }),
    memoryRow({
      type: 'link',
      title: 'Behind a wall',
      url: 'https://example.com/wall',
      contentStatus: 'unavailable',
      metadata: { statusReason: 'Asks for a log-in', httpStatus: 403 },
    }),
    memoryRow({ type: 'link', title: null, url: 'https://example.com/later', contentStatus: 'pending' }),
    // The same page twice, in a closed space and for all.
    memoryRow({ type: 'link', title: 'Mine', url: 'https://example.com/a?b=c', spaceId: spaces.private.id }),
  ];
  const page = rows[5]?.id ?? '';
  await writeInRealm(world.context, workspaceId, asPerson(alice.user.id), async (tx) => {
    await tx.insertMany('memory', rows);
    await storeUrlKeys(tx, rows);
    await sql`insert into "memory_page" ("workspaceId", "memoryId", "queued", "url", "text", "hash", "fetched")
      values (${workspaceId}, ${page}, ${at(2)}, 'https://example.com/a', ${PAGE}, ${addressOf(PAGE).hash}, ${at(2)})`.execute(
      tx.trx,
    );
  });
  await savePage(page as Id<'memory'>, at(2));
  for (const row of rows.slice(0, 3)) await build.link(spaces.garden.id, row.id);
  await build.link(spaces.open.id, page as Id<'memory'>);
  await build.link(spaces.named.id, fileId);
  await build.memory({ title: 'Of Bob', notes: 'His words' }, bob);
  const thread = await build.thread({ name: 'About tides', visibility: 'workspace' });
  const [question, answer] = [newId('message'), newId('message')];
  const message = (given: Partial<Head<'message'>>): Head<'message'> => ({
    id: newId('message'),
    workspaceId,
    threadId: thread.id,
    role: 'user',
    content: 'When is high water?',
    citations: [],
    replyTo: null,
    versionOf: null,
    rewrittenAt: null,
    createdBy: alice.user.id,
    createdAt: at(1),
    ...given,
  });
  await writeInRealm(world.context, workspaceId, systemActor, async (tx) => {
    await tx.update('thread', thread.id, { summary: 'When the tide turns' });
    await tx.insertMany('message', [
      message({ id: question }),
      message({
        role: 'assistant',
        content: 'At nine [1], and [2].',
        citations: [
          { memoryId: fileId, quote: 'High water at nine' },
          { memoryId: rows[0]?.id ?? fileId, quote: null },
        ],
        id: answer,
        replyTo: question,
        createdBy: null,
        createdAt: at(0.9),
        rewrittenAt: at(0.7),
      }),
      ...[null, at(0.8)].map((rewrittenAt) =>
        message({
          role: 'assistant',
          content: `At ten, it said${rewrittenAt === null ? '' : ' again'}.`,
          versionOf: answer,
          createdBy: null,
          createdAt: at(0.9),
          rewrittenAt,
        }),
      ),
      message({ content: 'Thank you', createdBy: bob.user.id, createdAt: at(0.8) }),
    ]);
  });
  await build.thread({ name: 'Empty and private' });
}

/** Stores what a server makes of a page. */
async function savePage(memoryId: Id<'memory'>, fetched: string): Promise<void> {
  const source = { url: 'https://example.com/a', mediaType: 'text/html', charset: 'utf-8' };
  const egress = {
    get: (address: string) =>
      address === PICTURE
        ? Promise.resolve({
            url: PICTURE,
            status: 200,
            mediaType: 'image/png',
            charset: undefined,
            etag: null,
            lastModified: null,
            body: wide,
          })
        : Promise.reject(new EgressError('network')),
  };
  // Noise, which is never the same when it is drawn again.
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const create = { width: 1_600, height: 900, channels: 3, background: 'teal', noise } as const;
  const wide = await sharp({ create }).png().toBuffer();
  const owner = { workspaceId, userId: cast.alice.user.id };
  const body = Buffer.from(SAVED_PAGE);
  const stored = await takeSnapshot({ ...world.context, egress }, { ...source, body }, owner, PICTURE);
  if (stored === undefined) throw new Error('no saved page');
  await writeInRealm(world.context, workspaceId, systemActor, (tx) =>
    storeSnapshot(tx, { memoryId, fetched }, stored),
  );
}

function memoryRow(given: Partial<Head<'memory'>>): Head<'memory'> {
  const now = world.clock.now().toISOString();
  return {
    ...memory.defaults,
    id: newId('memory'),
    workspaceId,
    ownerId: cast.alice.user.id,
    createdBy: cast.alice.user.id,
    lastEditedBy: cast.alice.user.id,
    type: 'note',
    origin: 'manual_entry',
    contentStatus: 'completed',
    metadata: {},
    summary: null,
    filename: null,
    screenshot: null,
    uploadId: null,
    created: now,
    updated: now,
    deletedAt: null,
    ...given,
    ...bodyFields(given.notes ?? null),
    title: given.title ?? null,
    description: given.description ?? null,
    url: given.url ?? null,
    tags: given.tags ?? [],
    archived: given.archived ?? false,
    spaceId: given.spaceId ?? null,
  };
}

async function importInto(
  id: Id<'workspace'>,
  archive: Buffer,
  { by = cast.alice, filename = 'acme.zip' } = {},
): Promise<ImportJob> {
  world.clock.advance(60_000);
  const { context } = world;
  const order = { workspaceId: id, userId: by.user.id, filename, folders: 'tags' as const };
  const { id: importId } = await startImport(context, context.jobs, order, archive);
  await runImport(context, importId);
  world.clock.advance(60_000);
  return (await by.api('import.get', { params: { workspaceId: id, id: importId } })).result;
}

async function exportOf(id: Id<'workspace'>, by = cast.alice): Promise<Buffer> {
  return downloadExport(world, await exportWhole(world, by, { workspaceId: id }));
}

const newWorkspace = async (name: string) =>
  (await cast.alice.api('workspace.create', { body: { name } })).result.id;

/** What the docs say an import does not restore: a public space comes in for the members. */
function withoutPublic<T extends { visibility: string }>(rows: readonly T[]): T[] {
  return rows.map((row) => (row.visibility === 'public' ? { ...row, visibility: 'workspace' } : row));
}

it('brings everything into another workspace as it was', async () => {
  const before = await contentOf(world, workspaceId, cast.alice);
  expect(before.memories).toHaveLength(11);
  const target = await newWorkspace('A copy');
  const job = await importInto(target, await exportOf(workspaceId));
  expect(job).toMatchObject({ status: 'completed', error: null, unchanged: 0, updatedCount: 0 });
  // 5 spaces, 10 memories, 2 threads, 3 messages.
  expect(job).toMatchObject({ total: 23, processed: 23, imported: 23 });
  expect(job.problems).toEqual([
    { path: 'Open', reason: expect.stringContaining('Was public'), imported: true },
  ]);
  const after = await contentOf(world, target, cast.alice);
  expect(after.spaces).toEqual(withoutPublic(before.spaces));
  expect(after.memories).toEqual(before.memories);
  const link = after.memories.find(({ title }) => title === 'A page');
  expect(link).toMatchObject({ notes: QUOTES, savedPage: { html: expect.stringContaining('A gull') } });
  expect(link?.savedPage?.html).not.toMatch(/script|onload|x\.css/);
  expect(link?.preview).toEqual({ width: 640, height: 360 });
  expect(link?.metadata).toMatchObject({ width: 1_600, height: 900, thumbnail: expect.any(String) });
  expect(after.threads).toEqual(before.threads);

  const again = await importInto(target, await exportOf(workspaceId));
  expect(again).toMatchObject({ status: 'completed', imported: 0, updatedCount: 0, unchanged: 23 });
  expect(await contentOf(world, target, cast.alice)).toEqual(after);
});

it('loses nothing on the way through a second workspace', async () => {
  const [first, second] = [await newWorkspace('One'), await newWorkspace('Two')];
  await importInto(first, await exportOf(workspaceId));
  await importInto(second, await exportOf(first), { filename: 'one.zip' });
  expect(await contentOf(world, second, cast.alice)).toEqual(await contentOf(world, first, cast.alice));
});

it('changes nothing in the workspace that it is from', async () => {
  const before = await contentOf(world, workspaceId, cast.alice);
  const job = await importInto(workspaceId, await exportOf(workspaceId));
  expect(job).toMatchObject({ status: 'completed', imported: 0, updatedCount: 0, unchanged: 23 });
  expect(await contentOf(world, workspaceId, cast.alice)).toEqual(before);
});

it('is taken back as one', async () => {
  const target = await newWorkspace('Taken back');
  const job = await importInto(target, await exportOf(workspaceId));
  await cast.alice.api('import.undo', { params: { workspaceId: target, id: job.id } });
  await runUndo(world.context, { importId: job.id, userId: cast.alice.user.id });
  expect(await contentOf(world, target, cast.alice)).toEqual({ spaces: [], memories: [], threads: [] });
  const again = await importInto(target, await exportOf(workspaceId));
  expect(again).toMatchObject({ status: 'completed', imported: 23, unchanged: 0 });
});

it('continues behind the rows that an earlier turn has written', async () => {
  const source = await newWorkspace('Long notes');
  for (let count = 0; count < 24; count += 1) {
    const title = `Note ${String(count).padStart(2, '0')}`;
    await cast.alice.api('memory.create', {
      body: { workspaceId: source, title, notes: `${title} `.repeat(12_000) },
    });
  }
  const archive = await exportOf(source);
  const target = await newWorkspace('In turns');
  const { context } = world;
  const order = { userId: cast.alice.user.id, filename: 'long.zip', folders: 'tags' as const };
  const { id } = await startImport(context, context.jobs, { ...order, workspaceId: target }, archive);
  // Each look at this clock is a minute later, so the turn is over after the first chunk.
  const clock = {
    now: () => {
      world.clock.advance(60_000);
      return world.clock.now();
    },
  };
  await runImport({ ...context, clock }, id);
  const half = (await cast.alice.api('import.get', { params: { workspaceId: target, id } })).result;
  expect(half.status).toBe('running');
  expect(half.processed).toBeGreaterThan(0);
  expect(half.processed).toBeLessThan(24);
  await runImport(context, id);
  expect((await contentOf(world, target, cast.alice)).memories).toEqual(
    (await contentOf(world, source, cast.alice)).memories,
  );
});

it('names what came without its file, and keeps its words', async () => {
  const target = await newWorkspace('Without files');
  const job = await exportWhole(world, cast.alice, { workspaceId, includeFiles: false });
  const archive = await downloadExport(world, job);
  expect([...(await entriesOf(archive)).keys()].filter((path) => /\.(?:pdf|html)$/.test(path))).toEqual([]);
  const imported = await importInto(target, archive);
  expect(imported.problems).toContainEqual({
    path: 'Tide tables',
    reason: 'Became a note: its file is not in the export',
    imported: true,
  });
  const { memories } = await contentOf(world, target, cast.alice);
  expect(memories.find(({ title }) => title === 'Tide tables')).toMatchObject({
    type: 'note',
    contentStatus: 'completed',
    filename: 'Tide tables 2026.pdf',
    tags: ['tides'],
  });
});

it('makes what a colleague exported the importer’s own, and claims no words of others', async () => {
  const { bob } = cast;
  const target = await newWorkspace('Of Bob');
  await join(world, target, bob, 'member');
  const archive = await exportOf(workspaceId, bob);
  expect(rowsOf(await entriesOf(archive)).some((row) => row.kind === 'space' && row.name === 'Private')).toBe(
    false,
  );
  const job = await importInto(target, archive, { by: bob });
  expect(job.status).toBe('completed');
  const { db } = world.context;
  const owners = await db
    .selectFrom('memory')
    .select('ownerId')
    .distinct()
    .where('workspaceId', '=', target)
    .execute();
  expect(owners).toEqual([{ ownerId: bob.user.id }]);
  const { threads } = await contentOf(world, target, bob);
  expect(threads.map(({ name, messages }) => [name, messages.map(({ author }) => author)])).toEqual([
    ['About tides', [null, null, null, null, 'me']],
  ]);
});
