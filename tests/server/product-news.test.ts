/** News of the product by mail: once to each confirmed newsletter address, with a link that ends them; announced by staff. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createJobHandlers } from '#server/job-handlers.ts';
import { announce, postNews } from '#server/site/news.ts';
import type { JobPayload } from '#server/jobs/jobs.ts';
import { createRaw, signUp, verifyAddress, type Agent } from '#tests/support/agent.ts';
import { mailsTo } from '#tests/support/mails.ts';
import { openWorld } from '#tests/support/world.ts';

const NEWS = { title: 'Spaces have covers', body: 'Each space draws its own.', link: '/blog/covers' };
/** Less than four runs of the job, which takes fifty addresses, and the last one incomplete. */
const READERS = Array.from({ length: 120 }, (_unused, index) => `reader-${index}@example.org`);
const [first = '', second = '', third = ''] = READERS;

const world = await openWorld({ env: { STAFF_EMAILS: 'staff@example.com' } });
const { context } = world;
const { db } = context;
const handlers = createJobHandlers(context);
const anyone = createRaw(world);
let staff: Agent;
let member: Agent;

async function confirmed(emails: readonly string[]): Promise<void> {
  const at = world.clock.now().toISOString();
  await db
    .insertInto('newsletter_signup')
    .values(emails.map((email) => ({ email, created: at, wantsNews: true, newsConfirmedAt: at })))
    .execute();
}

beforeAll(async () => {
  staff = await signUp(world, 'staff');
  member = await signUp(world, 'member');
  await verifyAddress(world, staff);
  await verifyAddress(world, member);
  // A claim on the address of another person decides nothing for that person.
  await signUp(world, 'claimed');
  await confirmed([...READERS, 'claimed@example.com', 'member@example.com']);
  const created = world.clock.now().toISOString();
  await db
    .insertInto('newsletter_signup')
    .values({ email: 'unconfirmed@example.org', created, wantsNews: true })
    .execute();
});

/** Takes the waiting jobs of this name out of the queue. */
async function takeJobs<N extends 'news.post' | 'mail.send'>(name: N): Promise<JobPayload<N>[]> {
  const { rows } = await sql<{ data: JobPayload<N> }>`
    delete from pgboss.job where "name" = ${name} returning "data"`.execute(db);
  return rows.map(({ data }) => data);
}

/** Runs every job of the news and those that they cause, each `times` at once; returns how many mails were queued. */
async function deliver(times = 1): Promise<number> {
  const again = async (run: () => Promise<unknown>) => {
    await Promise.all(Array.from({ length: times }, run));
  };
  for (let posts = await takeJobs('news.post'); posts.length > 0; posts = await takeJobs('news.post'))
    for (const post of posts) await again(() => handlers['news.post'].run(post));
  const mails = (await takeJobs('mail.send')).filter(({ mail }) => mail === 'news');
  for (const mail of mails) await handlers['mail.send'].run(mail);
  return mails.length;
}

const newsTo = async (email: string) =>
  (await mailsTo(world, email)).filter(({ subject }) => subject === NEWS.title);

/** The address of the link that ends the news, in the newest mail to this address. */
async function linkTo(email: string): Promise<string> {
  const text = (await newsTo(email))[0]?.text ?? '';
  return /^http:\/\/localhost:4000(\/v1\/public\/unsubscribe\/\S+)$/m.exec(text)?.[1] ?? '';
}

const oneClick = (link: string) =>
  fetch(`${world.url}${link}`, { method: 'POST', body: new URLSearchParams('List-Unsubscribe=One-Click') });

const stillConfirmed = async () =>
  (
    await db
      .selectFrom('newsletter_signup')
      .select('email')
      .where('newsConfirmedAt', 'is not', null)
      .where('wantsNews', '=', true)
      .execute()
  ).map(({ email }) => email);

