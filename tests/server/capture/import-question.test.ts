// An import that would make many spaces asks first: when it asks, that nothing is written before, and who answers how.
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { endUnanswered, runImport } from '#server/capture/import-run.ts';
import { storedArchive } from '#server/capture/stored-archive.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { changePosition, removeMember } from '#server/workspaces/membership.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { IMPORT } from '#shared/capture/limits.ts';
import { HOUR_MS } from '#shared/constants.ts';
import { newId, type Id } from '#shared/ids.ts';
import { createRaw, signUp, type Agent } from '#tests/support/agent.ts';
import { archiveOf, memoryRow, spaceRow } from '#tests/support/archive-rows.ts';
import { join } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { asPerson } from '#server/sync/readable.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';
import { zipOf, type ZipEntry } from '#tests/support/zip.ts';

/** No job runs by itself: each test plays its own. */
const world = await openWorld();
const { context } = world;
const { db } = context;
// A new person in each test, because imports of one are limited.
let alice: Agent;
let count = 0;
beforeEach(async () => {
  alice = await signUp(world, `alice-${(count += 1)}`);
});
const MAX = 20;

const foundWorkspace = async (): Promise<Id<'workspace'>> =>
  (await alice.api('workspace.create', { body: { name: 'Garden' } })).result.id;

const inFolders = (names: readonly string[]): ZipEntry[] =>
  names.map((name) => ({ path: `${name}/note.md`, bytes: `note of ${name}` }));
const folders = (count: number) => Array.from({ length: count }, (_, n) => `folder ${n}`);

/** Sends an archive; the app's request, with other values where they are given. */
async function send(
  workspaceId: Id<'workspace'>,
  entries: ZipEntry[] | Buffer,
  { by = alice, ...more }: { by?: Agent; folders?: string; spacesMax?: number | undefined } = {},
): Promise<Id<'upload'>> {
  const archive = Buffer.isBuffer(entries) ? entries : await zipOf(entries);
  const form = new FormData();
  form.set('payload', JSON.stringify({ workspaceId, folders: 'spaces', spacesMax: MAX, ...more }));
  form.set('file', new Blob([new Uint8Array(archive)]), 'notes.zip');
  const headers = { authorization: `Bearer ${by.token}` };
  const response = await fetch(`${world.url}/v1/imports`, { method: 'POST', headers, body: form });
  const json = await response.json();
  expect(response.status).toBe(202);
  return json.result.id;
}

async function jobOf(workspaceId: Id<'workspace'>, id: Id<'upload'>): Promise<ImportJob> {
  return (await alice.api('import.get', { params: { workspaceId, id } })).result;
}

/** Plays the job to its question or its end. */
async function play(workspaceId: Id<'workspace'>, id: Id<'upload'>): Promise<ImportJob> {
  for (;;) {
    await runImport(context, id);
    const job = await jobOf(workspaceId, id);
    if (job.status !== 'pending' && job.status !== 'running') return job;
  }
}

const importWhole = async (...order: Parameters<typeof send>) => play(order[0], await send(...order));

const answer = ({ workspaceId, id }: ImportJob, choice: string, { raw }: Pick<Agent, 'raw'> = alice) =>
  raw('POST', `/v1/imports/${workspaceId}/${id}/folders`, { body: { folders: choice } });

const rowsOf = (table: 'memory' | 'space', workspaceId: Id<'workspace'>) =>
  db.selectFrom(table).selectAll().where('workspaceId', '=', workspaceId).execute();
const tagsOf = async (workspaceId: Id<'workspace'>) =>
  (await db.selectFrom('memory').select('tags').where('workspaceId', '=', workspaceId).execute()).flatMap(
    ({ tags }) => tags,
  );

