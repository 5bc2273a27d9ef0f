// Importing archives through HTTP into a real database: whole, repeatable, resumable, and clear about each file.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runImport } from '#server/capture/import-run.ts';
import { startImport } from '#server/capture/service.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { changePosition, removeMember } from '#server/workspaces/membership.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import { signUp, type Agent } from '#tests/support/agent.ts';
import { NOTES_FOLDER } from '#tests/support/note-corpus.ts';
import { join } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';
import { filesBelow, zipOf, ZIP_TIME, type ZipEntry } from '#tests/support/zip.ts';
import { asPerson } from '#server/sync/readable.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { itLong } from '#tests/support/long-test.ts';

/** The collection of real notes that lies beside the project on some machines. */
const COLLECTION = path.resolve(import.meta.dirname, '../../../../shared/data/til-markdown.zip');

const world = await openWorld({ jobs: true });
const alice = await signUp(world, 'alice');

const foundWorkspace = async (owner: Agent = alice): Promise<Id<'workspace'>> =>
  (await owner.api('workspace.create', { body: { name: 'Garden' } })).result.id;

async function upload(
  archive: Buffer,
  payload: Record<string, unknown>,
  name = 'notes.zip',
  by: Agent = alice,
) {
  const form = new FormData();
  form.set('payload', JSON.stringify(payload));
  form.set('file', new Blob([new Uint8Array(archive)]), name);
  const response = await fetch(`${world.url}/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}` },
    body: form,
  });
  return { status: response.status, json: await response.json() };
}

