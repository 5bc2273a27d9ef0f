/** Getting about in the dashboard: who is let in where, dragging onto a space, coming back to a place, and logging out. */
import { sitDown, STORY_PASSWORD } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { expect, test } from './support/stories.ts';

test('people get where they may, file by dragging, and leave without a trace @long', async ({
  page,
  server,
}) => {
  const owner = takePerson(server);
  const { workspaceId, slug } = owner;
  await owner.api('space.create', { body: { workspaceId, name: 'Garden' } });
  await page.goto(`/${slug}?sort=title`);
  await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(`/${slug}?sort=title`)}`);
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('The e-mail address or the password is wrong')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(`/${slug}?sort=title`);

  const field = page.getByRole('textbox', { name: 'Save a memory' });
  await field.fill('# Aardvarks to draw');
  await field.press('Control+Enter');
  const item = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Aardvarks to draw' }) });
  await expect(item).toBeVisible();
  await item.dragTo(page.getByRole('link', { name: 'Garden' }));
  await expect(page.getByText('Memory added to Garden', { exact: true })).toBeVisible();

  await page.goto('/explore');
  const banner = page.getByRole('banner');
  await expect(banner.getByRole('link', { name: 'Sign up' })).toBeHidden();
  await banner.getByRole('link', { name: 'Open Loci' }).click();
  await expect(page).toHaveURL(`/${slug}`);
  const manifest: { start_url: string } = await (await page.request.get('/manifest.webmanifest')).json();
  await page.goto(manifest.start_url);
  await expect(page).toHaveURL(`/${slug}`);
  await page.goto('/nobody-here');
  await expect(page.getByText('Page Not Found: /nobody-here')).toBeVisible();

  await page.goto(`/${slug}`);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  // On a busy machine a pull of the session that the server has just ended is refused before the device is empty.
  await page.route('**/v1/auth/logout', async (route) => {
    const isRefused = page.waitForResponse((response) => response.status() === 401);
    const response = await route.fetch();
    await isRefused;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login\?clear=true$/);
  await page.goto(`/${slug}`);
  await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(`/${slug}`)}`);
  const left = async () =>
    (await page.evaluate(async () => (await indexedDB.databases()).map(({ name = '' }) => name))).filter(
      (name) => name.includes('rep:') || /^loci-(drafts|shared)$/.test(name),
    );
  await expect.poll(left).toEqual([]);
});

test('a dialog leaves the styles of the page below it alone, and its veil keeps presses from that page @long', async ({
  page,
  server,
}) => {
  const owner = takePerson(server);
  await sitDown(page.context(), server.url, owner);
  await page.goto(`/${owner.slug}`);
  const main = page.locator('#main');
  const body = page.locator('body');
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  const threads = await page.getByRole('link', { name: 'Threads', exact: true }).first().boundingBox();
  if (!threads) throw new Error('The way to the threads is not on screen');

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await expect(body).toHaveAttribute('style', /pointer-events: none/);
  await expect(body).toHaveAttribute('data-scroll-locked', '1');
  await expect(main).toHaveCSS('pointer-events', 'auto');
  await expect(main).toHaveCSS('--removed-body-scroll-bar-size', '');
  const [x, y] = [threads.x + threads.width / 2, threads.y + threads.height / 2];
  const isOnLink = ([left = 0, top = 0]: number[]) =>
    document.elementFromPoint(left, top)?.closest('a') instanceof HTMLAnchorElement;
  expect(await page.evaluate(isOnLink, [x, y])).toBe(false);
  await page.mouse.click(x, y);
  await expect(palette).toHaveCount(0);
  await expect(body).not.toHaveAttribute('data-scroll-locked');
  await expect(page).toHaveURL(`/${owner.slug}`);
  await expect.poll(() => page.evaluate(isOnLink, [x, y])).toBe(true);
});
