/** The public site as a visitor meets it: header, early access, newsletter, search, docs, error page. */
import { expect, started, test } from './support/stories.ts';

/** Headless Chromium's own name counts as a bot, and bots get no error page. */
test.use({
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
  // Each new browser profile would install it, which takes more of the processor than the story; site-offline.spec.ts has it.
  serviceWorkers: 'block',
});

test('sign in and sign up open the early-access form instead of leaving', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Open Loci' })).toBeHidden();
  for (const name of ['Sign in', 'Sign up']) {
    await page.getByRole('banner').getByRole('link', { name }).click();
    const dialog = page.getByRole('dialog', { name: 'Get early access' });
    await expect(dialog).toBeVisible();
    await expect(dialog.getByRole('link', { name: 'Already have an account? Log in' })).toHaveAttribute(
      'href',
      '/login',
    );
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL('/');
  }
});

test('sample notes are found as a visitor types, also without a network', async ({ page }) => {
  await page.goto('/');
  const demo = page.getByRole('region', { name: 'Search these notes' });
  const notes = demo.getByRole('listitem');
  const all = await notes.count();
  expect(all).toBeGreaterThan(4);
  await expect(demo.getByRole('status')).toHaveText(`${all} notes in this page`);

  // At once: the press fetches what searches, which then takes the query up.
  await demo.getByRole('button', { name: 'tag:kitchen' }).click();
  await expect(demo.getByRole('status')).toContainText('2 notes found');
  await page.context().setOffline(true);
  await demo.getByRole('searchbox').fill('tomatos');
  await expect(notes).toHaveCount(1);
  await expect(notes.locator('mark')).toHaveText('Tomatoes');
  await demo.getByRole('searchbox').fill('xylophone');
  await expect(notes).toHaveCount(0);
  await expect(demo.getByRole('status')).toContainText('0 notes found');
  await demo.getByRole('searchbox').fill('');
  await expect(notes).toHaveCount(all);
  await expect(notes.locator('mark')).toHaveCount(0);
});

test('the newsletter form checks with the exact words, and says what came of it', async ({ page }) => {
  await page.goto('/pricing');
  const form = page.getByRole('contentinfo').locator('form');
  const email = form.getByRole('textbox');
  await email.focus();
  await email.blur();
  await expect(form.getByText('Required')).toBeVisible();

  await email.pressSequentially('ada@');
  await expect(form.getByText('Invalid email')).toBeVisible();
  await email.pressSequentially('example.com');
  await expect(form.getByText('Invalid email')).toBeHidden();

  await email.press('Enter');
  await expect(page.getByText('Registered!', { exact: true })).toBeVisible();
  await expect(page.getByText('Your invite is incoming!', { exact: true })).toBeVisible();
  await expect(email).toHaveValue('');

  await page.context().setOffline(true);
  await email.fill('ada@example.com');
  await form.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByText('Error registering', { exact: true })).toBeVisible();
  await expect(page.getByText('Please try again', { exact: true })).toBeVisible();
  await expect(email).toHaveValue('ada@example.com');
});

test('an address is checked 300 ms after the last key, not before', async ({ page }) => {
  await page.goto('/');
  const form = page.getByRole('contentinfo').locator('form');
  const email = form.getByRole('textbox');
  // The checking code arrives with the focus; only later checks are timed.
  await email.fill('x');
  await expect(form.getByText('Invalid email')).toBeVisible();
  await email.fill('ada@example.com');
  await expect(form.getByText('Invalid email')).toBeHidden();
  const waited = await email.evaluate(
    (input: HTMLInputElement) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        new MutationObserver(() => {
          if (input.form?.textContent?.includes('Invalid email')) resolve(performance.now() - start);
        }).observe(input.form ?? input, { subtree: true, childList: true, characterData: true });
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'ada@');
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }),
  );
  expect(waited).toBeGreaterThanOrEqual(295);
});

test('what is typed into the search before its code is there is answered as soon as it is', async ({
  page,
}) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isAsked = false;
  await page.route(/\/assets\/site-search-/, async (route) => {
    isAsked = true;
    await released;
    await route.continue();
  });
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Search the docs and the blog' });
  await page.keyboard.type('backup');
  await expect(dialog.getByRole('combobox')).toHaveValue('backup');
  await expect.poll(() => isAsked).toBe(true);
  await expect(dialog.getByRole('option')).toHaveCount(0);
  release();
  await expect(dialog.getByRole('option').first()).toBeVisible();
  await expect(dialog.getByRole('combobox')).toHaveValue('backup');
});

test('a part that cannot be loaded says so', async ({ page }) => {
  await page.route(/\/assets\/site-search-/, (route) => route.abort());
  await page.goto('/');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByText('The search could not be loaded', { exact: true })).toBeVisible();
});

test('where the script cannot be loaded, links and forms work all the same', async ({ page }) => {
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).click();
  await expect(page).toHaveURL(/\/request-access$/);
  await page.getByRole('main').getByLabel('E-mail').fill('late@example.org');
  await page.getByRole('main').getByRole('button', { name: 'Request access' }).click();
  await expect(page.getByText('Your invite is incoming!')).toBeVisible();
});

