/** Giving memories another home: the choice by keyboard, the question before others see them, and exact undo. */
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { newId } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import type { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { linkRow, memberRow, memoryRow, minute, spaceRow } from '#tests/support/replica-rows.ts';
import { waitFor } from '../../support/wait-for.ts';

const garden = spaceRow({ name: 'Garden' });
const diary = spaceRow({ name: 'Diary', visibility: 'private' });
const blog = spaceRow({ name: 'Blog', visibility: 'public' });
const SPACES = [garden, diary, blog];
const seed = memoryRow({ title: 'Seed', ...bodyFields('Text') });
const leaf = memoryRow({ title: 'Leaf', ...bodyFields('Text'), created: minute(-1) });

const isListed = (server: FakeSyncServer, spaceId: string, memoryId: string) =>
  server.row('space_memory', `${spaceId}/${memoryId}`) !== undefined;

describe('moving a memory', () => {
  it('to a space that the same people read happens at once, by keyboard alone, and comes back', async () => {
    const { screen, server } = await stageDashboard(
      (fill) => {
        fill.put('memory', seed);
        fill.put('space', ...SPACES);
      },
      { path: `?memory=${seed.id}` },
    );
    const viewer = screen.getByRole('dialog', { name: 'Seed' });
    await expect.element(viewer).toBeVisible();
    await userEvent.keyboard('{Shift>}M{/Shift}');
    const field = screen.getByRole('combobox', { name: 'Spaces' });
    await expect.element(field).toHaveFocus();
    await expect.element(screen.getByRole('option', { name: /^No space/, selected: true })).toBeVisible();
    await userEvent.keyboard('gard{Enter}');
    await expect.element(screen.getByText('Memory moved to Garden')).toBeVisible();
    await expect.element(field).not.toBeInTheDocument();
    await expect.element(viewer.getByRole('link', { name: 'Garden , lives here' })).toBeVisible();
    await waitFor(() => {
      expect(server.row('memory', seed.id)?.spaceId).toBe(garden.id);
      expect(isListed(server, garden.id, seed.id)).toBe(true);
    });
    await userEvent.keyboard('{Control>}z{/Control}');
    await waitFor(() => {
      expect(server.row('memory', seed.id)?.spaceId).toBeNull();
      expect(isListed(server, garden.id, seed.id)).toBe(false);
    });
  });

  it('asks for confirmation and shows who can see it afterwards, when that changes', async () => {
    const { screen, server } = await stageDashboard(
      (fill) => {
        fill.put('memory', seed);
        fill.put('space', ...SPACES);
        fill.put('workspace_member', memberRow({ userId: newId('user'), forename: 'Bob' }));
      },
      { path: `?memory=${seed.id}` },
    );
    await expect.element(screen.getByRole('dialog', { name: 'Seed' })).toBeVisible();
    await userEvent.keyboard('{Shift>}M{/Shift}');
    await expect.element(screen.getByRole('combobox', { name: 'Spaces' })).toHaveFocus();
    await userEvent.keyboard('blog{Enter}');
    const publishing = screen.getByRole('dialog', { name: 'Move to Blog?' });
    await expect
      .element(publishing.getByText(/^Afterwards anyone can find and see it on the web/))
      .toBeVisible();
    await publishing.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(publishing).not.toBeInTheDocument();
    await userEvent.keyboard('{Shift>}M{/Shift}');
    await expect.element(screen.getByRole('combobox', { name: 'Spaces' })).toHaveFocus();
    await userEvent.keyboard('dia{Enter}');
    const hiding = screen.getByRole('dialog', { name: 'Move to Diary?' });
    await expect
      .element(hiding.getByText(/^Afterwards only you can see it\. Members who keep it in a private space/))
      .toBeVisible();
    expect(server.row('memory', seed.id)?.spaceId).toBeNull();
    await hiding.getByRole('button', { name: 'Move' }).click();
    await expect.element(screen.getByText('Memory moved to Diary')).toBeVisible();
    await waitFor(() => expect(server.row('memory', seed.id)?.spaceId).toBe(diary.id));
    expect(isListed(server, blog.id, seed.id)).toBe(false);
  });

  it('into a private space shows when others can still see it elsewhere', async () => {
    const { screen } = await stageDashboard(
      (fill) => {
        fill.put('memory', seed);
        fill.put('space', ...SPACES);
        fill.put('space_memory', linkRow(garden.id, seed.id));
      },
      { path: `?memory=${seed.id}` },
    );
    await expect.element(screen.getByRole('dialog', { name: 'Seed' })).toBeVisible();
    await userEvent.keyboard('{Shift>}M{/Shift}');
    await expect.element(screen.getByRole('combobox', { name: 'Spaces' })).toHaveFocus();
    await userEvent.keyboard('dia{Enter}');
    await expect
      .element(screen.getByText('Everyone in this workspace goes on seeing it in Garden.', { exact: true }))
      .toBeVisible();
  });

  it('undone leaves every space as it was', async () => {
    // Home space the diary without being listed there, and is listed in the garden.
    const odd = memoryRow({ title: 'Odd', ...bodyFields('Text'), spaceId: diary.id });
    const { screen, server } = await stageDashboard(
      (fill) => {
        fill.put('memory', odd);
        fill.put('space', ...SPACES);
        fill.put('space_memory', linkRow(garden.id, odd.id));
      },
      { path: `?memory=${odd.id}` },
    );
    await expect.element(screen.getByRole('dialog', { name: 'Odd' })).toBeVisible();
    await userEvent.keyboard('{Shift>}M{/Shift}');
    await expect.element(screen.getByRole('combobox', { name: 'Spaces' })).toHaveFocus();
    await userEvent.keyboard('gard{Enter}');
    await expect.element(screen.getByText('Memory moved to Garden')).toBeVisible();
    await waitFor(() => expect(server.row('memory', odd.id)?.spaceId).toBe(garden.id));
    await userEvent.keyboard('{Control>}z{/Control}');
    await waitFor(() => {
      expect(server.row('memory', odd.id)?.spaceId).toBe(diary.id);
      expect(isListed(server, garden.id, odd.id)).toBe(true);
      expect(isListed(server, diary.id, odd.id)).toBe(false);
    });
  });

  it('moves several selected ones, shows how many change readers, and undoes all of it', async () => {
    const { screen, server } = await stageDashboard((fill) => {
      fill.put('memory', seed, { ...leaf, spaceId: diary.id });
      fill.put('space', ...SPACES);
      fill.put('space_memory', linkRow(diary.id, leaf.id));
    });
    await expect.element(screen.getByRole('link', { name: 'Seed' })).toBeVisible();
    await userEvent.keyboard('jxjx');
    const bar = screen.getByRole('toolbar', { name: 'Selected memories' });
    await bar.getByRole('button', { name: 'Move to' }).click();
    await expect
      .element(screen.getByRole('dialog', { name: 'Move to' }).getByText('For 2 memories'))
      .toBeVisible();
    await userEvent.keyboard('gard{Enter}');
    const question = screen.getByRole('dialog', { name: 'Move to Garden?' });
    await expect
      .element(question.getByText('1 of 2: afterwards everyone in this workspace can see it.'))
      .toBeVisible();
    await question.getByRole('button', { name: 'Move' }).click();
    await expect.element(screen.getByText('2 memories moved to Garden')).toBeVisible();
    await waitFor(() => {
      for (const { id } of [seed, leaf]) expect(isListed(server, garden.id, id)).toBe(true);
      expect(isListed(server, diary.id, leaf.id)).toBe(false);
    });
    await screen.getByRole('button', { name: 'Undo' }).click();
    await waitFor(() => {
      expect(server.row('memory', leaf.id)?.spaceId).toBe(diary.id);
      expect(isListed(server, diary.id, leaf.id)).toBe(true);
      expect(isListed(server, garden.id, seed.id)).toBe(false);
    });
  });

  it('is offered for nothing that is not one’s own, and leads to no space one may not write to', async () => {
    const other = newId('user');
    const theirs = memoryRow({ title: 'Theirs', ownerId: other });
    const { screen } = await stageDashboard(
      (fill) => {
        fill.put('memory', theirs, seed);
        fill.put('space', ...SPACES, spaceRow({ name: 'Shut', visibility: 'custom', ownerId: other }));
      },
      { position: 'member' },
    );
    await screen.getByRole('link', { name: 'Theirs' }).click({ button: 'right' });
    await expect.element(screen.getByRole('menuitem', { name: /^Add to space/ })).toBeVisible();
    expect(screen.getByRole('menuitem', { name: /^Move to/ }).elements()).toEqual([]);
    await userEvent.keyboard('{Escape}');
    await screen.getByRole('link', { name: 'Seed' }).click({ button: 'right' });
    await screen.getByRole('menuitem', { name: /^Move to/ }).click();
    await expect.element(screen.getByRole('option', { name: /^Garden/ })).toBeVisible();
    expect(screen.getByRole('option', { name: /^Shut/ }).elements()).toEqual([]);
  });
});
