/** A link is saved, its page is fetched behind it, and text and saved page can be read, and read again without site or network. */
import { sitDown } from '../support/person.ts';
import { page as pageOf, redirect, serveSite, type LocalSite } from '../support/local-site.ts';
import { takePerson } from '../support/ready-people.ts';
import { startStoryServer, type StoryServer } from './support/servers.ts';
import { screenFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

const PROSE =
  'Barnacles glue themselves to rock head first and then kick food into their mouths with their feet. ' +
  'They spend the rest of their lives in the same place, which makes the choice of a rock the one that counts.';

let server: StoryServer;
let site: LocalSite;
let isSiteUp = true;

test.beforeAll(async () => {
  site = await serveSite({
    '/barnacles': pageOf(
      `<html lang="en"><head><title>Life of a barnacle</title><meta name="description" content="On barnacles.">
       <link rel="stylesheet" href="/style.css"></head><body onload="parent.document.title = 'scripted'"><nav>Menu</nav><article><h1>Life of a barnacle</h1><p>${PROSE}</p><h2>Feeding</h2><p>${PROSE}</p>
       <img src="/rock.svg" alt="A rock"><img src="/gone.png" alt="A gull"><a href="/about">About the shore</a><script>document.title = 'scripted'</script></article></body></html>`,
    ),
    '/style.css': pageOf('h1 { color: rgb(0, 128, 128) }', { 'content-type': 'text/css' }),
    '/rock.svg': pageOf('<svg viewBox="0 0 9 9" width="90" height="90"><circle cx="4" cy="4" r="4"/></svg>', {
      'content-type': 'image/svg+xml',
    }),
    '/moved': redirect('/moved'),
    '/limpets': pageOf(
      `<html lang="en"><head><title>Life of a limpet</title></head><body><article><h1>Life of a limpet</h1><p>${PROSE}</p></article></body></html>`,
    ),
  });
  server = await startStoryServer({ EGRESS: 'private' });
});
test.afterAll(async () => {
  await server.dispose();
  if (isSiteUp) await site.close();
});
test.use({ serviceWorkers: 'allow' });

test('a saved link becomes a page to read @long', async ({ page }) => {
  const reader = takePerson(server);
  await sitDown(page.context(), server.url, reader);
  await page.goto(`${server.url}/${reader.slug}`);

  const field = page.getByRole('textbox', { name: 'Save a memory' });
  await field.fill(`${site.url}/barnacles`);
  await field.press('Control+Enter');
  await page.getByRole('link', { name: 'Life of a barnacle' }).click();
  const viewer = page.getByRole('dialog', { name: 'Life of a barnacle' });
  await expect(viewer.getByRole('textbox', { name: 'Description' })).toHaveValue('On barnacles.');
  const text = viewer.getByRole('region', { name: 'Page' });
  await expect(text.getByText(/kick food into their mouths/).first()).toBeVisible();
  await expect(text.getByRole('heading', { name: 'Feeding' })).toBeVisible();
  // From the saved page; what it has not is a link.
  await expect(text.getByRole('img', { name: 'A rock' })).toHaveJSProperty('naturalWidth', 90);
  await expect(text.getByRole('link', { name: 'Image: A gull' })).toBeVisible();
  expect(await screenFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/saved-page.png' });

  // The same words stand in two places: the second is meant.
  await text
    .getByText(/kick food into their mouths/)
    .nth(1)
    .selectText();
  await page.screenshot({ path: 'test-results/highlight-selected.png' });
  await text.getByRole('button', { name: /^Highlight/ }).click();
  const highlights = text.getByRole('list', { name: 'Highlights' });
  await expect(highlights.getByText(/kick food/)).toBeVisible();
  await expect.poll(() => page.evaluate(marksBelow, 'Feeding')).toEqual([true]);

  await text.getByRole('radio', { name: 'Saved page' }).check();
  await expect(text.getByText(/^Saved now\./)).toBeVisible();
  const saved = text.frameLocator('iframe');
  const heading = saved.getByRole('heading', { name: 'Life of a barnacle' });
  await expect(heading).toHaveCSS('color', 'rgb(0, 128, 128)');
  await expect(saved.getByRole('img', { name: 'A rock' })).toHaveJSProperty('naturalWidth', 90);
  await expect(saved.getByText('Image not saved: A gull')).toBeVisible();
  await expect(saved.getByRole('link', { name: 'About the shore' })).toHaveAttribute(
    'href',
    `${site.url}/about`,
  );
  await heading.click();
  await heading.selectText();
  await expect(text.getByRole('button', { name: /^Highlight/ })).toBeVisible();
  await page.keyboard.press('h');
  await expect(highlights.getByText('Life of a barnacle')).toBeVisible();
  await highlights.getByRole('button', { name: 'Show in saved page' }).first().click();
  await expect(saved.locator('p').nth(1)).toBeFocused();
  expect(await page.title()).not.toBe('scripted');
  expect(await screenFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/saved-page-snapshot.png' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: 'test-results/saved-page-snapshot-dark.png' });
  await page.emulateMedia({ colorScheme: 'light' });
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: 'test-results/saved-page-snapshot-phone.png' });
  if (wide) await page.setViewportSize(wide);
  // Each once, by the server: no browser has contacted the site.
  expect(site.asked.toSorted()).toEqual([
    '/barnacles',
    '/favicon.ico',
    '/gone.png',
    '/rock.svg',
    '/style.css',
  ]);
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('glue mouths');
  await expect(page.getByRole('option', { name: /Life of a barnacle/ })).toBeVisible();
  await page.keyboard.press('Escape');

  await field.fill(`${site.url}/moved`);
  await field.press('Control+Enter');
  await page.getByRole('link', { name: /\/moved$/ }).click();
  const broken = page.getByRole('dialog');
  await expect(broken.getByText('The page redirects without end.')).toBeVisible();
  await expect(broken.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.screenshot({ path: 'test-results/saved-page-unavailable.png' });
  await page.keyboard.press('Escape');

  const brought = page.waitForResponse((response) => response.url().endsWith('/snapshot'));
  await field.fill(`${site.url}/limpets`);
  await field.press('Control+Enter');
  expect(await (await brought).text()).toContain('limpet');
  // The replica is written to the device within a second of a change.
  await page.waitForTimeout(2_000);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await server.kill();
  await site.close();
  isSiteUp = false;
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole('link', { name: 'Life of a barnacle' }).click();
  await expect(
    page
      .getByRole('region', { name: 'Page' })
      .getByText(/kick food/)
      .first(),
  ).toBeVisible();
  const offline = page.getByRole('region', { name: 'Page' });
  await expect(offline.getByRole('img', { name: 'A rock' })).toHaveJSProperty('naturalWidth', 90);
  await offline.getByRole('radio', { name: 'Saved page' }).check();
  const kept = offline.frameLocator('iframe');
  await expect(kept.getByRole('heading', { name: 'Life of a barnacle' })).toBeVisible();
  await expect(kept.getByRole('img', { name: 'A rock' })).toHaveJSProperty('naturalWidth', 90);
  // What was highlighted is there, and more can be.
  const listed = offline.getByRole('list', { name: 'Highlights' }).getByRole('listitem');
  await expect(listed).toHaveCount(2);
  await offline.getByRole('radio', { name: 'Text' }).check();
  await offline.getByRole('heading', { name: 'Feeding' }).selectText();
  await expect(offline.getByRole('button', { name: /^Highlight/ })).toBeVisible();
  await page.keyboard.press('h');
  await expect(listed).toHaveCount(3);
  await page.reload();
  await expect(listed).toHaveCount(3);
  await page.keyboard.press('Escape');
  // This one was never opened.
  await page.getByRole('link', { name: 'Life of a limpet' }).click();
  await offline.getByRole('radio', { name: 'Saved page' }).check();
  await expect(kept.getByRole('heading', { name: 'Life of a limpet' })).toBeVisible();
});

/** Whether each mark of the page stands below a heading. */
function marksBelow(heading: string): boolean[] {
  const titles = [...document.querySelectorAll('h2, h3, h4')];
  const top = titles.find(({ textContent }) => textContent === heading)?.getBoundingClientRect().top ?? 0;
  const marks = [...(CSS.highlights.get('page-quote') ?? [])] as Range[];
  return marks.map((range) => range.getBoundingClientRect().top > top);
}
