/**
 * `npm run announce -- "Title" "What is new." /blog/post` tells everyone what is new: accounts in the app, and by e-mail those
 * who chose that; and the confirmed addresses of the newsletter. The running server delivers it. The path is optional.
 */
import { LIMITS } from '#shared/constants.ts';
import { countOf } from '#shared/english.ts';
import { news, type News } from '#shared/site/news-endpoints.ts';
import { announce } from './site/news.ts';
import { runStaffCommand, say } from './staff-command.ts';

/** Parses the arguments. @throws Error with the usage */
function newsOf(given: readonly string[]): News {
  const [title, body, link] = given.map((text) => text.trim());
  const parsed = news.safeParse({ title, body, link });
  if (parsed.success && given.length <= 3) return parsed.data;
  throw new Error(
    `Give a title (${LIMITS.title} characters), a text (${LIMITS.description}), and a path of this server if there is more to read: npm run announce -- "Title" "What is new." /blog/post`,
  );
}

runStaffCommand(newsOf, async (context, given) => {
  const { accounts, newsletter } = await announce(context, given);
  const addresses = countOf(newsletter, 'newsletter address', 'newsletter addresses');
  say(`On its way to ${countOf(accounts, 'person', 'people')} and ${addresses}.`);
});
