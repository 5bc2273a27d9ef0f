/** The spaces in the sidebar: pinned, moved, collapsed, found among a hundred, and coloured together on their page. */
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { SpacePage } from '#client/spaces/space-page.tsx';
import { SpacesPage } from '#client/spaces/spaces-page.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { spaceRow } from '#tests/support/replica-rows.ts';

const PAGES = [
  { path: 'spaces', Component: SpacesPage },
  { path: 'spaces/:space_slug', Component: SpacePage },
];

async function stage(names: readonly string[], path = '') {
  const spaces = names.map((name) =>
    spaceRow({ name, slug: name.toLowerCase().replaceAll(' ', '-'), color: 'lake' }),
  );
  const staged = await stageDashboard((server) => server.put('space', ...spaces), { path, pages: PAGES });
  const { server } = staged;
  return {
    ...staged,
    /** How many changes the server was told of. */
    told: () => server.applied.length,
    /** Name and colour of each space as the server has them. */
    colors: () => spaces.map(({ id, name }) => `${name} ${server.row('space', id)?.color}`),
  };
}

/** Names of the rows of a list, in its order. */
function rowsOf(list: string): (string | null)[] {
  const lists = page.getByRole('list', { name: list, exact: true }).elements();
  return lists.flatMap((each) =>
    [...each.querySelectorAll('[data-space] a')].map((link) => link.textContent),
  );
}

const pinnedRows = () => rowsOf('Pinned spaces');
const otherRows = () => rowsOf('Spaces in the sidebar');
const link = (name: string) => page.getByRole('complementary').getByRole('link', { name, exact: true });

async function choose(space: string, entry: string): Promise<void> {
  await page
    .getByRole('complementary')
    .getByRole('button', { name: `Options for ${space}`, exact: true })
    .click();
  await page.getByRole('menuitem', { name: new RegExp(`^${entry}`) }).click();
}

afterEach(() => page.viewport(1280, 800));

describe('the order of the sidebar', () => {
  it('is by name until a space is moved by key, which keeps the focus, is told, and can be undone', async () => {
    const { screen, told } = await stage(['Attic', 'Barn', 'Cellar', 'Den']);
    await expect.poll(otherRows).toEqual(['Attic', 'Barn', 'Cellar', 'Den']);
    link('Den').element().focus();
    await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
    await expect.poll(otherRows).toEqual(['Attic', 'Barn', 'Den', 'Cellar']);
    await expect.element(screen.getByText('Den is now 3 of 4 spaces')).toBeInTheDocument();
    await expect.element(link('Den')).toHaveFocus();
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await expect.poll(otherRows).toEqual(['Attic', 'Barn', 'Cellar', 'Den']);
    await expect.element(link('Den')).toHaveFocus();
    await userEvent.keyboard('{Control>}zz{/Control}');
    await expect.poll(otherRows).toEqual(['Attic', 'Barn', 'Cellar', 'Den']);
    await expect.poll(told).toBe(4);
  });

  it('is changed by the menu too, which offers no step that leads nowhere', async () => {
    await stage(['Attic', 'Barn', 'Cellar']);
    await choose('Cellar', 'Move up');
    await expect.poll(otherRows).toEqual(['Attic', 'Cellar', 'Barn']);
    await page.getByRole('complementary').getByRole('button', { name: 'Options for Barn' }).click();
    await expect.element(page.getByRole('menuitem', { name: /^Move down/ })).toHaveAttribute('data-disabled');
  });

  it('leads through all rows by arrow keys, and to the menu of each', async () => {
    await stage(['Attic', 'Barn', 'Cellar']);
    await choose('Cellar', 'Pin to the sidebar');
    await expect.poll(pinnedRows).toEqual(['Cellar']);
    link('Attic').element().focus();
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(link('Cellar')).toHaveFocus();
    await userEvent.keyboard('{End}');
    await expect.element(link('Barn')).toHaveFocus();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(page.getByRole('button', { name: 'Options for Barn' })).toHaveFocus();
    await userEvent.keyboard('{ArrowLeft}{Home}');
    await expect.element(link('Cellar')).toHaveFocus();
  });
});

