// An import is taken back as one: what it made and changed, once, by the people who may, and nothing that was changed
// since. The jobs are played by the tests, so that a server can die in the middle.
import { expect, test } from 'vitest';
import { runImport } from '#server/capture/import-run.ts';
import { runUndo, stopUndo } from '#server/capture/import-undo.ts';
import { startImport } from '#server/capture/service.ts';
import { runMutation } from '#server/db/run-mutation.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { changePosition, removeMember } from '#server/workspaces/membership.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { newId, type Id } from '#shared/ids.ts';
import { signUp, type Agent } from '#tests/support/agent.ts';
import { join } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';
import { zipOf, type ZipEntry } from '#tests/support/zip.ts';
import { asPerson } from '#server/sync/readable.ts';

const world = await openWorld();
const alice = await signUp(world, 'alice');

const foundWorkspace = async (): Promise<Id<'workspace'>> =>
  (await alice.api('workspace.create', { body: { name: 'Garden' } })).result.id;

interface Upload {
  by?: Agent;
  filename?: string;
  folders?: ImportJob['folders'];
}

/** Runs an import to its end, as the job does. */
async function importWhole(
  workspaceId: Id<'workspace'>,
  archive: Buffer | ZipEntry[],
  { by = alice, filename = 'notes.zip', folders = 'none' }: Upload = {},
): Promise<ImportJob> {
  // Each import has a moment of its own, as the people between two imports have.
  world.clock.advance(60_000);
  const { context } = world;
  const bytes = Buffer.isBuffer(archive) ? archive : await zipOf(archive);
  const order = { workspaceId, userId: by.user.id, filename, folders };
  const { id } = await startImport(context, context.jobs, order, bytes);
  await runImport(context, id);
  world.clock.advance(60_000);
  return readImport(workspaceId, id);
}

async function readImport(workspaceId: Id<'workspace'>, id: Id<'upload'>): Promise<ImportJob> {
  return (await alice.api('import.get', { params: { workspaceId, id } })).result;
}

const addressOf = ({ workspaceId, id }: Pick<ImportJob, 'workspaceId' | 'id'>) =>
  `/v1/imports/${workspaceId}/${id}/undo`;

/** Asks for it, and plays the job. */
async function undo({ workspaceId, id }: ImportJob, by: Agent = alice): Promise<ImportJob> {
  const { result } = await by.api('import.undo', { params: { workspaceId, id } });
  expect(result.undo).toBe('running');
  await runUndo(world.context, { importId: id, userId: by.user.id });
  return readImport(workspaceId, id);
}

const live = (workspaceId: Id<'workspace'>) =>
  world.context.db
    .selectFrom('memory')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('deletedAt', 'is', null)
    .orderBy('title')
    .execute();

const liveSpaces = async (workspaceId: Id<'workspace'>) =>
  (
    await world.context.db
      .selectFrom('space')
      .select('name')
      .where('workspaceId', '=', workspaceId)
      .where('deletedAt', 'is', null)
      .orderBy('name')
      .execute()
  ).map(({ name }) => name);

async function idOf(workspaceId: Id<'workspace'>, title: string): Promise<Id<'memory'>> {
  const id = (await live(workspaceId)).find((row) => row.title === title)?.id;
  if (id === undefined) throw new Error(`There is no memory ${title}`);
  return id;
}

const notes = (count: number): ZipEntry[] =>
  Array.from({ length: count }, (_, n) => ({ path: `${n}.md`, bytes: `note ${n}` }));

const linksPage = (...links: string[]) =>
  Buffer.from(`<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>${links.join('\n')}</DL>`);

