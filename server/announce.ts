/**
 * `npm run announce -- "Title" "What is new." /blog/post` tells everyone who has an account: in the app, and by e-mail those
 * who chose that. The running server delivers it. The path is optional.
 */
import { LIMITS } from '#shared/constants.ts';
import { announce, type News } from './notifications/news.ts';
import { runStaffCommand, say } from './staff-command.ts';

/** Parses the arguments. @throws Error with the usage */
function newsOf(given: readonly string[]): News {
  const [title = '', body = '', link] = given.map((text) => text.trim());
  const fits =
    title !== '' && body !== '' && title.length <= LIMITS.title && body.length <= LIMITS.description;
  const isPath = link === undefined || /^\/(?![/\\])\S*$/.test(link);
  if (fits && isPath && given.length <= 3) return { title, body, ...(link === undefined ? {} : { link }) };
  throw new Error(
    `Give a title (${LIMITS.title} characters), a text (${LIMITS.description}), and a path of this server if there is more to read: npm run announce -- "Title" "What is new." /blog/post`,
  );
}

runStaffCommand(newsOf, async (context, news) => {
  const people = await announce(context, news);
  say(`On its way to ${people === 1 ? '1 person' : `${people} people`}.`);
});
