/** Spaces over a real replica: the list, a space's page, and the dialogs that create, change and delete one. */
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { SpacePage } from '#client/spaces/space-page.tsx';
import { SpacesPage } from '#client/spaces/spaces-page.tsx';
import { findDraft } from '#client/shell/drafts.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { linkRow, memoryRow, spaceRow, USER } from '#tests/support/replica-rows.ts';

const PAGES = [
  { path: 'spaces', Component: SpacesPage },
  { path: 'spaces/:space_slug', Component: SpacePage },
];

const garden = spaceRow({
  name: 'Garden',
  slug: 'garden',
  color: 'olive',
  description: 'Plants',
});
const attic = spaceRow({ name: 'Attic', slug: 'attic' });
const [rose, fern, oak] = ['Rose', 'Fern', 'Oak'].map((title) => memoryRow({ title, tags: [title] }));

/** Rose and Fern are in the garden, Fern in the attic too, Oak nowhere. */
function stage(path: string, position: 'owner' | 'read-only' = 'owner') {
  return stageDashboard(
    (server) => {
      if (!rose || !fern || !oak) throw new Error('rows are missing');
      server.put('space', garden, attic);
      server.put('memory', rose, fern, oak);
      server.put('space_memory', linkRow(garden.id, rose.id), linkRow(garden.id, fern.id));
      server.put('space_memory', linkRow(attic.id, fern.id));
    },
    { path, position, pages: PAGES },
  );
}

const acts = (name: string) => page.getByRole('main').getByRole('button', { name: `Actions for ${name}` });