test('everything that an import made goes to the trash, and the same file comes in again', async () => {
  const workspaceId = await foundWorkspace();
  const entries = [
    { path: 'kitchen/bread.md', bytes: '# Bread' },
    { path: 'travel/oslo.md', bytes: '# Oslo' },
  ];
  const job = await importWhole(workspaceId, entries, { folders: 'spaces' });
  expect(job).toMatchObject({ undo: 'possible', imported: 2, kept: [] });
  expect(await liveSpaces(workspaceId)).toEqual(['kitchen', 'travel']);

  expect(await undo(job)).toMatchObject({ undo: 'done', removedCount: 4, restoredCount: 0, keptCount: 0 });
  expect(await live(workspaceId)).toEqual([]);
  expect(await liveSpaces(workspaceId)).toEqual([]);
  const [line] = (await alice.api('import.list', { params: { workspaceId } })).result;
  expect(line).toMatchObject({ undo: 'done', removedCount: 4, keptCount: 0 });
  expect(line).not.toHaveProperty('kept');

  expect(await importWhole(workspaceId, entries)).toMatchObject({ imported: 2, unchanged: 0 });
  expect((await live(workspaceId)).map(({ title }) => title)).toEqual(['Bread', 'Oslo']);
});

test('what was edited, filed or shared since stays and is named, and its space with it', async () => {
  const workspaceId = await foundWorkspace();
  const job = await importWhole(
    workspaceId,
    [
      { path: 'kitchen/bread.md', bytes: '# Bread' },
      { path: 'kitchen/soup.md', bytes: '# Soup' },
      { path: 'travel/oslo.md', bytes: '# Oslo' },
      { path: 'travel/rome.md', bytes: '# Rome' },
    ],
    { folders: 'spaces' },
  );
  const bread = await idOf(workspaceId, 'Bread');
  const params = { workspaceId, id: bread };
  await alice.api('memory.update', { params, body: { notes: 'Knead for ten minutes' } });
  const { result: shelf } = await alice.api('space.create', { body: { workspaceId, name: 'Shelf' } });
  const filed = { spaceId: shelf.id, memoryId: await idOf(workspaceId, 'Oslo') };
  await runMutation(world.context, {
    actor: asPerson(alice.user.id),
    realmId: workspaceId,
    name: 'space_memory.create',
    args: { ...filed, at: world.clock.now().toISOString() },
  });
  const rome = { workspaceId, id: await idOf(workspaceId, 'Rome') };
  await alice.api('memory.remove', { params: rome });

  const undone = await undo(job);
  expect(undone).toMatchObject({ undo: 'done', removedCount: 1, keptCount: 4 });
  expect(undone.kept.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: 'kitchen', reason: 'The space still holds memories' },
    { path: 'kitchen/bread.md', reason: 'Changed since the import' },
    { path: 'travel', reason: 'The space still holds memories' },
    { path: 'travel/oslo.md', reason: 'Added to a space since the import' },
  ]);
  expect((await live(workspaceId)).map(({ title }) => title)).toEqual(['Bread', 'Oslo']);
  expect(await liveSpaces(workspaceId)).toEqual(['Shelf', 'kitchen', 'travel']);
});

test('what an import brought up to date or completed gets its earlier text, link and place', async () => {
  const workspaceId = await foundWorkspace();
  const first = await importWhole(workspaceId, [{ path: 'plan.md', bytes: '# Plan\n\nfirst' }]);
  const { result: link } = await alice.api('memory.create', {
    body: { workspaceId, url: 'https://light.example/keeping', title: 'Mine' },
  });
  const before = await live(workspaceId);
  world.clock.advance(60_000);

  const second = await importWhole(workspaceId, [{ path: 'plan.md', bytes: '# Plan\n\nsecond' }]);
  expect(second).toMatchObject({ updatedCount: 1 });
  const bookmark = `<DT><H3>Harbour</H3><DL><p><DT><A HREF="https://light.example/keeping" TAGS="sea">Theirs</A></DL><p>`;
  const third = await importWhole(workspaceId, linksPage(bookmark), {
    filename: 'bookmarks.html',
    folders: 'spaces',
  });
  expect(third).toMatchObject({ imported: 0, unchanged: 1, undo: 'possible' });
  expect((await live(workspaceId)).find(({ id }) => id === link.id)?.tags).toEqual(['sea']);
  expect(await liveSpaces(workspaceId)).toEqual(['Harbour']);

  expect(await undo(third)).toMatchObject({ removedCount: 1, restoredCount: 1, keptCount: 0 });
  expect(await liveSpaces(workspaceId)).toEqual([]);
  expect(await undo(second)).toMatchObject({ removedCount: 0, restoredCount: 1, keptCount: 0 });
  // When its public pages changed last is the server's own note.
  const again = (await live(workspaceId)).map((row) => ({ ...row, publicUpdated: null }));
  expect(again).toEqual(before.map((row) => ({ ...row, publicUpdated: null })));
  expect(
    await world.context.db
      .selectFrom('space_memory')
      .select('memoryId')
      .where('workspaceId', '=', workspaceId)
      .execute(),
  ).toEqual([]);

  // Nothing of the second one is left in the way of the others.
  expect(await importWhole(workspaceId, [{ path: 'plan.md', bytes: '# Plan\n\nsecond' }])).toMatchObject({
    updatedCount: 1,
    problems: [],
  });
  // The first one has been brought up to date since.
  expect(await undo(first)).toMatchObject({
    removedCount: 0,
    kept: [{ path: 'plan.md', reason: 'Changed since the import' }],
  });
});

