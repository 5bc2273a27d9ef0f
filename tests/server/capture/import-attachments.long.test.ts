// Files that the notes of an archive show or link to come in with them: once, with the notes leading to them, by the
// rules for uploads, and undone with the rest.
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { runImport } from '#server/capture/import-run.ts';
import { runUndo } from '#server/capture/import-undo.ts';
import { startImport } from '#server/capture/service.ts';
import { FILES } from '#shared/capture/limits.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { newId, type Id } from '#shared/ids.ts';
import { signUp } from '#tests/support/agent.ts';
import { openWorld } from '#tests/support/world.ts';
import { zipOf, type ZipEntry } from '#tests/support/zip.ts';

const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');

const pictureOf = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
const world = await openWorld();
const alice = await signUp(world, 'alice');
const red = await pictureOf('red');
const blue = await pictureOf('blue');

const foundWorkspace = async (): Promise<Id<'workspace'>> =>
  (await alice.api('workspace.create', { body: { name: 'Garden' } })).result.id;

/** Runs an import to its end, as the job does. */
async function importWhole(
  workspaceId: Id<'workspace'>,
  entries: readonly ZipEntry[],
  filename = 'notes.zip',
): Promise<ImportJob> {
  world.clock.advance(60_000);
  const { context } = world;
  const order = { workspaceId, userId: alice.user.id, filename, folders: 'none' as const };
  const { id } = await startImport(context, context.jobs, order, await zipOf(entries));
  await runImport(context, id);
  return (await alice.api('import.get', { params: { workspaceId, id } })).result;
}

const live = (workspaceId: Id<'workspace'>) =>
  world.context.db
    .selectFrom('memory')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('deletedAt', 'is', null)
    .orderBy('created')
    .orderBy('id')
    .execute();

/** The texts of the notes by title, with the names of files in place of the ids of their memories. */
async function texts(workspaceId: Id<'workspace'>): Promise<Record<string, string | null>> {
  const rows = await live(workspaceId);
  const names = new Map(rows.map(({ id, filename }) => [`memory:${id}`, `<${filename}>`]));
  const named = (notes: string | null) =>
    notes && notes.replace(/memory:mem_[a-z\d]+/g, (address) => names.get(address) ?? 'nothing');
  return Object.fromEntries(
    rows.flatMap(({ type, title, notes }) => (type === 'file' ? [] : [[title ?? '', named(notes)]])),
  );
}

const filesOf = async (workspaceId: Id<'workspace'>) =>
  (await live(workspaceId)).filter(({ type }) => type === 'file');

async function bytesOf(workspaceId: Id<'workspace'>, id: Id<'memory'>): Promise<Buffer> {
  const { result } = await alice.api('memory.file', { params: { workspaceId, id } });
  const response = await fetch(`${world.url}${new URL(result.url).pathname}`);
  return Buffer.from(await response.arrayBuffer());
}

const vault = (): ZipEntry[] => [
  { path: 'Vault/.obsidian/app.json', bytes: '{}' },
  {
    path: 'Vault/Trips/Oslo.md',
    bytes: [
      '![[harbour.png|300]] and ![[Harbour.png|The harbour]]',
      'The [[ticket.pdf#page=2|ticket]], ![map](../Files/harbour.png "Map") and [file](<../Files/ticket.pdf>).',
      '![[gone.png]] ![[Other note]] `![[harbour.png]]` ![](https://a.example/x.png)',
    ].join('\n'),
  },
  { path: 'Vault/Files/harbour.png', bytes: red },
  { path: 'Vault/Files/ticket.pdf', bytes: pdf },
  { path: 'Vault/Files/unused.png', bytes: blue },
];

test('the files of a vault come in, the notes lead to them, and the rest is named', async () => {
  const workspaceId = await foundWorkspace();
  const job = await importWhole(workspaceId, vault());
  expect(job).toMatchObject({ status: 'completed', total: 4, processed: 4, imported: 3, unchanged: 0 });
  expect(job.problems).toEqual([
    { path: 'Trips/Oslo.md', reason: 'The file “gone.png” is not in the archive', imported: true },
    { path: 'Files/unused.png', reason: 'Not a Markdown or text file', imported: false },
  ]);
  expect(await texts(workspaceId)).toEqual({
    Oslo: [
      '![harbour.png](<harbour.png>) and ![The harbour](<harbour.png>)',
      'The [ticket](<ticket.pdf>), ![map](<harbour.png>) and [file](<ticket.pdf>).',
      '![[gone.png]] ![[Other note]] `![[harbour.png]]` ![](https://a.example/x.png)',
    ].join('\n'),
  });
  const files = await filesOf(workspaceId);
  expect(files.map(({ filename }) => String(filename)).toSorted()).toEqual(['harbour.png', 'ticket.pdf']);
  for (const file of files) {
    expect(file).toMatchObject({ origin: 'import', contentStatus: 'pending', ownerId: alice.user.id });
    const expected = file.filename === 'ticket.pdf' ? pdf : red;
    expect(await bytesOf(workspaceId, file.id)).toEqual(expected);
  }
});

