// Imported links are the links that the product itself saves: one memory for each page, whose page is fetched behind
// everything else.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runImport } from '#server/capture/import-run.ts';
import { startImport } from '#server/capture/service.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { IMPORT } from '#shared/capture/limits.ts';
import { type Id } from '#shared/ids.ts';
import { signUp } from '#tests/support/agent.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const alice = await signUp(world, 'alice');

const foundWorkspace = async (): Promise<Id<'workspace'>> =>
  (await alice.api('workspace.create', { body: { name: 'Garden' } })).result.id;

const pageOf = (links: readonly string[]) =>
  Buffer.from(`<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>${links.join('\n')}</DL>`);

/** Runs an import to its end, as the job does. */
async function importPage(
  workspaceId: Id<'workspace'>,
  links: readonly string[],
  folders: 'tags' | 'spaces' = 'tags',
) {
  const { context } = world;
  const order = { workspaceId, userId: alice.user.id, filename: 'bookmarks.html', folders };
  const { id } = await startImport(context, context.jobs, order, pageOf(links));
  // One turn may not be enough on a busy machine.
  for (;;) {
    await runImport(context, id);
    const { json } = await alice.raw('GET', `/v1/imports/${workspaceId}/${id}`);
    const job = json?.result as ImportJob;
    if (job.status === 'completed') return job;
  }
}

const memories = (workspaceId: Id<'workspace'>) =>
  world.context.db
    .selectFrom('memory')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .orderBy('created')
    .execute();

test('a link that was saved before is completed, keeps its title, and gets no second memory', async () => {
  const workspaceId = await foundWorkspace();
  const saved = await alice.raw('POST', '/v1/memories', {
    body: {
      workspaceId,
      url: 'https://www.a.example/x?utm_source=y',
      title: 'Mine',
      tags: ['own'],
      notes: 'My words',
    },
  });
  expect(saved.status).toBe(201);
  const links = [
    '<DT><H3>Garden</H3><DL><p><DT><A HREF="http://a.example/x/" TAGS="new">Theirs</A><DD>Their words</DL><p>',
    '<DT><A HREF="https://b.example/">B</A>',
  ];
  const job = await importPage(workspaceId, links, 'spaces');
  expect(job).toMatchObject({ imported: 1, unchanged: 1, problems: [] });
  const rows = await memories(workspaceId);
  expect(rows).toHaveLength(2);
  expect(new Set(rows.map(({ title }) => title))).toEqual(new Set(['B', 'Mine']));
  const mine = rows.find(({ title }) => title === 'Mine');
  expect(mine).toMatchObject({ tags: ['own', 'new'], notes: 'My words\n\nTheir words' });
  const filed = await world.context.db
    .selectFrom('space_memory')
    .select('memoryId')
    .where('workspaceId', '=', workspaceId)
    .execute();
  expect(filed).toEqual([{ memoryId: mine?.id }]);

  const changed = links.map((link) => link.replace('Theirs', 'Renamed'));
  expect(await importPage(workspaceId, changed, 'spaces')).toMatchObject({
    imported: 0,
    updatedCount: 0,
    unchanged: 1,
    problems: [
      {
        path: 'Garden/Renamed',
        reason: expect.stringContaining('saved here before'),
        imported: false,
      },
    ],
  });
  expect((await memories(workspaceId)).find(({ id }) => id === mine?.id)?.title).toBe('Mine');
});

test('a renamed bookmark gets its new name, and one that was deleted here stays deleted', async () => {
  const workspaceId = await foundWorkspace();
  const links = ['<DT><A HREF="https://a.example/">A</A>', '<DT><A HREF="https://b.example/">B</A>'];
  await importPage(workspaceId, links);
  const b = (await memories(workspaceId)).find(({ title }) => title === 'B');
  expect((await alice.raw('DELETE', `/v1/memories/${workspaceId}/${b?.id}`)).status).toBeLessThan(300);
  const job = await importPage(workspaceId, [links[0]?.replace('>A<', '>A new name<') ?? '', links[1] ?? '']);
  expect(job).toMatchObject({ imported: 0, updatedCount: 1, unchanged: 1 });
  const left = (await memories(workspaceId)).filter(({ deletedAt }) => deletedAt === null);
  expect(left.map(({ title }) => title)).toEqual(['A new name']);
});

test('pages are queued behind all others, and not all of a large import at once', async () => {
  const workspaceId = await foundWorkspace();
  const count = IMPORT.pagesAtOnce + 600;
  await importPage(
    workspaceId,
    Array.from({ length: count }, (_, n) => `<DT><A HREF="https://many.example/${n}">N</A>`),
  );
  const rows = await memories(workspaceId);
  expect(rows).toHaveLength(count);
  expect(new Set(rows.map(({ contentStatus }) => contentStatus))).toEqual(new Set(['pending']));
  const { rows: jobs } = await sql<{ priority: number; count: number }>`
    select "priority", count(*)::int as "count" from pgboss.job
    where "name" = 'page.capture' and "data"->>'workspaceId' = ${workspaceId} group by 1`.execute(
    world.context.db,
  );
  expect(jobs).toEqual([{ priority: -1, count: IMPORT.pagesAtOnce }]);
});