describe('news by mail', () => {
  it('reach each confirmed address once, and no address of an account', async () => {
    expect(await announce(context, NEWS)).toEqual({ accounts: 3, newsletter: READERS.length + 1 });
    expect(await deliver()).toBe(READERS.length + 1);
    const [mail] = await newsTo(first);
    expect(mail?.text).toContain(NEWS.body);
    expect(mail?.text).toContain('http://localhost:4000/blog/covers');
    for (const email of [first, READERS.at(-1) ?? '', 'claimed@example.com'])
      expect(await newsTo(email)).toHaveLength(1);
    for (const email of ['unconfirmed@example.org', 'member@example.com'])
      expect(await newsTo(email)).toEqual([]);
  });

  it('come once, also when every job runs twice at once and again later', async () => {
    await announce(context, NEWS);
    const [post] = await takeJobs('news.post');
    if (post === undefined) throw new Error('Nothing was queued');
    await context.jobs.enqueue(db, 'news.post', post);
    expect(await deliver(2)).toBe(READERS.length + 1);
    // Who confirmed after it was announced: its id may come after those of all others.
    world.clock.advance(1_000);
    await confirmed(['late@example.org']);
    await handlers['news.post'].run(post);
    expect(await deliver(2)).toBe(0);
    expect(await newsTo(first)).toHaveLength(2);
  });

  it('queue nothing when a job dies before its end, and everything when it is tried again', async () => {
    await announce(context, NEWS);
    const [post] = await takeJobs('news.post');
    const dying = { ...context.jobs, enqueue: () => Promise.reject(new Error('killed')) };
    await expect(postNews({ db, jobs: dying }, post?.newsId ?? '')).rejects.toThrow('killed');
    await postNews(context, post?.newsId ?? '');
    expect(await deliver()).toBe(READERS.length + 2);
  });

  it('are not sent where they were ended, or an account was made, before the mail was written', async () => {
    await announce(context, NEWS);
    for (const post of await takeJobs('news.post')) await handlers['news.post'].run(post);
    await oneClick(await linkTo(third));
    const joined = await signUp(world, 'joined');
    await db
      .updateTable('newsletter_signup')
      .set({ email: joined.user.email })
      .where('email', '=', second)
      .execute();
    await verifyAddress(world, joined);
    const before = (await newsTo(third)).length;
    await deliver();
    expect(await newsTo(third)).toHaveLength(before);
    expect(await newsTo(joined.user.email)).toEqual([]);
  });
});

describe('the link that ends news', () => {
  it('ends them for its address alone, again without effect, and does not carry the address', async () => {
    const before = await stillConfirmed();
    const link = await linkTo(first);
    expect(link).toMatch(/^\/v1\/public\/unsubscribe\/updates\./);
    expect(link).not.toContain('reader');
    expect((await fetch(`${world.url}${link}`, { redirect: 'manual' })).status).toBe(303);
    expect(await stillConfirmed()).toEqual(before);
    expect((await oneClick(link)).status).toBe(200);
    const after = before.filter((email) => email !== first);
    expect((await stillConfirmed()).toSorted()).toEqual(after.toSorted());
    expect((await oneClick(link)).status).toBe(200);
    expect((await stillConfirmed()).toSorted()).toEqual(after.toSorted());
  });

  it('cannot be forged or bent to another address, day or category', async () => {
    const before = await stillConfirmed();
    const [category, id, day, signature] = (await linkTo(first)).split('/').at(-1)?.split('.') ?? [];
    const [, other] = (await linkTo(READERS.at(-1) ?? '')).split('.');
    const made = [
      [category, other, day, signature],
      [category, id, Number(day) + 1, signature],
      [category, id, day, signature?.slice(1)],
      [category, READERS.at(-1), day, signature],
      ['digest', id, day, signature],
      [category, id],
    ].map((parts) => parts.join('.'));
    for (const token of made)
      expect((await anyone('POST', `/v1/public/unsubscribe/${token}`)).status).toBe(404);
    expect(await stillConfirmed()).toEqual(before);
  });

  it('lets the address ask for news again at once', async () => {
    await anyone('POST', '/signup', { body: { email: first, news: true } });
    expect(await takeJobs('mail.send')).toContainEqual({ mail: 'confirm_news', email: first });
  });
});

describe('the call that announces news', () => {
  it('is for staff alone, and takes only a path of this server', async () => {
    await takeJobs('news.post');
    const post = (by: Agent['raw'], body: object) => by('POST', '/v1/news', { body });
    expect((await post(anyone, NEWS)).status).toBe(401);
    expect((await post(member.raw, NEWS)).status).toBe(403);
    const bad = [
      { ...NEWS, link: 'https://elsewhere.example' },
      { ...NEWS, link: '//elsewhere.example' },
      { ...NEWS, link: String.raw`/\elsewhere.example` },
      { ...NEWS, title: ' ' },
      { ...NEWS, body: 'x'.repeat(2_001) },
    ];
    for (const body of bad) expect((await post(staff.raw, body)).status).toBe(400);
    expect(await takeJobs('news.post')).toEqual([]);
    const { result } = await staff.api('news.create', { body: NEWS });
    expect(result).toEqual({ accounts: 4, newsletter: await deliver() });
  });
});