test('a memory that was brought back from the trash is not imported twice', async () => {
  const workspaceId = await foundWorkspace();
  const entries = [
    { path: 'a.md', bytes: '# A' },
    { path: 'b.md', bytes: '# B' },
  ];
  const job = await importWhole(workspaceId, entries);
  const id = await idOf(workspaceId, 'A');
  await undo(job);
  await runMutation(world.context, {
    actor: asPerson(alice.user.id),
    realmId: workspaceId,
    name: 'memory.restore',
    args: { id, at: world.clock.now().toISOString() },
  });
  expect(await importWhole(workspaceId, entries)).toMatchObject({ imported: 1, unchanged: 1 });
  expect((await live(workspaceId)).map(({ title }) => title)).toEqual(['A', 'B']);
});

test('asked for twice at once it happens once, and a killed server continues where it was', async () => {
  const workspaceId = await foundWorkspace();
  const job = await importWhole(workspaceId, notes(450));
  const asked = await Promise.all([1, 2, 3].map(() => alice.raw('POST', addressOf(job))));
  expect(asked.map(({ status }) => status)).toEqual([202, 202, 202]);
  const queued = await world.context.db
    .selectFrom('import_job')
    .select('undo')
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow();
  expect(queued.undo).toBe('running');

  const order = { importId: job.id, userId: alice.user.id };
  let commits = 0;
  const dying = {
    ...world.context,
    pokes: {
      committed() {
        commits += 1;
        if (commits === 2) throw new Error('the server was killed here');
      },
    },
  };
  await expect(runUndo(dying, order)).rejects.toThrow('killed');
  expect(await live(workspaceId)).toHaveLength(50);
  // Two servers that both believe the job to be theirs.
  await Promise.all([runUndo(world.context, order), runUndo(world.context, order)]);
  expect(await readImport(workspaceId, job.id)).toMatchObject({
    undo: 'done',
    removedCount: 450,
    keptCount: 0,
  });
  expect(await live(workspaceId)).toEqual([]);

  const again = await alice.raw('POST', addressOf(job));
  expect([again.status, again.json?.result]).toMatchObject([202, { undo: 'done', removedCount: 450 }]);
});

test('an import that died in the middle is undone as far as it came', async () => {
  const workspaceId = await foundWorkspace();
  const order = { workspaceId, userId: alice.user.id, filename: 'many.zip', folders: 'none' as const };
  const { id } = await startImport(world.context, world.context.jobs, order, await zipOf(notes(600)));
  let commits = 0;
  const dying = {
    ...world.context,
    pokes: {
      committed() {
        commits += 1;
        if (commits === 1) throw new Error('the server was killed here');
      },
    },
  };
  await expect(runImport(dying, id)).rejects.toThrow('killed');
  const running = await alice.raw('POST', addressOf({ workspaceId, id }));
  expect([running.status, running.json?.error]).toMatchObject([
    409,
    { detail: 'The import is not finished yet' },
  ]);
  world.clock.advance(7 * 3_600_000);
  await runImport(world.context, id);
  const failed = await readImport(workspaceId, id);
  expect(failed).toMatchObject({ status: 'failed', undo: 'possible', imported: 500 });
  expect(await undo(failed)).toMatchObject({ undo: 'done', removedCount: 500 });
  expect(await live(workspaceId)).toEqual([]);
});

