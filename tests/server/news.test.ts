/** News of the product: once for each account, whatever happens to the delivery, on the channels that each person chose. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { newId } from '#shared/ids.ts';
import { deliverNews } from '#server/notifications/news.ts';
import { announce } from '#server/site/news.ts';
import { signUp, type Agent } from '#tests/support/agent.ts';
import { itLong } from '#tests/support/long-test.ts';
import { openWorld } from '#tests/support/world.ts';

const NEWS = { title: 'Spaces have covers', body: 'Each space draws its own.', link: '/blog/covers' };
/** More than two deliveries take. */
const OTHERS = 120;

const world = await openWorld({ jobs: true });
let [reader, mailed, silent]: Agent[] = [];

beforeAll(async () => {
  [reader, mailed, silent] = [
    await signUp(world, 'reader'),
    await signUp(world, 'mailed'),
    await signUp(world, 'silent'),
  ];
  const choose = (person: Agent, internal: { inApp: boolean; email: boolean; push: boolean }) =>
    person.api('notification_settings.replace', {
      body: { categories: { internal }, digest: 'weekly' },
    });
  await choose(mailed, { inApp: true, email: true, push: false });
  await choose(silent, { inApp: false, email: false, push: false });
  const ids = Array.from({ length: OTHERS }, () => newId('user'));
  await sql`insert into "user" ("id", "source", "email", "domain", "personal", "created", "updated")
    select id, 'email', id || '@example.org', 'example.org', false, now(), now() from unnest(${ids}::text[]) id`.execute(
    world.context.db,
  );
});

const noticesOf = async (person: Agent | undefined) =>
  (await person?.api('notification.list', { query: { triggerId: 'news.published' } }))?.result;

async function told(): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from "notification" where "triggerId" = 'news.published'`.execute(world.context.db);
  return Number(rows[0]?.count);
}

describe('news', () => {
  it('reach every account in the app, and by e-mail only who chose that', async () => {
    expect(await announce(world.context, NEWS)).toEqual({ accounts: OTHERS + 3, newsletter: 0 });
    await expect.poll(told).toBe(OTHERS + 2);
    expect(await noticesOf(reader)).toEqual([
      expect.objectContaining({ title: NEWS.title, body: NEWS.body, category: 'internal', seen: false }),
    ]);
    expect(await noticesOf(silent)).toEqual([]);
    const waiting = await world.context.db.selectFrom('notification_digest_item').select('userId').execute();
    expect(waiting).toEqual([{ userId: mailed?.user.id }]);
  });

  it('come once, also when a delivery is repeated an hour later', async () => {
    const subject = newId('internal_event');
    await deliverNews(world.context, { ...NEWS, subject });
    await expect.poll(told).toBe(2 * (OTHERS + 2));
    world.clock.advance(3_600_000);
    await deliverNews(world.context, { ...NEWS, subject });
    await deliverNews(world.context, { ...NEWS, subject });
    expect(await told()).toBe(2 * (OTHERS + 2));
    expect(await noticesOf(reader)).toHaveLength(2);
  });

  itLong('are announced by a command, with a title and a text', () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [path.resolve('server/announce.ts'), ...args], {
        env: { PATH: process.env['PATH'], DATABASE_URL: world.database.url },
        encoding: 'utf8',
      });
    expect(run('Title', 'Text', 'https://elsewhere.example')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('npm run announce'),
    });
    expect(run('Title')).toMatchObject({ status: 1 });
    expect(run('Another', 'Text.', '/blog/another')).toMatchObject({
      status: 0,
      stdout: `On its way to ${OTHERS + 3} people and 0 newsletter addresses.\n`,
    });
  });
});
