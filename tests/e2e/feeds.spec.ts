/** The page of feeds as a person sees it. */
import type { RequestListener } from 'node:http';
import { page as served, serveSite, type LocalSite } from '../support/local-site.ts';
import { sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { startStoryServer, type StoryServer } from './support/servers.ts';
import { lookAt } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

const rss = (url: string, entries: readonly string[]) =>
  `<rss version="2.0"><channel><title>The Ferry Post</title>${entries
    .map((title, at) => `<item><title>${title}</title><link>${url}/${entries.length - at}</link></item>`)
    .join('')}</channel></rss>`;

test.describe('on a server that may fetch from this machine', () => {
  let reaching: StoryServer;
  let site: LocalSite;
  const pages: Record<string, RequestListener> = {};
  test.beforeAll(async () => {
    reaching = await startStoryServer({ EGRESS: 'private' });
    site = await serveSite(pages);
  });
  test.afterAll(async () => {
    await site.close();
    await reaching.dispose();
  });

  for (const look of LOOKS) {
    test(`feeds in ${look} have no accessibility fault`, LONG_LOOK, async ({ browser }) => {
      pages['/feed'] = served(rss(site.url, ['Two boats', 'One boat']), {
        'content-type': 'application/rss+xml',
      });
      const context = await browser.newContext({ baseURL: reaching.url, ...windowOf(look) });
      const page = await context.newPage();
      const reader = takePerson(reaching);
      await sitDown(context, reaching.url, reader);
      await reader.api('feed.create', {
        params: { workspaceId: reader.workspaceId },
        body: { url: `${site.url}/feed` },
      });
      await page.goto(`/${reader.slug}/settings/import`);
      // The sidebar soon lists the feed's space under the same name.
      const feeds = page.getByRole('list', { name: 'Feeds' });
      await expect(feeds.getByRole('link', { name: 'The Ferry Post' })).toBeVisible();
      await lookAt(page, 'feeds', look);
      await page.getByRole('button', { name: 'Follow a feed' }).click();
      await expect(page.getByRole('dialog', { name: 'Follow a feed' })).toBeVisible();
      await lookAt(page, 'feeds-follow', look);
      await context.close();
    });
  }
});