test('strangers, other members, readers and removed members are refused, also while it runs', async () => {
  const workspaceId = await foundWorkspace();
  const bob = await signUp(world, 'undo-bob');
  const carol = await signUp(world, 'undo-carol');
  const stranger = await signUp(world, 'undo-stranger');
  await join(world, workspaceId, bob, 'member');
  await join(world, workspaceId, carol, 'member');
  const job = await importWhole(workspaceId, notes(3), { by: bob });
  const other = await foundWorkspace();

  expect((await stranger.raw('POST', addressOf(job))).status).toBe(403);
  expect((await carol.raw('POST', addressOf(job))).status).toBe(404);
  expect((await alice.raw('POST', addressOf({ workspaceId: other, id: job.id }))).status).toBe(404);
  expect((await alice.raw('POST', addressOf({ workspaceId, id: newId('upload') }))).status).toBe(404);
  expect((await alice.raw('POST', `/v1/imports/${workspaceId}/nonsense/undo`)).status).toBe(404);

  const owner = { ...asPerson(alice.user.id), position: 'owner' } as const;
  const setPosition = (position: 'read-only' | 'member') =>
    writeInRealm(world.context, workspaceId, owner, (tx) =>
      changePosition(tx, owner, { userId: bob.user.id, position }),
    );
  await setPosition('read-only');
  expect((await bob.raw('POST', addressOf(job))).status).toBe(403);
  await setPosition('member');

  // Bob may, is removed before his job runs, and the owner does it afterwards.
  expect((await bob.raw('POST', addressOf(job))).status).toBe(202);
  await writeInRealm(world.context, workspaceId, owner, (tx) => removeMember(tx, owner, bob.user.id));
  await runUndo(world.context, { importId: job.id, userId: bob.user.id });
  expect(await readImport(workspaceId, job.id)).toMatchObject({ undo: 'possible', removedCount: 0 });
  expect(await live(workspaceId)).toHaveLength(3);
  expect((await bob.raw('POST', addressOf(job))).status).toBe(403);
  expect(await undo(await readImport(workspaceId, job.id))).toMatchObject({ undo: 'done', removedCount: 3 });
});

test('an import that changed nothing has nothing to undo, and one given up can be asked for again', async () => {
  const workspaceId = await foundWorkspace();
  const job = await importWhole(workspaceId, notes(1));
  const repeated = await importWhole(workspaceId, notes(1));
  expect(repeated).toMatchObject({ unchanged: 1, undo: 'impossible' });
  expect((await alice.raw('POST', addressOf(repeated))).status).toBe(409);

  expect((await alice.raw('POST', addressOf(job))).status).toBe(202);
  await stopUndo(world.context, job.id);
  expect(await undo(await readImport(workspaceId, job.id))).toMatchObject({ removedCount: 1 });
});

test('the page of a link is known under the address that an import gave it, and under the old one when undone', async () => {
  const workspaceId = await foundWorkspace();
  const note = (url: string) => [{ path: 'a.md', bytes: `---\nurl: ${url}\n---\nWords` }];
  const keys = async () => (await live(workspaceId)).map(({ urlKey }) => urlKey);
  await importWhole(workspaceId, note('https://old.example/a'));
  expect(await keys()).toEqual(['old.example/a']);
  const job = await importWhole(workspaceId, note('https://new.example/b'));
  expect(job).toMatchObject({ imported: 0, updatedCount: 1 });
  expect(await keys()).toEqual(['new.example/b']);
  await undo(job);
  expect(await keys()).toEqual(['old.example/a']);
  await importWhole(workspaceId, [{ path: 'a.md', bytes: 'Words' }]);
  expect(await keys()).toEqual([null]);
});
