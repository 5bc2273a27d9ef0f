/** The page of all tags over a real replica: counts, finding, renaming, merging, removing and undoing. */
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { LIMITS } from '#shared/constants.ts';
import { TagsPage } from '#client/memories/tags-page.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { memoryRow } from '#tests/support/replica-rows.ts';

const full = Array.from({ length: LIMITS.tagCount - 1 }, (_unused, index) => `t${index}`);
const rows = {
  rose: memoryRow({ title: 'Rose', tags: ['garden', 'red'] }),
  fern: memoryRow({ title: 'Fern', tags: ['garden'] }),
  plan: memoryRow({ title: 'Plan', tags: ['gardens', 'garden'] }),
  full: memoryRow({ title: 'Full', tags: ['garden', ...full] }),
};

function stage(position: 'owner' | 'read-only' = 'owner', path = '/tags') {
  return stageDashboard((server) => server.put('memory', ...Object.values(rows)), {
    path,
    position,
    pages: [{ path: 'tags', Component: TagsPage }],
  });
}

type Stage = Awaited<ReturnType<typeof stage>>;

async function rename({ screen }: Stage, from: string, to: string, button = 'Rename tag') {
  await screen.getByRole('button', { name: `Actions for ${from}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  const dialog = page.getByRole('dialog', { name: `Rename “${from}”` });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(to);
  await dialog.getByRole('button', { name: button }).click();
}

const tagsOf = ({ server }: Stage, row: { id: (typeof rows)['rose']['id'] }) =>
  server.row('memory', row.id)?.tags;

describe('the page of all tags', () => {
  it('lists the most used first, finds one, and leads to its memories', async () => {
    const { screen, router } = await stage();
    const list = screen.getByRole('list', { name: 'Tags', exact: true });
    await expect.element(list.getByRole('link').nth(0)).toHaveTextContent('garden4 memories');
    await screen.getByRole('searchbox', { name: 'Find a tag' }).fill('gardens');
    await expect.element(list.getByRole('link')).toHaveTextContent('gardens1 memory');
    expect(await accessibilityFaults()).toEqual([]);
    await screen.getByRole('searchbox', { name: 'Find a tag' }).fill('no such tag');
    await expect.element(screen.getByText('No tag matches.')).toBeVisible();
    await screen.getByRole('searchbox', { name: 'Find a tag' }).fill('red');
    await list.getByRole('link').click();
    expect(router.state.location).toMatchObject({ pathname: '/acme', search: '?tag=red' });
  });

  it('renames a tag everywhere, also where a memory has no room for another, and takes that back', async () => {
    const staged = await stage();
    await rename(staged, 'garden', ' Allotment ');
    await expect.poll(() => tagsOf(staged, rows.full)).toEqual([...full, 'allotment']);
    await expect.poll(() => tagsOf(staged, rows.rose)).toEqual(['red', 'allotment']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => tagsOf(staged, rows.full)).toEqual([...full, 'garden']);
    await expect.poll(() => tagsOf(staged, rows.rose)).toEqual(['red', 'garden']);
  });

  it('merges a tag into another of the same name, and undo separates them', async () => {
    const staged = await stage();
    await rename(staged, 'gardens', 'garden', 'Merge tags');
    await expect.poll(() => tagsOf(staged, rows.plan)).toEqual(['garden']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => tagsOf(staged, rows.plan)).toEqual(['garden', 'gardens']);
    expect(tagsOf(staged, rows.fern)).toEqual(['garden']);
  });

  it('refuses what cannot be a tag, and closes without a change', async () => {
    const staged = await stage();
    await rename(staged, 'red', 'a, b');
    await expect.element(page.getByText('A tag may not contain a comma')).toBeVisible();
    await page.getByRole('textbox', { name: 'Name' }).fill('red');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    expect(tagsOf(staged, rows.rose)).toEqual(['garden', 'red']);
  });

  it('removes a tag from all memories', async () => {
    const staged = await stage();
    await staged.screen.getByRole('button', { name: 'Actions for garden', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Remove from all memories' }).click();
    await expect.poll(() => tagsOf(staged, rows.fern)).toEqual([]);
    await expect.poll(() => tagsOf(staged, rows.plan)).toEqual(['gardens']);
  });

  it('offers no change to a member who may only read', async () => {
    const { screen } = await stage('read-only');
    await expect.element(screen.getByRole('link', { name: /^garden\s*4 memories/ })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: /^Actions for/ })).not.toBeInTheDocument();
  });
});
