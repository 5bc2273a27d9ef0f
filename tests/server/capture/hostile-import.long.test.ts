// Archives made to hold up the server: each bad file costs itself, each import ends, and others are not kept waiting.
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { runImport } from '#server/capture/import-run.ts';
import { startImport } from '#server/capture/service.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { createJobHandlers } from '#server/job-handlers.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { createWorkspace } from '#server/workspaces/membership.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { newId, type Id } from '#shared/ids.ts';
import { signUp } from '#tests/support/agent.ts';
import { heldUpMs } from '#tests/support/cpu-time.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';
import { zipOf, type ZipEntry } from '#tests/support/zip.ts';
import { asPerson } from '#server/sync/readable.ts';

const world = await openWorld({ jobs: true });
const alice = await signUp(world, 'alice');

async function foundWorkspace({ context } = world, { user } = alice): Promise<Id<'workspace'>> {
  const id = newId('workspace');
  await writeInRealm(context, id, asPerson(user.id), (tx) =>
    createWorkspace(tx, user.id, { id, slug: `ws-${id.slice(3, 20)}`, name: 'Garden' }),
  );
  return id;
}

async function upload(workspaceId: string, entries: ZipEntry[]): Promise<string> {
  const form = new FormData();
  form.set('payload', JSON.stringify({ workspaceId, folders: 'tags' }));
  form.set('file', new Blob([new Uint8Array(await zipOf(entries))]), 'notes.zip');
  const response = await fetch(`${world.url}/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${alice.token}` },
    body: form,
  });
  expect(response.status).toBe(202);
  const { result }: { result: ImportJob } = await response.json();
  return result.id;
}

async function jobOf(workspaceId: string, id: string): Promise<ImportJob> {
  const { json } = await alice.raw('GET', `/v1/imports/${workspaceId}/${id}`);
  return json?.result as ImportJob;
}