async function finished(workspaceId: string, id: string): Promise<ImportJob> {
  for (;;) {
    const { json } = await alice.raw('GET', `/v1/imports/${workspaceId}/${id}`);
    const job = json?.result as ImportJob;
    if (job.status === 'completed' || job.status === 'failed') return job;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function importWhole(
  workspaceId: string,
  entries: ZipEntry[] | Buffer,
  more: object = {},
  name?: string,
) {
  const archive = Buffer.isBuffer(entries) ? entries : await zipOf(entries);
  const { status, json } = await upload(archive, { workspaceId, ...more }, name);
  expect(status).toBe(202);
  return finished(workspaceId, json.result.id);
}

const memories = (workspaceId: Id<'workspace'>) =>
  world.context.db
    .selectFrom('memory')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .orderBy('title')
    .execute();

describe('importing a zip of Markdown', () => {
  test('brings in every note with title, tags and date, and names what it left out', async () => {
    const workspaceId = await foundWorkspace();
    const job = await importWhole(workspaceId, [
      { path: 'garden/tomatoes.md', bytes: '# Tomatoes\n\nWater them.' },
      { path: 'kitchen/bread.md', bytes: '---\ntitle: Bread\ndate: 2019-03-04\ntags: [flour]\n---\nKnead.' },
      { path: 'kitchen/photo.png', bytes: Buffer.from([1]) },
    ]);
    expect(job).toMatchObject({ status: 'completed', total: 3, processed: 3, imported: 2, unchanged: 0 });
    expect(job.problems).toEqual([expect.objectContaining({ path: 'kitchen/photo.png', imported: false })]);
    expect(await memories(workspaceId)).toMatchObject([
      { title: 'Bread', tags: ['kitchen', 'flour'], created: '2019-03-04T00:00:00.000Z', origin: 'import' },
      { title: 'Tomatoes', tags: ['garden'], created: ZIP_TIME, notes: 'Water them.' },
    ]);
  });

  test('of newer files replaces what was not edited here and keeps what was', async () => {
    const workspaceId = await foundWorkspace();
    await importWhole(workspaceId, [
      { path: 'a.md', bytes: 'one' },
      { path: 'b.md', bytes: 'two' },
    ]);
    const edited = (await memories(workspaceId)).find(({ title }) => title === 'b');
    await writeInRealm(world.context, workspaceId, systemActor, (tx) =>
      tx.update('memory', edited?.id ?? '', { notes: 'mine', bodyHash: 'mine' }),
    );
    const job = await importWhole(workspaceId, [
      { path: 'a.md', bytes: 'newer' },
      { path: 'b.md', bytes: 'newer' },
    ]);
    expect(job).toMatchObject({ imported: 0, updatedCount: 1 });
    expect(job.problems).toEqual([expect.objectContaining({ path: 'b.md', imported: false })]);
    expect((await memories(workspaceId)).map(({ notes }) => notes)).toEqual(['newer', 'mine']);
  });

  test('with folders as spaces files the notes in spaces, which are made once', async () => {
    const workspaceId = await foundWorkspace();
    const entries = [
      { path: 'Größe/a.md', bytes: 'a' },
      { path: 'Größe/deep/b.md', bytes: 'b' },
      { path: 'c.md', bytes: 'c' },
    ];
    await importWhole(workspaceId, entries, { folders: 'spaces' });
    await importWhole(workspaceId, [{ path: 'Größe/d.md', bytes: 'd' }], { folders: 'spaces' });
    const db = world.context.db;
    const spaces = await db.selectFrom('space').selectAll().where('workspaceId', '=', workspaceId).execute();
    expect(spaces.map(({ name }) => name)).toEqual(['Größe']);
    const links = await db
      .selectFrom('space_memory')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .execute();
    expect(links).toHaveLength(3);
  });

  test('splits a file longer than a note and loses no word of it', async () => {
    const workspaceId = await foundWorkspace();
    const text = Array.from({ length: 3_000 }, (_, n) => `## Part ${n}\n\n${'word '.repeat(10)}\n`).join(
      '\n',
    );
    const job = await importWhole(workspaceId, [{ path: 'long.md', bytes: text }]);
    expect(job.imported).toBe(Math.ceil(text.length / 100_000));
    const rows = await memories(workspaceId);
    expect(rows.map(({ notes }) => notes).join('')).toBe(text);
    expect(rows[0]?.title).toBe('long (1 of 2)');
  });

  test('continues behind the last chunk when the server died in the middle', async () => {
    const workspaceId = await foundWorkspace();
    const entries = Array.from({ length: 1_100 }, (_, n) => ({ path: `${n}.md`, bytes: `note ${n}` }));
    const order = { workspaceId, userId: alice.user.id, filename: 'many.zip', folders: 'none' as const };
    const idle = {
      prepare: async () => {},
      enqueue: async () => {},
      start: async () => {},
      stop: async () => {},
    };
    const job = await startImport(world.context, idle, order, await zipOf(entries));
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
    await expect(runImport(dying, job.id)).rejects.toThrow('killed');
    await runImport(world.context, job.id);
    expect(await finished(workspaceId, job.id)).toMatchObject({
      status: 'completed',
      processed: 1_100,
      imported: 1_100,
    });
    expect(new Set((await memories(workspaceId)).map(({ notes }) => notes)).size).toBe(1_100);
    expect(await memories(workspaceId)).toHaveLength(1_100);
  });

  test('reads what older editors wrote, says which files to look at, and leaves out what is no text', async () => {
    const id = await foundWorkspace();
    const job = await importWhole(id, [
      { path: 'western.md', bytes: Buffer.from('# Gr\xfc\xdfe\n\nna\xefve', 'latin1') },
      { path: 'wide.md', bytes: Buffer.from('\uFEFF# Früh\n\nTau', 'utf16le') },
      { path: 'torn.md', bytes: Buffer.from('# Žluťoučký kůň\n\n🐎').subarray(0, -1) },
      { path: 'picture.md', bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46]) },
    ]);
    const rows = await memories(id);
    expect(Object.fromEntries(rows.map(({ title, notes }) => [title, notes]))).toEqual({
      Früh: 'Tau',
      Grüße: 'naïve',
      'Žluťoučký kůň': '\uFFFD',
    });
    expect(Object.fromEntries(job.problems.map(({ path: file, imported }) => [file, imported]))).toEqual({
      'picture.md': false,
      'torn.md': true,
      'western.md': true,
    });
    expect(job.problems.find(({ path: file }) => file === 'western.md')?.reason).toContain('Windows-1252');
  });

  itLong(
    'takes the real collection whole where it is present, and the corpus ten times over elsewhere',
    async () => {
      const workspaceId = await foundWorkspace();
      const real = existsSync(COLLECTION);
      const corpus = filesBelow(NOTES_FOLDER).filter(({ path: name }) => name.endsWith('.md'));
      const archive = real
        ? readFileSync(COLLECTION)
        : await zipOf(
            Array.from({ length: 10 }, (_, n) =>
              corpus.map((file) => ({ ...file, path: `${n}/${file.path}` })),
            ).flat(),
          );
      const files = real ? 1_873 : corpus.length * 10;
      const job = await importWhole(workspaceId, archive);
      expect(job.status).toBe('completed');
      expect(job.problems.filter(({ imported }) => !imported).length).toBe(real ? 1 : 0);
      expect(
        new Set((await memories(workspaceId)).map(({ filename, tags }) => `${tags.join()}/${filename}`)).size,
      ).toBe(files);
    },
  );
});

