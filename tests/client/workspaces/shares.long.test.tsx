/** The page of shares: what is shared with the person and the way out of it, also offline, and what is open beyond members. */
import { afterEach, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { SharesPage } from '#client/workspaces/shares-page.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { minute, USER, WORKSPACE } from '#tests/support/replica-rows.ts';
import { spaceRow } from '#tests/support/rows.ts';

afterEach(() => document.documentElement.classList.remove('dark'));

const place = { workspaceId: WORKSPACE, created: minute(0), updated: minute(0) };

it('leaves a share without a network, and lists what is open beyond the members', async () => {
  const [theirs, internal, own] = [
    spaceRow({ ...place, name: 'Quay plans', slug: 'quay-plans', visibility: 'custom' }),
    spaceRow({ ...place, name: 'House rules', slug: 'house-rules', visibility: 'internal' }),
    spaceRow({ ...place, name: 'Crew only', slug: 'crew-only', ownerId: USER, visibility: 'workspace' }),
  ];
  const { screen, server, replica } = await stageDashboard(
    (staged) => {
      for (const space of [theirs, internal, own]) staged.put('space', space);
      for (const holder of [USER, 'member'] as const)
        staged.put('grant', {
          workspaceId: WORKSPACE,
          resourceId: theirs.id,
          holder,
          userId: holder === USER ? USER : null,
          level: 'write',
          createdBy: newId('user'),
          created: minute(0),
        });
    },
    {
      path: '/settings/shares',
      position: 'member',
      pages: [{ path: 'settings/shares', Component: SharesPage }],
    },
  );
  const shares = screen.getByRole('list', { name: 'Shared with you' });
  await expect.element(shares.getByRole('link', { name: 'Quay plans' })).toBeVisible();
  await expect.element(shares.getByText('You can add and edit')).toBeVisible();
  const open = screen.getByRole('list', { name: 'Open beyond the workspace' });
  await expect.element(open.getByText('Organisation')).toBeVisible();
  expect(open.element().textContent).toContain('House rules');
  expect(open.element().textContent).toContain('Quay plans');
  expect(open.element().textContent).not.toContain('Crew only');
  expect(await accessibilityFaults()).toEqual([]);
  document.documentElement.classList.add('dark');
  expect(await accessibilityFaults()).toEqual([]);
  server.weather.offline = true;
  replica.syncNow();
  await expect.element(screen.getByRole('button', { name: 'Sync: Offline' })).toBeVisible();
  await screen.getByRole('button', { name: 'Leave Quay plans' }).click();
  await screen.getByRole('button', { name: 'Leave space' }).click();
  await expect
    .element(screen.getByText('Spaces and threads that others share with you by name appear here.'))
    .toBeVisible();
  server.weather.offline = false;
  replica.syncNow();
  await expect.poll(() => server.row('grant', `${theirs.id}/${USER}`)).toBeUndefined();
  expect(server.row('grant', `${theirs.id}/member`)?.level).toBe('write');
});
