/** The sign of a saved page is the same wherever the memory is named. */
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { CapsulePage } from '#client/memories/capsule-page.tsx';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { memoryRow } from '#tests/support/replica-rows.ts';

beforeEach(async () => {
  await page.viewport(1440, 800);
  return () => page.viewport(1280, 800);
});

it('shows the site of a page in its row, in the reading pane, the palette, the open memory and the capsule', async () => {
  const saved = memoryRow({ type: 'link', title: 'Barnacles', url: 'https://www.quarry.example/b' });
  const { screen, router } = await stageDashboard((server) => server.put('memory', saved), {
    pages: [{ path: 'capsule', Component: CapsulePage }],
  });
  // Its first letter, where its icon is not on this device.
  const sign = { exact: true } as const;
  const list = screen.getByRole('list', { name: 'Home' });
  await expect.element(list.getByText('Q', sign)).toBeVisible();
  await screen.getByRole('radio', { name: 'Reading' }).click();
  await expect.element(screen.getByRole('region', { name: 'Reading' }).getByText('Q', sign)).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  const palette = screen.getByRole('dialog', { name: 'Search and commands' });
  await expect.element(palette.getByRole('option', { name: /Barnacles/ }).getByText('Q', sign)).toBeVisible();
  await palette.getByRole('option', { name: /Barnacles/ }).click();
  const dialog = screen.getByRole('dialog', { name: 'Barnacles' });
  await expect.element(dialog.getByText('Q', sign)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await router.navigate('/acme/capsule');
  await expect.element(screen.getByRole('article').getByText('Q', sign)).toBeVisible();
});
