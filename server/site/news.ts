/** News of the product: announced to accounts and newsletter at once, and mailed to the addresses that confirmed they want it. */
import { sql, type Kysely } from 'kysely';
import type { News } from '#shared/site/news-endpoints.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../db/tables.ts';
import type { JobPayload } from '../jobs/jobs.ts';
import { sendUnsubscribable } from '../notifications/service.ts';

/** Addresses for which mails are queued in one transaction. */
const STEP = 50;

/** Queues the news; returns how many accounts and newsletter addresses there are for it. */
export async function announce(
  { db, clock, jobs }: Pick<Context, 'db' | 'clock' | 'jobs'>,
  news: News,
): Promise<{ accounts: number; newsletter: number }> {
  return db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('news')
      .values({ ...news, created: clock.now().toISOString() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await jobs.enqueue(trx, 'news.deliver', { ...news, subject: id });
    await jobs.enqueue(trx, 'news.post', { newsId: id });
    const all = sql<number>`count(*)::int`.as('count');
    const accounts = await trx.selectFrom('user').select(all).executeTakeFirstOrThrow();
    const newsletter = await subscribers(trx).select(all).executeTakeFirstOrThrow();
    return { accounts: accounts.count, newsletter: newsletter.count };
  });
}

/** Confirmed addresses. The account of an address decides in its settings, so it gets no mail from here. */
function subscribers(db: Kysely<Tables>) {
  return db
    .selectFrom('newsletter_signup')
    .where('newsConfirmedAt', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('user')
            .select('user.id')
            .where('emailVerified', '=', true)
            .where(sql<boolean>`lower("user"."email") = "newsletter_signup"."email"`),
        ),
      ),
    );
}

/** Queues mails to the next addresses, and itself for those after them; each address receives the same news once. */
export async function postNews({ db, jobs }: Pick<Context, 'db' | 'jobs'>, newsId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { postedTo, created } = await trx
      .selectFrom('news')
      .select(['postedTo', 'created'])
      .where('id', '=', newsId)
      // Another run, or a repeated one, goes on behind the last address that has its mail.
      .forUpdate()
      .executeTakeFirstOrThrow();
    const next = await subscribers(trx)
      .select('newsletter_signup.id')
      .where('newsConfirmedAt', '<=', created)
      .$if(postedTo !== null, (rest) => rest.where('newsletter_signup.id', '>', postedTo))
      .orderBy('newsletter_signup.id')
      .limit(STEP)
      .execute();
    const last = next.at(-1);
    if (last === undefined) return;
    for (const { id } of next) await jobs.enqueue(trx, 'mail.send', { mail: 'news', newsId, signupId: id });
    await trx.updateTable('news').set({ postedTo: last.id }).where('id', '=', newsId).execute();
    if (next.length === STEP) await jobs.enqueue(trx, 'news.post', { newsId });
  });
}

/** Mails the news to one address, unless it no longer wants them or has an account by now. */
export async function mailNews(
  context: Context,
  { newsId, signupId }: Extract<JobPayload<'mail.send'>, { mail: 'news' }>,
): Promise<void> {
  const signup = await subscribers(context.db)
    .select('email')
    .where('newsletter_signup.id', '=', signupId)
    .executeTakeFirst();
  if (signup === undefined) return;
  const { title, body, link } = await context.db
    .selectFrom('news')
    .select(['title', 'body', 'link'])
    .where('id', '=', newsId)
    .executeTakeFirstOrThrow();
  await sendUnsubscribable(
    context,
    { kind: 'news', email: signup.email, claim: { category: 'updates', id: signupId } },
    title,
    [body, ...(link === null ? [] : [{ link: `${context.config.appOrigin}${link}`, label: 'Read more' }])],
  );
}