test('the loading bar appears while another page is on its way', async ({ page }) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.goto('/blog');
  await page.waitForLoadState('networkidle');
  await page.route('**/pricing', async (route) => {
    await released;
    await route.continue();
  });
  // The next page comes only once the bar is seen.
  await page.exposeFunction('barIsSeen', () => release());
  const bar = page.getByTestId('loading-bar');
  await bar.evaluate((track) => {
    const observer = new MutationObserver(() => {
      if (track.style.opacity === '1') Reflect.get(globalThis, 'barIsSeen')();
    });
    observer.observe(track, { attributes: true });
  });
  await page.getByRole('contentinfo').getByRole('link', { name: 'Pricing' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Free to run yourself');
  await expect(bar).toHaveCSS('opacity', '0');
});

test('search finds a section of the documentation from any page, by key or by button', async ({ page }) => {
  await page.goto('/blog');
  const dialog = page.getByRole('dialog', { name: 'Search the docs and the blog' });
  // Once: a second press would close it.
  await started(page);
  await page.keyboard.press('Control+k');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('combobox').fill('is:archived');
  await expect(dialog.getByRole('option').first()).toHaveText(/^Search › Operators/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/search/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search');
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await dialog.getByRole('combobox').fill('qqqzzz');
  await expect(dialog.getByText('Nothing about “qqqzzz”')).toBeVisible();
});

test('an unknown address says so, offers the search and leads home', async ({ page }) => {
  const response = await page.goto('/no/such/page');
  expect(response?.status()).toBe(404);
  await expect(page).toHaveTitle('Page not found | Loci');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(page.getByText('We are sorry but this page could not be found.')).toBeVisible();
  await expect(page.getByText('Page Not Found: /no/such/page')).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Search the docs and the blog' }).click();
  await expect(page.getByRole('dialog', { name: 'Search the docs and the blog' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Back to home' }).click();
  await expect(page).toHaveURL('/');
  await expect(page).toHaveTitle('A memory for people and teams | Loci');
});

test('navigation scrolls to the top, to the hash, and back to where the reader was', async ({ page }) => {
  await page.goto('/blog/how-sync-works');
  await page.getByRole('heading', { name: 'How we know' }).scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(1_000);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Pricing' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Free to run yourself');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('How the sync engine works');
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1_000);

  await page.goto('/docs/spaces#undo');
  await expect(page.getByRole('heading', { name: 'Undo' })).toBeInViewport();
  // One title and one description, also after navigations.
  await expect(page.locator('title')).toHaveCount(1);
  await expect(page.locator('meta[name="description"]')).toHaveCount(1);
});

test('documentation: navigation, neighbours, anchors and copying', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs');
  const navigation = page.getByRole('navigation', { name: 'Documentation' });
  await navigation.getByRole('link', { name: 'Self-hosting' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Self-hosting');
  await expect(navigation.getByRole('link', { name: 'Self-hosting' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await page.getByRole('button', { name: 'Copy code' }).first().click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('npm ci');
  await expect(page.getByRole('button', { name: 'Copied' })).toBeHidden();
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Upgrade' }).click();
  await expect(page).toHaveURL(/#upgrade$/);
  await page
    .getByRole('navigation', { name: 'Neighbours' })
    .getByRole('link', { name: 'Next Mails and pictures' })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mails and pictures');
});

test('documentation: in a low window the list of pages scrolls by itself and shows where one is', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/docs/api/reference/more');
  const pages = page.getByRole('navigation', { name: 'Documentation' });
  await expect(pages.getByRole('link', { name: 'Everything else' })).toBeInViewport({ ratio: 1 });
  await expect(pages.getByRole('link', { name: 'Start here' })).not.toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await pages.getByRole('link', { name: 'Everything else' }).hover();
  await page.mouse.wheel(0, -2_000);
  await expect(pages.getByRole('link', { name: 'Start here' })).toBeInViewport({ ratio: 1 });
  await pages.getByRole('link', { name: 'Capsule' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Capsule');
  await expect(pages.getByRole('link', { name: 'Capsule' })).toBeInViewport({ ratio: 1 });
  await expect(pages.getByRole('link', { name: 'Start here' })).toBeInViewport({ ratio: 1 });
});

test('documentation: earlier addresses of a call lead to its line, and on to its page', async ({ page }) => {
  await page.goto('/docs/api/reference#patch-v1memoriesworkspaceidid');
  const call = page.getByRole('link', { name: 'PATCH /v1/memories/{workspaceId}/{id}', exact: true });
  await expect(call).toBeInViewport({ ratio: 1 });
  await call.click();
  await expect(page).toHaveURL(/\/docs\/api\/reference\/memories#patch-v1memoriesworkspaceidid$/);
  await expect(
    page.getByRole('main').getByRole('heading', { name: 'PATCH /v1/memories/{workspaceId}/{id}' }),
  ).toBeInViewport({ ratio: 1 });
});

test('light and dark survive a reload without a flash', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Light or dark' }).click();
  await expect(page.locator('html')).toHaveClass(/dark/);
  await page.goto('/pricing', { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveClass(/dark/);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('the menu opens, leads somewhere and closes', async ({ page }) => {
    await page.goto('/');
    const menu = page.getByRole('navigation', { name: 'Menu' });
    await expect(menu).toBeHidden();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await menu.getByRole('link', { name: 'Pricing' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Free to run yourself');
    await expect(menu).toBeHidden();
  });

  test('nothing is wider than the screen', async ({ page }) => {
    for (const path of [
      '/',
      '/pricing',
      '/explore',
      '/blog',
      '/blog/how-sync-works',
      '/docs/api',
      '/docs/api/reference',
      '/docs/api/reference/memories',
    ]) {
      await page.goto(path);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([path, overflow]).toEqual([path, 0]);
    }
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('everything can be read and the form works', async ({ page }) => {
    await page.goto('/docs');
    await page.getByRole('main').getByRole('link', { name: 'Configuration' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Configuration');
    await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Request access');
    await page.getByRole('main').getByLabel('E-mail').fill('grace@example.com');
    await page.getByRole('main').getByRole('button', { name: 'Request access' }).click();
    await expect(page.getByText('Your invite is incoming!')).toBeVisible();
  });
});