test('the same archive again changes nothing, and undoing takes the files away', async () => {
  const workspaceId = await foundWorkspace();
  const job = await importWhole(workspaceId, vault());
  const before = await live(workspaceId);
  expect(await importWhole(workspaceId, vault())).toMatchObject({
    imported: 0,
    updatedCount: 0,
    unchanged: 3,
  });
  expect(await live(workspaceId)).toEqual(before);
  await alice.api('import.undo', { params: { workspaceId, id: job.id } });
  await runUndo(world.context, { importId: job.id, userId: alice.user.id });
  expect(await live(workspaceId)).toEqual([]);
  expect(await importWhole(workspaceId, vault())).toMatchObject({ imported: 3 });
  expect((await texts(workspaceId))['Oslo']).toContain('![map](<harbour.png>)');
});

test('equal files are one memory, also one that was saved before, but never one in a private space', async () => {
  const workspaceId = await foundWorkspace();
  const space = newId('space');
  await alice.raw('POST', '/v1/spaces', {
    body: { id: space, workspaceId, name: 'Own', visibility: 'private' },
  });
  const upload = async (bytes: Buffer, more: object): Promise<string> => {
    const form = new FormData();
    form.set('payload', JSON.stringify({ workspaceId, ...more }));
    form.set('file', new Blob([new Uint8Array(bytes)]), 'mine.png');
    const response = await fetch(`${world.url}/v1/memories`, {
      method: 'POST',
      headers: { authorization: `Bearer ${alice.token}`, 'x-upload': 'file' },
      body: form,
    });
    expect(response.status).toBe(201);
    return (await response.json()).result.id;
  };
  const [{ id: privateSpace } = { id: '' }] = await world.context.db
    .selectFrom('space')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('name', '=', 'Own')
    .execute();
  const open = await upload(red, {});
  const hidden = await upload(blue, { spaceId: privateSpace });
  const job = await importWhole(workspaceId, [
    { path: 'a.md', bytes: '![a](x/red.png) ![b](y/red.png) ![c](blue.png)' },
    { path: 'x/red.png', bytes: red },
    { path: 'y/red.png', bytes: red },
    { path: 'blue.png', bytes: blue },
  ]);
  expect(job).toMatchObject({ imported: 2, unchanged: 2, problems: [] });
  const notes = (await live(workspaceId)).find(({ type }) => type === 'note')?.notes ?? '';
  expect(notes.split(`memory:${open}`)).toHaveLength(3);
  expect(notes).not.toContain(hidden);
  expect(await texts(workspaceId)).toEqual({ a: '![a](<mine.png>) ![b](<mine.png>) ![c](<blue.png>)' });
});

test('a file that changed is another memory, and the note leads to it', async () => {
  const workspaceId = await foundWorkspace();
  const note = { path: 'a.md', bytes: '![sky](sky.png)' };
  await importWhole(workspaceId, [note, { path: 'sky.png', bytes: red }]);
  const [first] = await filesOf(workspaceId);
  const job = await importWhole(workspaceId, [note, { path: 'sky.png', bytes: blue }]);
  expect(job).toMatchObject({ imported: 1, updatedCount: 1, problems: [] });
  const files = await filesOf(workspaceId);
  expect(files).toHaveLength(2);
  const second = files.find(({ id }) => id !== first?.id);
  const notes = (await live(workspaceId)).find(({ type }) => type === 'note')?.notes;
  expect(notes).toBe(`![sky](memory:${second?.id})`);
});

