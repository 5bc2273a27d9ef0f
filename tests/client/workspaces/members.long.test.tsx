/** The list of members: addresses come from the server, and a page without a network says why they are missing. */
import { afterEach, expect, it, vi } from 'vitest';
import { MembersPage } from '#client/workspaces/members-page.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { USER } from '#tests/support/replica-rows.ts';

afterEach(() => {
  vi.restoreAllMocks();
  document.documentElement.classList.remove('dark');
});

it('says without a network that addresses come with it, and shows them when it is back', async () => {
  let isReachable = false;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input) => {
    if (!isReachable) return Promise.reject(new TypeError('Failed to fetch'));
    const path = input instanceof Request ? input.url : String(input);
    const result = path.includes('/v1/invites/') ? [] : [{ userId: USER, email: 'ada@example.com' }];
    return Promise.resolve(Response.json({ success: true, result, meta: { total: result.length } }));
  });
  const { screen, server, replica } = await stageDashboard(() => undefined, {
    path: '/settings/members',
    pages: [{ path: 'settings/members', Component: MembersPage }],
  });
  const note = screen.getByText('E-mail addresses are shown when you are online.');
  await expect.element(note).toBeVisible();
  expect(await accessibilityFaults()).toEqual([]);
  document.documentElement.classList.add('dark');
  expect(await accessibilityFaults()).toEqual([]);
  server.weather.offline = true;
  replica.syncNow();
  await expect.element(screen.getByRole('button', { name: 'Sync: Offline' })).toBeVisible();
  isReachable = true;
  server.weather.offline = false;
  replica.syncNow();
  await expect.element(screen.getByText('ada@example.com')).toBeVisible();
  await expect.element(note).not.toBeInTheDocument();
});
