/** The first steps of a new person: what is listed for whom, what ticks them, and how the list goes away. */
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { newId } from '#shared/ids.ts';
import { stepsFor } from '#client/workspaces/checklist.ts';
import { currentPerson } from '#client/api/session.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { memberRow, memoryRow, spaceRow, threadRow, USER } from '#tests/support/replica-rows.ts';

const NOTHING = { save: false, bring: false, space: false, ask: false, install: false, invite: false };
const UNSENT = 'loci-checklist-closed';

afterEach(async () => {
  document.documentElement.classList.remove('dark');
  localStorage.removeItem(UNSENT);
  await page.viewport(1280, 800);
});

describe('the steps of', () => {
  const namesFor = (position: Parameters<typeof stepsFor>[0]['position'], installable = false) =>
    stepsFor({ userId: USER, position }, NOTHING, installable).map(({ name }) => name);

  it('each position are those that it has the rights for', () => {
    expect(namesFor('owner', true)).toEqual(['save', 'bring', 'space', 'ask', 'install', 'invite']);
    expect(namesFor('owner')).toEqual(['save', 'bring', 'space', 'ask', 'invite']);
    expect(namesFor('admin')).toEqual(namesFor('owner'));
    expect(namesFor('member')).toEqual(['save', 'bring', 'space', 'ask']);
    expect(namesFor('read-only', true), 'one step is no list').toEqual([]);
    expect(namesFor('guest', true)).toEqual([]);
  });
});

/** A new person's home; the list is closed only in the last test, because the page remembers that. */
const stageNew = (...[fill, options]: Parameters<typeof stageDashboard>) =>
  stageDashboard(fill, { ...options, isNew: true });

it('ticks a step when the replica has what it asks for, not for what others or the samples did', async () => {
  const other = newId('user');
  const { screen, server, replica } = await stageNew((staged) => {
    staged.put('memory', memoryRow({ title: 'Of another member', createdBy: other, ownerId: other }));
    staged.put('memory', memoryRow({ title: 'A sample', createdBy: USER, origin: 'system' }));
    staged.put('space', spaceRow({ createdBy: USER, origin: 'unknown' }));
  });
  const fold = screen.getByRole('button', { name: /^First steps/ });
  const steps = screen.getByRole('dialog', { name: 'First steps' });
  await expect.element(fold.getByText('1 of 5 done')).toBeVisible();
  await fold.click();
  await expect.element(steps.getByText('Begin with your notes or a sample')).toHaveClass('line-through');
  expect(await accessibilityFaults()).toEqual([]);
  document.documentElement.classList.add('dark');
  expect(await accessibilityFaults()).toEqual([]);

  await steps.getByRole('button', { name: /^Keep a thought/ }).click();
  const dialog = screen.getByRole('dialog', { name: 'Save a memory' });
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Save a memory' }), 'Low water at six');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(fold.getByText('2 of 5 done')).toBeVisible();

  await fold.click();
  await steps.getByRole('button', { name: /^Group memories/ }).click();
  const made = screen.getByRole('dialog', { name: 'New space' });
  await expect.element(made).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(made).not.toBeInTheDocument();
  server.put('thread', threadRow({}));
  replica.syncNow();
  await expect.element(fold.getByText('3 of 5 done')).toBeVisible();
});

it('is one button that never moves the list, also on a phone', async () => {
  await page.viewport(390, 844);
  const { screen } = await stageNew(() => undefined);
  const fold = screen.getByRole('button', { name: /^First steps/ });
  const steps = screen.getByRole('dialog', { name: 'First steps' });
  await expect.element(fold).toHaveAttribute('aria-expanded', 'false');
  await expect.element(steps).not.toBeInTheDocument();
  await fold.click();
  await expect.element(steps.getByRole('button', { name: /^Get an answer/ })).toBeVisible();
  expect(await accessibilityFaults()).toEqual([]);
});

it('is not shown to a person who can do no more than read', async () => {
  const { screen } = await stageNew(() => undefined, { position: 'read-only' });
  await expect.element(screen.getByText('Nothing saved yet')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: /^First steps/ })).not.toBeInTheDocument();
});

it('goes away when all is done, and closing waits on the device until the server takes it', async () => {
  const { screen, server, replica } = await stageNew((staged) => {
    staged.put('memory', memoryRow({ createdBy: USER }));
    staged.put('memory', memoryRow({ createdBy: USER, origin: 'import' }));
    staged.put('space', spaceRow({ createdBy: USER }));
    staged.put('thread', threadRow({}));
  });
  const steps = screen.getByRole('button', { name: /^First steps/ });
  await expect.element(steps.getByText('4 of 5 done')).toBeVisible();
  server.put('workspace_member', memberRow({ userId: newId('user'), position: 'member' }));
  replica.syncNow();
  await expect.element(steps).not.toBeInTheDocument();
  await expect.element(screen.getByText('You have done all first steps')).toBeVisible();
  // No server takes it here, as on a device without a network.
  expect(currentPerson()?.user.checklistClosedAt).toBeNull();
  expect(localStorage.getItem(UNSENT)).toBe(USER);
});
