/** The site and the application's shell open while the server process is dead. */
import { STORY_PASSWORD } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { isApplicationKept, keptPaths } from './support/kept-pages.ts';
import { expect, test } from './support/stories.ts';

test.use({ serviceWorkers: 'allow' });

test('visited and unvisited public pages open after the server is killed, without a copy of the application @long', async ({
  page,
  ownServer,
}) => {
  const { url } = ownServer;
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(url);
  const heading = await page.getByRole('heading', { level: 1 }).innerText();
  // The worker fetches documents at leisure.
  for (const part of ['/docs/offline-and-sync', '/blog/why-local-first', '/explore', '/_offline'])
    await expect.poll(() => keptPaths(page, 'content')).toContain(part);
  expect(await keptPaths(page, 'pages')).toContain('/');
  const names = await page.evaluate(() => caches.keys());
  expect(names.map((name) => name.replace(/-.*/, '')).sort()).toEqual(['content', 'pages']);
  await ownServer.kill();

  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
  await page.goto(`${url}/docs/offline-and-sync`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Offline and sync');
  await page.goto(`${url}/blog/why-local-first`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Why local-first');
  await page.goto(`${url}/explore`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Explore');
  await page.goto(`${url}/acme`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not on this device');
  expect(problems).toEqual([]);
});

test('a log-in brings the application onto the device, for every later start @long', async ({
  context,
  page,
  ownServer,
}) => {
  const { url } = ownServer;
  // The worker of the site, which fetches them at leisure, gives way without them.
  const unanswered = Promise.withResolvers<void>();
  await context.route('**/docs/**', () => unanswered.resolve());
  await page.goto(`${url}/pricing`);
  await expect.poll(() => keptPaths(page, 'pages')).toContain('/pricing');
  await unanswered.promise;
  const person = takePerson(ownServer);
  await person.api('memory.create', { body: { workspaceId: person.workspaceId, title: 'Ripe pears' } });
  await page.goto(`${url}/login`);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect.poll(() => isApplicationKept(page)).toBe(true);
  // The same build: what was read before stays.
  expect(await keptPaths(page, 'pages')).toContain('/pricing');
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await ownServer.kill();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Ripe pears' })).toBeVisible();

  // Without the session too.
  await context.clearCookies();
  const shell = await page.goto(`${url}/acme`);
  expect(shell?.status()).toBe(200);
  await expect(page).toHaveURL(/\/login\?redirect=/);
  const wayIn = await page.goto(`${url}/reset-password`);
  expect(shell?.headers()['referrer-policy']).toBe('strict-origin-when-cross-origin');
  expect(wayIn?.headers()['referrer-policy']).toBe('no-referrer');
  await expect(page.locator('#root > *').first()).toBeAttached();
});
