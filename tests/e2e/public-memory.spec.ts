/** The pages of the memories of a public space, as visitors go through them. */
import { takePerson } from '../support/ready-people.ts';
import { type SharedPlace, fillPlace } from '../support/shared-place.ts';
import { expect, started, test as story } from './support/stories.ts';

const test = story.extend<object, { place: SharedPlace }>({
  place: [async ({ server }, run) => run(await fillPlace(takePerson(server), 4)), { scope: 'worker' }],
});

test('a visitor reads a memory by keyboard, goes on to the next one and back to the space @long', async ({
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
