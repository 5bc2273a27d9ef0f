/** Lists that a person saves under a name: from the filters to the sidebar and back. */
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { memoryRow } from '#tests/support/replica-rows.ts';

const notes = (fill: { put: (kind: 'memory', row: ReturnType<typeof memoryRow>) => unknown }) => {
  fill.put('memory', memoryRow({ title: 'Rye bread', tags: ['bread'] }));
  fill.put('memory', memoryRow({ title: 'Tomatoes', tags: ['garden'] }));
};

it('are saved from the filters, lead back from the sidebar, and are removed with a way back', async () => {
  const { screen, router } = await stageDashboard(notes, { path: '?tag=bread&from=elsewhere' });
  await expect.element(screen.getByRole('link', { name: 'Rye bread' })).toBeVisible();
  await screen.getByRole('button', { name: 'Save filter' }).click();
  const field = screen.getByRole('textbox', { name: 'Name' });
  await expect.element(field).toHaveFocus();
  expect(await accessibilityFaults()).toEqual([]);
  await userEvent.keyboard('Bread{Enter}');
  await expect.element(screen.getByText('Saved as Bread')).toBeVisible();
  const filters = screen.getByRole('list', { name: 'Saved filters' });
  const link = filters.getByRole('link', { name: 'Bread' });
  await expect.element(link).toHaveAttribute('aria-current', 'page');
  const home = screen.getByRole('navigation').getByRole('link', { name: 'Home', exact: true }).first();
  await expect.element(home).toHaveAttribute('aria-current', 'false');

  await screen.getByRole('button', { name: 'Clear filters' }).click();
  await expect.element(screen.getByRole('link', { name: 'Tomatoes' })).toBeVisible();
  await expect.element(link).not.toHaveAttribute('aria-current');
  await expect.element(home).toHaveAttribute('aria-current', 'page');
  await link.click();
  await expect.element(screen.getByRole('link', { name: 'Tomatoes' })).not.toBeInTheDocument();
  expect(router.state.location.search).toBe('?tag=bread');
  expect(await accessibilityFaults()).toEqual([]);

  await filters.getByRole('button', { name: 'Options for Bread' }).click({ force: true });
  await screen.getByRole('menuitem', { name: 'Remove filter' }).click();
  await expect.element(filters).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(link).toBeVisible();
});

it('can be of a search, and a name that is taken is replaced', async () => {
  const { screen } = await stageDashboard(notes, { path: '?q=tomatoes' });
  const save = screen.getByRole('button', { name: 'Save filter' });
  await save.click();
  await userEvent.keyboard('Summer{Enter}');
  await expect.element(screen.getByText('Saved as Summer')).toBeVisible();
  await screen.getByRole('link', { name: 'Home', exact: true }).click();
  await expect.element(screen.getByRole('link', { name: 'Rye bread' })).toBeVisible();
  await expect.element(save).not.toBeInTheDocument();
  await screen.getByRole('link', { name: 'Summer' }).click();
  await expect.element(screen.getByRole('link', { name: 'Tomatoes' })).toBeVisible();
});

it('are not offered to guests', async () => {
  const { screen } = await stageDashboard(notes, { path: '?tag=bread', position: 'guest' });
  await expect.element(screen.getByRole('link', { name: 'Rye bread' })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Save filter' })).not.toBeInTheDocument();
});
