// Exports of other products through HTTP into a real database: everything of each fixture is compared, and importing it
// again adds nothing.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { type Id } from '#shared/ids.ts';
import { signUp, type Agent } from '#tests/support/agent.ts';
import { openWorld } from '#tests/support/world.ts';
import { filesBelow, zipOf } from '#tests/support/zip.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/imports');

const world = await openWorld({ jobs: true });
interface Sent {
  name: string;
  bytes: Buffer;
  folders?: ImportJob['folders'];
}

async function importFile(
  person: Agent,
  workspaceId: string,
  { name, bytes, folders = 'tags' }: Sent,
): Promise<ImportJob> {
  const form = new FormData();
  form.set('payload', JSON.stringify({ workspaceId, folders }));
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(`${world.url}/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
    body: form,
  });
  const { result }: { result: ImportJob } = await response.json();
  expect(response.status).toBe(202);
  for (;;) {
    const { json } = await person.raw('GET', `/v1/imports/${workspaceId}/${result.id}`);
    const job = json?.result as ImportJob;
    if (job.status === 'completed' || job.status === 'failed') return job;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Everything that an import stores of a memory, without ids. */
async function stored(workspaceId: Id<'workspace'>) {
  const { db } = world.context;
  const rows = await db
    .selectFrom('memory')
    .leftJoin('memory_page', 'memory_page.memoryId', 'memory.id')
    .select(['memory.id', 'type', 'origin', 'title', 'description', 'memory.url', 'urlKey', 'notes', 'tags'])
    .select(['archived', 'filename', 'created', 'updated', 'memory_page.text as pageText'])
    .where('memory.workspaceId', '=', workspaceId)
    .orderBy('title')
    .orderBy('memory.url')
    .orderBy('notes')
    .execute();
  const links = await db
    .selectFrom('space_memory')
    .innerJoin('space', 'space.id', 'space_memory.spaceId')
    .select(['memoryId', 'name'])
    .where('space_memory.workspaceId', '=', workspaceId)
    .orderBy('name')
    .execute();
  const now = world.context.clock.now().toISOString().slice(0, 10);
  const dated = (time: string) => (time.startsWith(now) ? 'now' : time);
  const names = new Map(rows.map(({ id, filename }) => [`memory:${id}`, `memory:<${filename}>`]));
  return rows.map(({ id, created, updated, notes, ...row }) => ({
    ...row,
    notes: notes && notes.replace(/memory:mem_[a-z\d]+/g, (address) => names.get(address) ?? address),
    created: dated(created),
    updated: dated(updated),
    spaces: links.filter(({ memoryId }) => memoryId === id).map(({ name }) => name),
  }));
}

const file = (name: string) => readFileSync(path.join(FIXTURES, name));
const folder = (name: string) => zipOf(filesBelow(path.join(FIXTURES, name)));

const EXPORTS: readonly { name: string; sent: () => Promise<Sent> }[] = [
  ...['bookmarks.html', 'pocket.html', 'raindrop.csv', 'instapaper.csv'].map((name) => ({
    name,
    sent: async () => ({ name, bytes: file(name), folders: 'spaces' as const }),
  })),
  ...[
    'readwise.csv',
    'readwise-reader.csv',
    'karakeep.json',
    'linkwarden.json',
    'wallabag.json',
    'evernote.enex',
  ].map((name) => ({
    name,
    sent: async () => ({ name, bytes: file(name), folders: 'spaces' as const }),
  })),
  ...['pocket', 'omnivore', 'obsidian', 'chatgpt', 'claude'].map((name) => ({
    name,
    sent: async () => ({ name: `${name}.zip`, bytes: await folder(name) }),
  })),
  {
    name: 'notion',
    sent: async () => {
      const inner = await folder('notion');
      const outer = [{ path: 'Export-0d1e-Part-1.zip', bytes: inner }];
      return { name: 'notion.zip', bytes: await zipOf(outer) };
    },
  },
];

describe('an export of another product', () => {
  test.each(EXPORTS)('$name comes in whole, and only once', async ({ name, sent }) => {
    // One for each export: together they are more than one person may import in an hour.
    const person = await signUp(world, name.replace('.', '-'));
    const workspaceId = (await person.api('workspace.create', { body: { name: 'Garden' } })).result.id;
    const upload = await sent();
    const { total, processed, status, imported, unchanged, problems, error } = await importFile(
      person,
      workspaceId,
      upload,
    );
    const memories = await stored(workspaceId);
    const found = { total, processed, status, imported, unchanged, error, problems, memories };
    const expected = path.join(FIXTURES, `${name.replace('.', '-')}.expected.json`);
    expect(found).toEqual(JSON.parse(readFileSync(expected, 'utf8')));

    const again = await importFile(person, workspaceId, { ...upload, name: `copy of ${upload.name}` });
    expect(again).toMatchObject({ status: 'completed', imported: 0, updatedCount: 0, total });
    expect(again.unchanged).toBe(imported + unchanged);
    expect(await stored(workspaceId)).toEqual(memories);
  });
});

test('every fixture is imported', () => {
  const known = EXPORTS.map(({ name }) => name);
  const there = readdirSync(FIXTURES).filter((name) => !/README|\.expected\./.test(name));
  expect(known.toSorted()).toEqual(there.toSorted());
});