async function timesQueued(id: Id<'upload'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as "count" from pgboss.job where name = 'import.run' and data ->> 'importId' = ${id}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

describe('an import asks', () => {
  it('when it would make more new spaces than allowed, and writes nothing before', async () => {
    const workspaceId = await foundWorkspace();
    const job = await importWhole(workspaceId, inFolders(folders(25)));
    expect(job).toMatchObject({ status: 'asking', newSpaces: 25, processed: 0, imported: 0 });
    expect(job.newSpaceNames).toEqual(['folder 0', 'folder 1', 'folder 2']);
    // Columns of the server alone are not shown.
    expect(Object.keys(job)).not.toContain('countedSpaces');
    expect([await rowsOf('memory', workspaceId), await rowsOf('space', workspaceId)]).toEqual([[], []]);
    const [listed] = (await alice.api('import.list', { params: { workspaceId } })).result;
    expect(listed).toMatchObject({ status: 'asking', newSpaces: 25 });
    const told = await db
      .selectFrom('notification')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .execute();
    expect(told).toMatchObject([{ userId: alice.user.id, title: 'Import needs your answer' }]);
    // A retry of the job, as after a server that died here, changes nothing.
    await runImport(context, job.id);
    expect(await jobOf(workspaceId, job.id)).toEqual(job);
  });

  it('not for as many as allowed; folders of one address are one space', async () => {
    const workspaceId = await foundWorkspace();
    const names = [...folders(MAX), 'Folder 0', 'folder-1'];
    expect(await importWhole(workspaceId, inFolders(names))).toMatchObject({
      status: 'completed',
      newSpaces: 0,
      imported: MAX + 2,
    });
    expect(await rowsOf('space', workspaceId)).toHaveLength(MAX);
  });

  it('not about spaces that it uses again, but about those that it cannot', async () => {
    const workspaceId = await foundWorkspace();
    await Promise.all(
      folders(5).map((name) =>
        alice.api('space.create', { body: { workspaceId, name, visibility: 'workspace' } }),
      ),
    );
    expect(await importWhole(workspaceId, inFolders(folders(25)))).toMatchObject({ status: 'completed' });
    expect(await rowsOf('space', workspaceId)).toHaveLength(25);
    const other = await foundWorkspace();
    await alice.api('space.create', {
      body: { workspaceId: other, name: 'folder 0', visibility: 'private' },
    });
    expect(await importWhole(other, inFolders(folders(MAX + 1)))).toMatchObject({ newSpaces: MAX + 1 });
  });

  it('not about folders of notes that are here already, because those are not filed again', async () => {
    const workspaceId = await foundWorkspace();
    await importWhole(workspaceId, inFolders(folders(25)), { folders: 'tags' });
    expect(await importWhole(workspaceId, inFolders(folders(25)))).toMatchObject({
      status: 'completed',
      unchanged: 25,
    });
  });

  it('not without a limit, not with folders as tags, and not for an archive of Loci', async () => {
    const workspaceId = await foundWorkspace();
    const limitless = await importWhole(workspaceId, inFolders(folders(25)), { spacesMax: undefined });
    expect(limitless).toMatchObject({ status: 'completed', imported: 25 });
    expect(await rowsOf('space', workspaceId)).toHaveLength(25);
    const other = await foundWorkspace();
    expect(await importWhole(other, inFolders(folders(25)), { folders: 'tags' })).toMatchObject({
      status: 'completed',
    });
    const third = await foundWorkspace();
    const spaces = folders(25).map((name) => spaceRow({ name, slug: name.replace(' ', '-') }));
    const rows = [...spaces, ...spaces.map(({ id }) => memoryRow({ spaceId: id }))];
    const archive = await archiveOf({ rows, files: inFolders(folders(25)) });
    expect(await importWhole(third, archive)).toMatchObject({ status: 'completed', newSpaces: 0 });
    expect(await rowsOf('space', third)).toHaveLength(25);
  });

  it('after as many turns as the counting takes', async () => {
    const workspaceId = await foundWorkspace();
    const notes = Array.from({ length: 600 }, (_, n) => ({
      path: `folder ${n < 500 ? n % 15 : 15 + (n % 10)}/${n}.md`,
      bytes: `note ${n}`,
    }));
    const id = await send(workspaceId, notes);
    const queued: unknown[] = [];
    const jobs = {
      enqueue: async (_db: unknown, name: string, payload: unknown) => {
        if (name === 'import.run') queued.push(payload);
      },
    };
    let now = context.clock.now().getTime();
    const clock = { now: () => new Date((now += 10_000)) };
    const takeTurn = () => runImport({ ...context, clock, jobs }, id);
    const again = { importId: id };
    await takeTurn();
    expect(queued).toEqual([again]);
    expect(await jobOf(workspaceId, id)).toMatchObject({ status: 'pending', newSpaces: 0, processed: 0 });
    await takeTurn();
    await takeTurn();
    expect(queued).toEqual([again, again]);
    expect(await jobOf(workspaceId, id)).toMatchObject({ status: 'asking', newSpaces: 25 });
    expect(await rowsOf('memory', workspaceId)).toEqual([]);
  });
});

describe('the answer', () => {
  it.each([
    ['tags', 0, folders(25)],
    ['spaces', 25, []],
    ['none', 0, []],
  ])('%s is what folders become', async (choice, spaces, tags) => {
    const workspaceId = await foundWorkspace();
    const asking = await importWhole(workspaceId, inFolders(folders(25)));
    const { status, json } = await answer(asking, choice);
    expect([status, json?.result]).toMatchObject([202, { status: 'pending', folders: choice }]);
    const job = await play(workspaceId, asking.id);
    expect(job).toMatchObject({ status: 'completed', folders: choice, imported: 25 });
    expect(await rowsOf('space', workspaceId)).toHaveLength(spaces);
    expect((await tagsOf(workspaceId)).toSorted()).toEqual(tags.toSorted());
    // The same answer again is harmless, another one comes too late.
    expect((await answer(job, choice)).status).toBe(202);
    expect((await answer(job, choice === 'none' ? 'tags' : 'none')).status).toBe(409);
    expect(await timesQueued(job.id)).toBe(2);
  });

  it('reaches another server than the one that asked, which runs the import', async () => {
    const workspaceId = await foundWorkspace();
    const asking = await importWhole(workspaceId, inFolders(folders(25)));
    const next = await createWorld({ database: world.database, jobs: true });
    try {
      expect((await answer(asking, 'spaces', { raw: createRaw(next, alice.token) })).status).toBe(202);
      await expect
        .poll(() => jobOf(workspaceId, asking.id))
        .toMatchObject({ status: 'completed', imported: 25 });
      expect(await rowsOf('space', workspaceId)).toHaveLength(25);
    } finally {
      await next.close();
    }
  });

  it('counts once when it is given twice at the same time', async () => {
    const workspaceId = await foundWorkspace();
    const same = await importWhole(workspaceId, inFolders(folders(25)));
    const answers = await Promise.all(Array.from({ length: 6 }, () => answer(same, 'tags')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 202));
    expect(await timesQueued(same.id)).toBe(2);
    const other = await importWhole(workspaceId, inFolders(folders(50).slice(25)));
    const both = await Promise.all([answer(other, 'tags'), answer(other, 'spaces')]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([202, 409]));
    const won = both[0]?.status === 202 ? 'tags' : 'spaces';
    expect(await play(workspaceId, other.id)).toMatchObject({ status: 'completed', folders: won });
  });

  it('is refused while there is no question, and in another form', async () => {
    const workspaceId = await foundWorkspace();
    const id = await send(workspaceId, inFolders(folders(25)));
    const waiting = await jobOf(workspaceId, id);
    expect((await answer(waiting, 'spaces')).status).toBe(409);
    const asking = await play(workspaceId, id);
    expect((await answer(asking, 'cancel')).status).toBe(400);
    expect((await answer({ ...asking, id: newId('upload') }, 'tags')).status).toBe(404);
    const done = await importWhole(workspaceId, [{ path: 'a.md', bytes: 'a' }]);
    expect((await answer(done, 'spaces')).status).toBe(409);
  });

  it('is taken only from who began the import, while they may write', async () => {
    const workspaceId = await foundWorkspace();
    const [bob, carol, dan] = await Promise.all(
      ['bob', 'carol', 'dan'].map(async (name) => {
        const agent = await signUp(world, name);
        await join(world, workspaceId, agent, name === 'dan' ? 'admin' : 'member');
        return agent;
      }),
    );
    if (!bob || !carol || !dan) throw new Error('A member is missing');
    const stranger = await signUp(world, 'eve');
    const id = await send(workspaceId, inFolders(folders(25)), { by: bob });
    const asking = await play(workspaceId, id);
    const statusOf = async (who: Pick<Agent, 'raw'>) => (await answer(asking, 'spaces', who)).status;
    expect(await Promise.all([carol, dan, alice, stranger].map(statusOf))).toEqual([404, 403, 403, 403]);
    const reading = await createKey(world, bob, { workspaceId, scopes: ['memories:read'] });
    const writing = await createKey(world, bob, { workspaceId, scopes: ['memories:read', 'memories:write'] });
    expect(await statusOf(reading)).toBe(403);
    const owner = { ...asPerson(alice.user.id), position: 'owner' } as const;
    const change = (position: 'member' | 'read-only') =>
      writeInRealm(context, workspaceId, owner, (tx) =>
        changePosition(tx, owner, { userId: bob.user.id, position }),
      );
    await change('read-only');
    expect([await statusOf(bob), await statusOf(writing)]).toEqual([403, 403]);
    await change('member');
    expect(await jobOf(workspaceId, id)).toMatchObject({ status: 'asking', folders: 'spaces' });
    expect(await statusOf(writing)).toBe(202);
    await writeInRealm(context, workspaceId, owner, (tx) => removeMember(tx, owner, bob.user.id));
    expect(await statusOf(bob)).toBe(403);
  });

  it('may take days, and no longer: then the archive goes, and the job says why', async () => {
    const workspaceId = await foundWorkspace();
    const [late, never] = [
      await importWhole(workspaceId, inFolders(folders(25))),
      await importWhole(workspaceId, inFolders(folders(25))),
    ];
    const day = 24 * HOUR_MS;
    world.clock.advance(IMPORT.askDays * day - HOUR_MS);
    await endUnanswered(context, context.clock.now());
    // The time that an import may take begins with the answer.
    expect((await answer(late, 'tags')).status).toBe(202);
    expect(await play(workspaceId, late.id)).toMatchObject({ status: 'completed', imported: 25 });
    world.clock.advance(2 * HOUR_MS);
    await endUnanswered(context, context.clock.now());
    expect(await jobOf(workspaceId, never.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('not chosen within 7 days'),
      undo: 'impossible',
    });
    expect(await storedArchive(db, never)).toBeUndefined();
    expect((await answer(never, 'spaces')).status).toBe(409);
  });
});

it('makes one space of a folder in several chunks, also where a closed space has its address', async () => {
  const workspaceId = await foundWorkspace();
  await alice.api('space.create', {
    body: { workspaceId, name: 'Bread', slug: 'bread', visibility: 'private' },
  });
  const entries = Array.from({ length: IMPORT.chunkRows + 1 }, (_, n) => ({
    path: `Bread/${n}.md`,
    bytes: `Loaf ${n}`,
  }));
  expect(await importWhole(workspaceId, entries)).toMatchObject({
    status: 'completed',
    imported: entries.length,
  });
  const slugs = (await rowsOf('space', workspaceId)).map(({ slug }) => slug);
  expect(slugs.toSorted()).toEqual(['bread', 'bread-2']);
});