test('earlier imports are listed for who began them, newest first, with what was left out', async () => {
  const workspaceId = await foundWorkspace();
  const empty = await alice.api('import.list', { params: { workspaceId } });
  expect(empty).toMatchObject({ result: [], meta: { page: 1, total: 0 } });
  await importWhole(workspaceId, [
    { path: 'a.md', bytes: '# A' },
    { path: 'photo.png', bytes: Buffer.from([1]) },
    { path: 'table.csv', bytes: 'a,b' },
  ]);
  world.clock.advance(60_000);
  await importWhole(workspaceId, [{ path: 'b.md', bytes: '# B' }], {}, 'second.zip');
  const { result, meta } = await alice.api('import.list', { params: { workspaceId } });
  expect(result).toMatchObject([
    { filename: 'second.zip', status: 'completed', imported: 1, remarks: 0, leftOut: 0 },
    { filename: 'notes.zip', status: 'completed', imported: 1, remarks: 2, leftOut: 2 },
  ]);
  expect(result[0]).not.toHaveProperty('problems');
  expect(meta).toMatchObject({ page: 1, perPage: 20, total: 2, orderBy: 'created', order: 'desc' });
  const oldest = await alice.api('import.list', {
    params: { workspaceId },
    query: { order: 'asc', perPage: 1 },
  });
  expect(oldest.result.map(({ filename }) => filename)).toEqual(['notes.zip']);
  const stranger = await signUp(world, 'list-stranger');
  expect((await stranger.raw('GET', `/v1/imports/${workspaceId}`)).status).toBe(403);
  expect((await alice.raw('GET', `/v1/imports/${workspaceId}?orderBy=filename`)).status).toBe(400);
});

test('an import is shown to who began it and to owners and admins, and is not there for other people', async () => {
  const workspaceId = await foundWorkspace();
  const joined = async (name: string, position: Position) => {
    const agent = await signUp(world, `import-${name}`);
    await join(world, workspaceId, agent, position);
    return agent;
  };
  const admin = await joined('admin', 'admin');
  const importer = await joined('importer', 'member');
  const colleague = await joined('colleague', 'member');
  const reader = await joined('reader', 'read-only');
  const stranger = await signUp(world, 'import-stranger');
  const archive = await zipOf([{ path: 'private/salaries.xlsx', bytes: 'x' }]);
  const { json } = await upload(archive, { workspaceId }, 'secret-plans.zip', importer);
  const address = `/v1/imports/${workspaceId}/${json.result.id}`;
  await finished(workspaceId, json.result.id);
  for (const agent of [alice, admin, importer]) {
    const answer = await agent.raw('GET', address);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('salaries')]);
  }
  const unknown = await colleague.raw('GET', `/v1/imports/${workspaceId}/${newId('upload')}`);
  expect(unknown.status).toBe(404);
  for (const agent of [colleague, reader]) expect((await agent.raw('GET', address)).text).toBe(unknown.text);
  const outside = await stranger.raw('GET', address);
  expect([outside.status, outside.text]).toEqual([403, expect.not.stringContaining('salaries')]);
  // Each person has a list of their own, whatever the position.
  for (const agent of [alice, colleague])
    expect((await agent.raw('GET', `/v1/imports/${workspaceId}`)).json?.result).toEqual([]);
});

test('an import stays its beginner’s after the position is lowered, and is lost with the workspace', async () => {
  const workspaceId = await foundWorkspace();
  const bob = await signUp(world, 'import-bob');
  await join(world, workspaceId, bob, 'member');
  const archive = await zipOf([{ path: 'a.md', bytes: '# A' }]);
  const { json } = await upload(archive, { workspaceId }, 'notes.zip', bob);
  const address = `/v1/imports/${workspaceId}/${json.result.id}`;
  await finished(workspaceId, json.result.id);
  const owner = { ...asPerson(alice.user.id), position: 'owner' } as const;
  await writeInRealm(world.context, workspaceId, owner, (tx) =>
    changePosition(tx, owner, { userId: bob.user.id, position: 'read-only' }),
  );
  expect((await bob.raw('GET', address)).status).toBe(200);
  await writeInRealm(world.context, workspaceId, owner, (tx) => removeMember(tx, owner, bob.user.id));
  expect((await bob.raw('GET', address)).status).toBe(403);
});

describe('an import that cannot be', () => {
  test('is refused when the upload is no zip, without a file, or with a broken payload', async () => {
    const workspaceId = await foundWorkspace();
    expect(await upload(Buffer.from('nope'), { workspaceId })).toMatchObject({
      status: 400,
      json: { success: false, error: { detail: expect.stringContaining('zip') } },
    });
    const json = await alice.raw('POST', '/v1/imports', { body: { workspaceId } });
    expect(json.status).toBe(400);
    expect(await upload(Buffer.from('x'), { workspaceId, folders: 'nonsense' })).toMatchObject({
      status: 400,
    });
  });

  test('ends as failed, with the reason, when the archive is damaged inside', async () => {
    const workspaceId = await foundWorkspace();
    const archive = await zipOf([{ path: 'aa/x.md', bytes: 'x' }]);
    archive.fill(0, archive.indexOf('PK\u0001\u0002'), archive.indexOf('PK\u0001\u0002') + 4);
    const { json } = await upload(archive, { workspaceId });
    expect(await finished(workspaceId, json.result.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('damaged'),
    });
    expect(await memories(workspaceId)).toEqual([]);
  });
});