async function finished(workspaceId: string, id: string): Promise<ImportJob> {
  for (;;) {
    const job = await jobOf(workspaceId, id);
    if (job.status === 'completed' || job.status === 'failed') return job;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const note = (frontMatter: string): string => `---\n${frontMatter}\n---\nText`;

const HOSTILE: Readonly<Record<string, string>> = {
  'nul-title.md': note(String.raw`title: "a\0b"`),
  'nul-tag.md': note(String.raw`tags: ["a\0b"]`),
  'nul-description.md': note(String.raw`description: "a\0b"`),
  'nul-url.md': note(String.raw`url: "https://a.example/\0"`),
  'nul-date.md': note(String.raw`date: "20\020"`),
  'half-title.md': note(String.raw`title: "a\uD800b"`),
  'half-tag.md': note(`tags: ["${'a'.repeat(63)}\u{1F600}"]`),
  'absurd-date.md': note('date: 99999999-01-01\ncreated: -271821-04-20'),
  'huge-title.md': note(`title: ${'a'.repeat(15_000)}`),
  'huge-tags.md': note(`tags: [${'a,'.repeat(7_000)}]`),
  'deep.md': note(`a: ${'['.repeat(8_000)}`),
  'deep-closed.md': note(`a: ${'['.repeat(4_000)}${']'.repeat(4_000)}`),
  'deep-map.md': note(`${'{a: '.repeat(2_000)}1${'}'.repeat(2_000)}`),
  'aliases.md': note(
    Array.from({ length: 20 }, (_, n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(n === 0 ? 0 : 9)}1]`).join(
      '\n',
    ),
  ),
  'merge.md': note('<<: &a {<<: *a}'),
  'tag.md': note('title: !!js/function "x"'),
  'keys.md': note('? {a: 1}\n: 2\n__proto__: {polluted: true}'),
  'marks.md': '*a_ '.repeat(50_000),
  'fence.md': `---\n${'- \n'.repeat(5_000)}`,
};

describe('a hostile archive', () => {
  test('loses at most the bad file, with a reason, and ends', async () => {
    const workspaceId = await foundWorkspace();
    const entries = Object.entries(HOSTILE).map(([path, bytes]) => ({ path, bytes }));
    const id = await upload(workspaceId, [...entries, { path: 'last.md', bytes: '# Last\n\nStill here.' }]);
    const job = await finished(workspaceId, id);
    expect(job).toMatchObject({ status: 'completed', processed: entries.length + 1 });
    expect(job.problems.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'nul-title.md',
        'nul-tag.md',
        'half-title.md',
        'absurd-date.md',
        'deep.md',
        'aliases.md',
      ]),
    );
    const rows = await world.context.db
      .selectFrom('memory')
      .select(['title', 'filename'])
      .where('workspaceId', '=', workspaceId)
      .execute();
    expect(rows).toContainEqual({ title: 'Last', filename: 'last.md' });
    const leftOut = job.problems.filter(({ imported }) => !imported).map(({ path }) => path);
    const settled = [...rows.map(({ filename }) => filename), ...leftOut];
    expect(settled).toEqual(expect.arrayContaining(entries.map(({ path }) => path)));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('with many long texts holds up no request', async () => {
    const workspaceId = await foundWorkspace();
    const entries = Array.from({ length: 40 }, (_, n) => ({
      path: `${n}.md`,
      bytes: `${note(`tags: [${'x,'.repeat(3_000)}]`)}${`${n} *a_ [x](y) `.repeat(6_000)}`,
    }));
    const archive = await zipOf(entries);
    const form = { workspaceId, userId: alice.user.id, filename: 'long.zip', folders: 'none' as const };
    const idle = {
      enqueue: async () => {},
      prepare: async () => {},
      start: async () => {},
      stop: async () => {},
    };
    const job = await startImport(world.context, idle, form, archive);
    const heldUp = await heldUpMs(() => runImport({ ...world.context, jobs: idle }, job.id));
    expect(heldUp).toBeLessThan(250);
    expect((await jobOf(workspaceId, job.id)).imported).toBeGreaterThan(0);
  });
});

describe('imports that wait', () => {
  test('each begin when the one before has ended, without another being sent', async () => {
    const workspaceId = await foundWorkspace();
    const ids = await Promise.all(
      Array.from({ length: 6 }, (_, n) => upload(workspaceId, [{ path: `${n}.md`, bytes: `note ${n}` }])),
    );
    for (const id of ids)
      expect(await finished(workspaceId, id)).toMatchObject({ status: 'completed', imported: 1 });
  });

  test('do not wait for those of another workspace', async () => {
    const [busy, quiet] = [await foundWorkspace(), await foundWorkspace()];
    const many = Array.from({ length: 700 }, (_, n) => ({
      path: `${n}.md`,
      bytes: `note ${n} `.repeat(200),
    }));
    const long = [await upload(busy, many), await upload(busy, many), await upload(busy, many)];
    const short = await upload(quiet, [{ path: 'a.md', bytes: 'a' }]);
    expect(await finished(quiet, short)).toMatchObject({ status: 'completed', imported: 1 });
    expect((await jobOf(busy, long.at(-1) ?? '')).status).not.toBe('completed');
    for (const id of long) expect(await finished(busy, id)).toMatchObject({ status: 'completed' });
  });
});

test('a long import gives way after its turn and continues behind what is done', async () => {
  const workspaceId = await foundWorkspace();
  const entries = Array.from({ length: 1_100 }, (_, n) => ({ path: `${n}.md`, bytes: `note ${n}` }));
  const idle = {
    enqueue: async () => {},
    prepare: async () => {},
    start: async () => {},
    stop: async () => {},
  };
  const order = { workspaceId, userId: alice.user.id, filename: 'many.zip', folders: 'none' as const };
  const job = await startImport(world.context, idle, order, await zipOf(entries));
  const queued: unknown[] = [];
  const jobs = {
    enqueue: async (_db: unknown, name: string, payload: unknown, options: unknown) => {
      queued.push([name, payload, options]);
    },
  };
  let now = world.context.clock.now().getTime();
  const clock = { now: () => new Date((now += 10_000)) };
  await runImport({ ...world.context, clock, jobs }, job.id);
  expect(queued).toEqual([['import.run', { importId: job.id }, { group: workspaceId }]]);
  const { processed, status } = await jobOf(workspaceId, job.id);
  expect({ processed, status }).toEqual({ processed: 500, status: 'running' });
  await runImport({ ...world.context, jobs }, job.id);
  expect(await jobOf(workspaceId, job.id)).toMatchObject({ status: 'completed', imported: 1_100 });
});

test('an import whose every attempt fails ends as failed, and its owner reads so', async () => {
  const broken = await createWorld();
  try {
    const { context } = broken;
    let attempts = 0;
    await context.jobs.start({
      ...createJobHandlers(context),
      'import.run': {
        ...createJobHandlers(context)['import.run'],
        run: async () => {
          attempts += 1;
          throw new Error('A fault of the server');
        },
      },
    });
    // One attempt in place of six, whose pauses would take a minute.
    const jobs: JobQueue = {
      ...context.jobs,
      async enqueue(db, ...job) {
        await context.jobs.enqueue(db, ...job);
        await sql`update pgboss.job set retry_limit = 0 where name = 'import.run'`.execute(db);
      },
    };
    const bob = await signUp(broken, 'bob');
    const workspaceId = await foundWorkspace(broken, bob);
    const order = { workspaceId, userId: bob.user.id, filename: 'bad.zip', folders: 'none' as const };
    const { id } = await startImport(context, jobs, order, await zipOf([{ path: 'a.md', bytes: 'a' }]));
    await expect
      .poll(async () => (await bob.raw('GET', `/v1/imports/${workspaceId}/${id}`)).json?.result, {})
      .toMatchObject({ status: 'failed', error: expect.stringContaining('Import the file again') });
    expect(attempts).toBe(1);
    await expect
      .poll(() => context.db.selectFrom('notification').select(['userId', 'title']).execute())
      .toContainEqual({ userId: bob.user.id, title: 'Import failed' });
  } finally {
    await broken.close();
  }
});