test('hostile files are left out by their own fault, and the words of their notes stay', async () => {
  const workspaceId = await foundWorkspace();
  const job = await importWhole(workspaceId, [
    {
      path: 'in/a.md',
      bytes:
        '![lie](lie.png) ![empty](empty.png) ![link](link.png) ![bomb](bomb.png) ![out](../../../etc/out.png) ![bad%](%E0%A4%A.png) ![s](sound.wav)',
    },
    { path: 'in/lie.png', bytes: '<script>alert(1)</script>' },
    { path: 'in/empty.png', bytes: '' },
    { path: 'in/link.png', bytes: '/etc/passwd', mode: 0o120777 },
    { path: 'in/bomb.png', bytes: Buffer.alloc(FILES.maxBytes + 1) },
    { path: 'in/sound.wav', bytes: Buffer.concat([Buffer.from('RIFF....WAVE'), Buffer.from('x')]) },
  ]);
  const reasons = new Map(job.problems.map(({ path, reason }) => [path, reason]));
  expect(reasons.get('in/lie.png')).toBe('Its content does not match its name');
  expect(reasons.get('in/empty.png')).toBe('The file is empty');
  expect(reasons.get('in/link.png')).toBe('Links are not imported');
  expect(reasons.get('in/bomb.png')).toBe('Compressed more than a text can be');
  expect(job.problems.filter(({ imported }) => imported).map(({ reason }) => reason)).toEqual([
    'The file “out.png” is not in the archive',
    'The file “%E0%A4%A.png” is not in the archive',
  ]);
  expect(job).toMatchObject({ status: 'completed', imported: 2 });
  expect(await texts(workspaceId)).toEqual({
    a: '*lie* *empty* *link* *bomb* ![out](../../../etc/out.png) ![bad%](%E0%A4%A.png) ![s](<sound.wav>)',
  });
});

test('without room for a file its words stay, and another import brings it', async () => {
  const workspaceId = await foundWorkspace();
  const entries = [
    { path: 'a.md', bytes: '![sky](sky.png)' },
    { path: 'sky.png', bytes: red },
  ];
  const full = {
    workspaceId,
    id: newId('upload'),
    hash: 'f'.repeat(64),
    bytes: FILES.workspaceMaxBytes,
    kind: 'png' as const,
    createdBy: alice.user.id,
    created: world.context.clock.now().toISOString(),
    touched: world.context.clock.now().toISOString(),
    stored: null,
  };
  await world.context.db.insertInto('upload').values(full).execute();
  const job = await importWhole(workspaceId, entries);
  expect(job).toMatchObject({ status: 'completed', imported: 1 });
  expect(job.problems).toEqual([
    { path: 'sky.png', reason: 'The files of this workspace take up all of its room', imported: false },
  ]);
  expect(await texts(workspaceId)).toEqual({ a: '*sky*' });
  await world.context.db.deleteFrom('upload').where('workspaceId', '=', workspaceId).execute();
  expect(await importWhole(workspaceId, entries)).toMatchObject({
    imported: 1,
    updatedCount: 1,
    problems: [],
  });
  expect(await texts(workspaceId)).toEqual({ a: '![sky](<sky.png>)' });
});

test('a store that is down fails the try, not the import', async () => {
  const workspaceId = await foundWorkspace();
  const { context } = world;
  const order = { workspaceId, userId: alice.user.id, filename: 'n.zip', folders: 'none' as const };
  const archive = await zipOf([
    { path: 'a.md', bytes: '![sky](sky.png)' },
    { path: 'sky.png', bytes: red },
  ]);
  const { id } = await startImport(context, context.jobs, order, archive);
  const files = {
    ...context.files,
    put: async () => {
      throw new Error('down');
    },
  };
  await expect(runImport({ ...context, files }, id)).rejects.toThrow('could not be stored');
  await runImport(context, id);
  expect(await texts(workspaceId)).toEqual({ a: '![sky](<sky.png>)' });
});

test('a Notion export shows the pictures of its pages, also where two pages have the same name', async () => {
  const workspaceId = await foundWorkspace();
  const [one, two] = ['1'.repeat(32), '2'.repeat(32)];
  const job = await importWhole(workspaceId, [
    { path: `Page ${one}.md`, bytes: `# First\n\n![image.png](Page%20${one}/image.png)` },
    { path: `Page ${one}/image.png`, bytes: red },
    { path: `Page ${two}.md`, bytes: `# Second\n\n![image.png](Page%20${two}/image.png)` },
    { path: `Page ${two}/image.png`, bytes: blue },
  ]);
  expect(job).toMatchObject({ imported: 4, problems: [] });
  expect(await texts(workspaceId)).toEqual({
    First: '![image.png](<image.png>)',
    Second: '![image.png](<image.png>)',
  });
  expect(new Set((await filesOf(workspaceId)).map(({ uploadId }) => uploadId)).size).toBe(2);
});