describe('the list of spaces', () => {
  it('shows each with its count and keeps the order in the address', async () => {
    const { screen, router } = await stage('/spaces');
    const list = screen.getByRole('list', { name: 'Spaces', exact: true });
    await expect.element(list.getByRole('heading').nth(0)).toHaveTextContent('Attic');
    await expect.element(list.getByRole('article').nth(1).getByText('2 memories')).toBeVisible();
    await screen.getByRole('button', { name: 'Name' }).click();
    await screen.getByRole('menuitemradio', { name: 'Most memories' }).click();
    await userEvent.keyboard('{Escape}');
    await expect.element(list.getByRole('heading').nth(0)).toHaveTextContent('Garden');
    expect(router.state.location.search).toBe('?sort=size');
  });

  it('creates a space whose address follows the name, and goes there', async () => {
    const { screen, router } = await stage('/spaces');
    await screen.getByRole('main').getByRole('button', { name: 'New space' }).click();
    const dialog = screen.getByRole('dialog', { name: 'New space' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Garden');
    await expect.element(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue('garden-2');
    await dialog.getByRole('textbox', { name: 'Address' }).fill('garden');
    await expect.element(dialog.getByText('Another space already uses this address')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Address' }).fill('allotment');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByText('Nothing in this space yet')).toBeVisible();
    expect(router.state.location.pathname).toBe('/acme/spaces/allotment');
  });

  it('keeps what was typed for a new space until it is saved or given up', async () => {
    const { screen } = await stage('/spaces');
    const open = () => screen.getByRole('main').getByRole('button', { name: 'New space' }).click();
    const dialog = screen.getByRole('dialog', { name: 'New space' });
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await open();
    await name.fill('Half a thought');
    await dialog.getByRole('textbox', { name: 'Description' }).fill('About bees');
    await expect.poll(async () => (await findDraft(`space-new/${USER}/acme`))?.text).toContain('About bees');
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await open();
    await expect.element(name).toHaveValue('Half a thought');
    await expect.element(dialog.getByRole('textbox', { name: 'Description' })).toHaveValue('About bees');
    await expect.element(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue('half-a-thought');
    expect(await accessibilityFaults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Start over' }).click();
    await expect.element(name).toHaveValue('');
    await name.fill('Bees');
    await dialog.getByRole('button', { name: 'Create space' }).click();
    await expect.element(screen.getByText('Nothing in this space yet')).toBeVisible();
    await expect.poll(() => findDraft(`space-new/${USER}/acme`)).toBeUndefined();
  });

  it('keeps what was typed for a space that is being changed, and only that', async () => {
    const { screen, server } = await stage('/spaces/garden');
    const open = async () => {
      await acts('Garden').click();
      await screen.getByRole('menuitem', { name: 'Edit…' }).click();
    };
    const dialog = screen.getByRole('dialog', { name: 'Edit space' });
    await open();
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Plants and bees');
    await expect
      .poll(async () => (await findDraft(`space/${USER}/${garden.id}`))?.text)
      .toBe(JSON.stringify({ description: 'Plants and bees' }));
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await open();
    await expect.element(dialog.getByRole('textbox', { name: 'Description' })).toHaveValue('Plants and bees');
    await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Garden');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => findDraft(`space/${USER}/${garden.id}`)).toBeUndefined();
    await open();
    await expect.element(dialog.getByRole('textbox', { name: 'Description' })).toHaveValue('Plants');
    expect(server.row('space', garden.id)?.description).toBe('Plants');
  });

  it('asks before the web gets to see a space', async () => {
    const { screen } = await stage('/spaces');
    await acts('Garden').click();
    await screen.getByRole('menuitem', { name: 'Edit…' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Edit space' });
    await dialog.getByRole('combobox', { name: 'Who can see it' }).selectOptions('public');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const question = screen.getByRole('alertdialog');
    await expect.element(question.getByText(/2 memories become visible/)).toBeVisible();
    await question.getByRole('button', { name: 'Save and publish' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(screen.getByText('Everyone on the web')).toBeVisible();
  });
});

describe('the page of a space', () => {
  it('follows when the address of the space is changed', async () => {
    const { screen, router } = await stage('/spaces/garden');
    await acts('Garden').click();
    await screen.getByRole('menuitem', { name: 'Edit…' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Edit space' });
    await dialog.getByRole('textbox', { name: 'Address' }).fill('backyard');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => router.state.location.pathname).toBe('/acme/spaces/backyard');
    await expect.element(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Garden');
  });

  it('adds memories that are not in it, and takes one out with a way back', async () => {
    const { screen } = await stage('/spaces/garden');
    const list = screen.getByRole('list', { name: 'Memories in Garden' });
    await expect.element(list.getByRole('listitem')).toHaveLength(2);
    await screen.getByRole('button', { name: 'Add memories' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Add to Garden' });
    await expect.element(dialog.getByRole('option')).toHaveLength(1);
    await userEvent.keyboard('oa{Enter}');
    await dialog.getByRole('button', { name: 'Add memory' }).click();
    await expect.element(list.getByRole('listitem')).toHaveLength(3);
    await screen.getByRole('button', { name: 'Actions for Rose' }).click();
    await screen.getByRole('menuitem', { name: 'Remove from this space' }).click();
    await expect.element(list.getByRole('link', { name: 'Rose' })).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Undo' }).last().click();
    await expect.element(list.getByRole('link', { name: 'Rose' })).toBeVisible();
  });

  it('lights an arch of the cover from the first memory on', async () => {
    const { screen } = await stage('/spaces/attic');
    const dots = () => screen.getByRole('main').element().querySelectorAll('svg.cover circle').length;
    await expect.element(screen.getByRole('link', { name: 'Fern' })).toBeVisible();
    expect(dots()).toBe(1);
    await screen.getByRole('button', { name: 'Actions for Fern' }).click();
    await screen.getByRole('menuitem', { name: 'Remove from this space' }).click();
    await expect.element(screen.getByText('Nothing in this space yet')).toBeVisible();
    expect(dots()).toBe(0);
    await screen.getByRole('button', { name: 'Undo' }).last().click();
    await expect.element(screen.getByRole('link', { name: 'Fern' })).toBeVisible();
    expect(dots()).toBe(1);
  });

  it('says in numbers what deleting means, leaves the page, and comes back with undo', async () => {
    const { screen, router } = await stage('/spaces/garden');
    await acts('Garden').click();
    await screen.getByRole('menuitem', { name: 'Delete…' }).click();
    const question = screen.getByRole('alertdialog', { name: 'Delete Garden?' });
    await expect
      .element(question.getByText('2 memories stay in the workspace; 1 of them is in no other space.'))
      .toBeVisible();
    await question.getByRole('button', { name: 'Delete space' }).click();
    await expect.element(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Spaces');
    await expect.element(screen.getByRole('button', { name: 'Restore Garden' })).toBeVisible();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => router.state.location.pathname).toBe('/acme/spaces/garden');
    await expect.element(screen.getByRole('link', { name: 'Rose' })).toBeVisible();
  });

  it('answers an unknown address with the not-found page', async () => {
    const { screen } = await stage('/spaces/nowhere');
    await expect.element(screen.getByText('Page Not Found: /acme/spaces/nowhere')).toBeVisible();
  });

  it('offers no way to write to people who may only read', async () => {
    const { screen } = await stage('/spaces/garden', 'read-only');
    await expect.element(screen.getByRole('link', { name: 'Rose' })).toBeVisible();
    expect(
      screen
        .getByRole('main')
        .getByRole('button', { name: /Add|Share|New/ })
        .elements(),
    ).toEqual([]);
    await acts('Garden').click();
    await expect.element(screen.getByRole('menuitem', { name: 'Copy link' })).toBeVisible();
    const entries = screen.getByRole('menuitem').elements();
    expect(entries.map(({ textContent }) => textContent)).toEqual(['Pin to the sidebar', 'Copy link']);
  });
});
