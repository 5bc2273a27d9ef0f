/**
 * The program is killed while it fetches pages and writes answers: after the next start all of them come to an end, and none
 * twice. KILLED_CAPTURES and KILLED_ANSWERS ask for other numbers than those of every run.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId, type Id } from '#shared/ids.ts';
import { startAnswerService, serviceEnv, type AnswerService } from '#tests/support/answer-service.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { page, serveSite, type LocalSite } from '#tests/support/local-site.ts';
import { joinServer, type Person } from '#tests/support/person.ts';
import { startServerProcess, type ServerProcess } from '#tests/support/server-process.ts';

const CAPTURES = Number(process.env['KILLED_CAPTURES'] ?? 20);
const ANSWERS = Number(process.env['KILLED_ANSWERS'] ?? 6);
/** What is whole before the kill; the rest hangs in the middle or has not begun. */
const WHOLE = { captures: Math.floor(CAPTURES / 4), answers: Math.floor(ANSWERS / 3) };

let site: LocalSite;
let service: AnswerService;
let database: TestDatabase;
let server: ServerProcess;
let person: Person;
/** Pages and the model leave requests open until the server that asked is dead. */
let isHolding = true;

beforeAll(async () => {
  await ensureBuilt();
  let served = 0;
  const text = 'The tide turns twice a day, and the pools are full of anemones. '.repeat(12);
  site = await serveSite({
    '/page': (request, response) => {
      served += 1;
      if (isHolding && served > WHOLE.captures) return;
      page(`<title>Tides</title><article><h1>Tides</h1><p>${text}</p></article>`)(request, response);
    },
  });
  service = await startAnswerService();
  service.behave((reply) => {
    reply.say('It burns at 1240 degrees [1].');
    if (!isHolding || service.requests.length <= WHOLE.answers) reply.finish();
  });
  database = await createTestDatabase();
  server = await startServerProcess({
    env: { DATABASE_URL: database.url, EGRESS: 'private', ...serviceEnv(service) },
  });
  person = await joinServer(server.url, 'marie');
});
afterAll(async () => {
  await server.dispose();
  await site.close();
  await service.close();
  await database.drop();
});

async function ask(): Promise<Id<'message'>> {
  const { api, workspaceId } = person;
  const threadId = newId('thread');
  await api('thread.create', { body: { id: threadId, workspaceId, name: 'Kiln' } });
  const { result } = await api('message.create', {
    params: { workspaceId, threadId },
    body: { content: 'How hot does the kiln burn?' },
  });
  return result.message.id;
}

async function statuses(): Promise<Record<string, number>> {
  const rows = await database.db
    .selectFrom('memory')
    .select(['contentStatus', (build) => build.fn.countAll<string>().as('count')])
    .where('type', '=', 'link')
    .groupBy('contentStatus')
    .execute();
  return Object.fromEntries(rows.map(({ contentStatus, count }) => [contentStatus, Number(count)]));
}

async function repliesTo(): Promise<string[]> {
  const rows = await database.db
    .selectFrom('message')
    .select('replyTo')
    .where('role', '=', 'assistant')
    .execute();
  return rows.map(({ replyTo }) => replyTo ?? '');
}

it('every page and every answer comes to an end after a kill, and none twice', async () => {
  const { api, workspaceId } = person;
  await api('memory.create', {
    body: { workspaceId, title: 'Kiln', notes: 'The kiln burns at 1240 degrees.' },
  });
  const asked: string[] = [];
  for (let count = 0; count < ANSWERS; count += 1) asked.push(await ask());
  for (let count = 0; count < CAPTURES; count += 1) {
    await api('memory.create', { body: { workspaceId, url: `${site.url}/page?${count}` } });
  }
  await expect.poll(async () => (await repliesTo()).length).toBe(WHOLE.answers);
  await expect.poll(async () => (await statuses())['completed']).toBe(WHOLE.captures);
  await expect.poll(() => site.asked.length).toBeGreaterThan(WHOLE.captures);
  await expect.poll(() => service.requests.length).toBeGreaterThan(WHOLE.answers);

  await server.kill();
  isHolding = false;
  // The database notices the end of a connection a moment later.
  const signs = sql`select 1 from pg_stat_activity
      where "datname" = current_database() and "application_name" = 'loci jobs alive'`;
  await expect.poll(async () => (await signs.execute(database.db)).rows).toEqual([]);
  const lostJobs = () =>
    sql`select "name" from pgboss.job where "state" = 'active' and "started_on" <= ${killed}`.execute(
      database.db,
    );
  const { rows: moments } = await sql<{ now: string }>`select now()::text as "now"`.execute(database.db);
  const killed = moments[0]?.now;
  expect((await lostJobs()).rows.length).toBeGreaterThan(1);
  const before = { pages: [...site.asked], answers: service.requests.length };
  expect((await statuses())['completed']).toBe(WHOLE.captures);
  await server.start();
  // Handed out again before the first request is answered: none of them waits for a lease or a silence to end.
  expect((await lostJobs()).rows).toEqual([]);

  await expect.poll(statuses).toEqual({ completed: CAPTURES });
  await expect.poll(async () => (await repliesTo()).toSorted()).toEqual(asked.toSorted());
  // Whole ones were not worked on again, those under way were once more, and the others for the first time.
  const again = site.asked.slice(before.pages.length);
  const wholePages = before.pages.slice(0, WHOLE.captures);
  expect(again.filter((path) => wholePages.includes(path))).toEqual([]);
  expect(new Set(again).size).toBe(again.length);
  expect(again).toHaveLength(CAPTURES - WHOLE.captures);
  expect(service.requests.length - before.answers).toBe(ANSWERS - WHOLE.answers);
  const { rows: drafts } = await sql`select 1 from "answer_draft"`.execute(database.db);
  expect(drafts).toEqual([]);
});
