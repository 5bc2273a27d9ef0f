/** The pages of the memories of a public space, as visitors go through them. */
import { type SharedPlace, sharePlace } from '../support/shared-place.ts';
import { expect, started, test as story } from './support/stories.ts';

const test = story.extend<object, { place: SharedPlace }>({
  place: [
    async ({ server }, run) => run(await sharePlace(server.url, 'reader', 4)),
    { scope: 'worker', timeout: 90_000 },
  ],
});

// Each new browser profile would install it, which takes more of the processor than the story.
test.use({ serviceWorkers: 'block' });

test('a visitor reads a memory by keyboard, goes on to the next one and back to the space', async ({
  page,
  place,
}) => {
  await page.goto(place.space);
  await started(page);
  const link = page.getByRole('link', { name: 'Limpets find home 2' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${place.memory}$`));
  const title = page.getByRole('heading', { level: 1, name: 'Limpets find home 2' });
  await expect(title).toBeVisible();
  await expect(page.getByRole('article').getByRole('table')).toContainText('crabs');
  await expect(page.getByRole('link', { name: 'beadlet anemones', exact: true })).toBeVisible();
  const beside = page.getByRole('navigation', { name: 'More in Tide pools' });
  await beside.getByRole('link').first().click();
  await expect(title).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goBack();
  await expect(title).toBeVisible();
  await page.getByRole('link', { name: 'Tide pools', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`${place.space}$`));
});

test('a report of a memory names it', async ({ page, place }) => {
  await page.goto(place.memory);
  await started(page);
  const sent = page.waitForRequest(/\/v1\/public\/spaces\/report$/);
  await page.getByRole('link', { name: 'Report' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio').first().check();
  await dialog.getByRole('button', { name: 'Send report' }).click();
  const body: unknown = (await sent).postDataJSON();
  expect(body).toMatchObject({ memoryId: place.memory.split('/').at(-1) });
  await expect(page.getByText('Report sent', { exact: true })).toBeVisible();
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the same page can be read, and closing the space takes it away', async ({ page, ownServer }) => {
    test.setTimeout(180_000);
    const { owner, space, memory } = await sharePlace(ownServer.url, 'closing', 3);
    await page.goto(ownServer.url + space);
    await page.getByRole('link', { name: 'Limpets find home 2' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Limpets find home 2' })).toBeVisible();
    await expect(page.getByRole('article').getByRole('table')).toContainText('crabs');
    const { api, workspaceId } = owner;
    const { result } = await api('space.list', { params: { workspaceId }, query: {} });
    const id = result[0]?.id;
    if (!id) throw new Error('The space is not there');
    await api('space.update', { params: { workspaceId, id }, body: { publishText: false } });
    expect((await page.goto(ownServer.url + memory))?.status()).toBe(404);
    await expect(page.getByText('north pool')).toHaveCount(0);
  });
});