describe('pinned spaces', () => {
  it('have a section of their own, with undo', async () => {
    await stage(['Attic', 'Barn', 'Cellar']);
    await choose('Cellar', 'Pin to the sidebar');
    await choose('Attic', 'Pin to the sidebar');
    await expect.poll(pinnedRows).toEqual(['Cellar', 'Attic']);
    expect(otherRows()).toEqual(['Barn']);
    await choose('Cellar', 'Unpin');
    await expect.poll(pinnedRows).toEqual(['Attic']);
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect.poll(pinnedRows).toEqual(['Attic', 'Cellar']);
    expect(await accessibilityFaults()).toEqual([]);
  });
});

describe('a section', () => {
  it('collapses to the space that is open', async () => {
    await stage(['Attic', 'Barn', 'Cellar'], '/spaces/barn');
    const heading = page.getByRole('button', { name: 'All other spaces' });
    await expect.element(heading).toHaveAttribute('aria-expanded', 'true');
    await heading.click();
    await expect.poll(otherRows).toEqual(['Barn']);
    await expect.element(heading).toHaveAttribute('aria-expanded', 'false');
    await heading.click();
    await expect.poll(otherRows).toEqual(['Attic', 'Barn', 'Cellar']);
  });
});

describe('a hundred spaces', () => {
  const names = Array.from({ length: 100 }, (_, index) => `Shelf ${index + 1}`);

  it('show the one that is open and are found by name', async () => {
    await stage(names, '/spaces/shelf-90');
    await expect.element(link('Shelf 90')).toHaveAttribute('aria-current', 'page');
    await expect.element(link('Shelf 90')).toBeInViewport();
    const field = page.getByRole('searchbox', { name: 'Find a space' });
    await field.fill('shelf 7');
    const found = () => rowsOf('Spaces found');
    await expect.poll(() => found().length).toBe(11);
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(link('Shelf 7')).toHaveFocus();
    await field.fill('no such');
    await expect.element(page.getByText('No space has this in its name.')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => otherRows().length).toBe(100);
  });

  it('fit a phone, in its drawer', async () => {
    await page.viewport(390, 800);
    const { screen } = await stage(names, '/spaces/shelf-90');
    await screen.getByRole('button', { name: /^Open the sidebar/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Sidebar' });
    await expect.element(drawer.getByRole('link', { name: 'Shelf 90' })).toBeInViewport();
    // An open drawer would hide the page from the test after this one.
    await userEvent.keyboard('{Escape}');
    await expect.element(drawer).not.toBeInTheDocument();
  });
});

describe('many spaces at once', () => {
  it('get one colour by one change, and each its own back by one undo', async () => {
    const { screen, told, colors } = await stage(['Attic', 'Barn', 'Cellar'], '/spaces');
    const main = screen.getByRole('main');
    await expect.poll(colors).toEqual(['Attic lake', 'Barn lake', 'Cellar lake']);
    await expect.element(main.getByRole('link', { name: 'Attic' })).toBeVisible();
    main.getByRole('link', { name: 'Attic' }).element().focus();
    await userEvent.keyboard('x');
    await main.getByRole('link', { name: 'Barn' }).click();
    const bar = screen.getByRole('toolbar', { name: 'Selected spaces' });
    await expect.element(bar.getByText('2 selected')).toBeVisible();
    await bar.getByRole('button', { name: 'Colour' }).click();
    await screen.getByRole('radio', { name: 'Plum' }).click();
    await expect.poll(colors).toEqual(['Attic plum', 'Barn plum', 'Cellar lake']);
    expect(told()).toBe(1);
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(colors).toEqual(['Attic lake', 'Barn lake', 'Cellar lake']);
    await bar.getByRole('button', { name: 'Pin to the sidebar' }).click();
    await expect.poll(pinnedRows).toEqual(['Attic', 'Barn']);
    await bar.getByRole('button', { name: 'Clear the selection' }).click();
    await expect.element(bar).not.toBeInTheDocument();
  });
});
