/** The page of feeds: following one by the address of its site, new entries, pausing, stopping, and who sees it. */
import type { RequestListener } from 'node:http';
import type { Page } from '@playwright/test';
import { page as served, serveSite, type LocalSite } from '../support/local-site.ts';
import { sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { LOOKS, LONG_LOOK, windowOf, type Look } from './support/looks.ts';
import { startStoryServer, type StoryServer } from './support/servers.ts';
import { lookFaults } from './support/screen-faults.ts';
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

  test('a feed is followed, brings what is new, pauses and is left @long', async ({ browser }) => {
    const type = { 'content-type': 'application/rss+xml' };
    pages['/'] = served('<link rel="alternate" type="application/rss+xml" href="/feed"><h1>Post</h1>');
    pages['/none'] = served('<h1>No feed</h1>');
    pages['/feed'] = served(rss(site.url, ['Two boats', 'One boat']), type);
    const context = await browser.newContext({ baseURL: reaching.url });
    const page = await context.newPage();
    const ines = takePerson(reaching);
    await sitDown(context, reaching.url, ines);
    await page.goto(`/${ines.slug}/settings`);
    await page.getByRole('link', { name: 'Feeds' }).click();
    await expect(page.getByText('No feeds', { exact: true })).toBeVisible();

    await page.getByRole('button', { name: 'Follow a feed' }).click();
    const dialog = page.getByRole('dialog', { name: 'Follow a feed' });
    await dialog.getByLabel('Address').fill(`${site.url}/none`);
    await dialog.getByRole('button', { name: 'Follow', exact: true }).click();
    await expect(dialog.getByText('There is no feed at this address.')).toBeVisible();
    await dialog.getByLabel('Address').fill(`${site.url}/`);
    await dialog.getByRole('button', { name: 'Follow', exact: true }).click();
    const row = page.getByRole('list', { name: 'Feeds' }).getByRole('listitem');
    await expect(row).toContainText('The Ferry Post');
    await expect(row).toContainText('Active');

    await row.getByRole('link', { name: 'The Ferry Post' }).click();
    await expect(page.getByRole('link', { name: 'Two boats', exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'One boat', exact: true })).toBeVisible();

    pages['/feed'] = served(rss(site.url, ['Three boats', 'Two boats', 'One boat']), type);
    await page.goBack();
    const act = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for The Ferry Post' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await act('Check now');
    await expect(page.getByText('“The Ferry Post” is up to date', { exact: true })).toBeVisible();
    await row.getByRole('link', { name: 'The Ferry Post' }).click();
    await expect(page.getByRole('link', { name: 'Three boats', exact: true })).toBeVisible();

    await page.goBack();
    pages['/feed'] = served('', {}, 500);
    await act('Check now');
    await expect(row).toContainText('The site answered with an error (500).');
    await expect(row).toContainText('Failing');
    await act('Pause');
    await expect(row).toContainText('Paused');
    await act('Resume');
    await expect(row).toContainText('Active');
    await act('Stop following…');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop following' }).click();
    await expect(page.getByText('No feeds', { exact: true })).toBeVisible();
    await page.goto(`/${ines.slug}/spaces`);
    await expect(page.getByRole('link', { name: /The Ferry Post/ }).first()).toBeVisible();
    await context.close();
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
      await page.goto(`/${reader.slug}/settings/feeds`);
      // The sidebar soon lists the feed's space under the same name.
      const feeds = page.getByRole('list', { name: 'Feeds' });
      await expect(feeds.getByRole('link', { name: 'The Ferry Post' })).toBeVisible();
      await expectNoFaults(page, look, 'feeds');
      await page.getByRole('button', { name: 'Follow a feed' }).click();
      await expect(page.getByRole('dialog', { name: 'Follow a feed' })).toBeVisible();
      await expectNoFaults(page, look, 'feeds-follow');
      await context.close();
    });
  }
});

async function expectNoFaults(page: Page, look: Look, name: string): Promise<void> {
  expect(await lookFaults(page, look), name).toEqual([]);
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}-${look}.png` });
}
