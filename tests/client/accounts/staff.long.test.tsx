/** The page of staff: requests for early access are approved and declined, one by one and the oldest together. */
import { afterEach, expect, it, vi } from 'vitest';
import { newId } from '#shared/ids.ts';
import { StaffPage } from '#client/accounts/staff-page.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  document.documentElement.classList.remove('dark');
});

const NOW = new Date().toISOString();
const requestOf = (email: string) => ({
  email,
  created: NOW,
  news: email.startsWith('ann'),
  approvedAt: null,
  declinedAt: null,
  joinedAt: null,
});

const READER = {
  id: newId('oauth_client'),
  identifier: 'https://reader.example/client.json',
  name: 'Paper Reader',
  redirectUris: ['https://reader.example/callback'],
  confidential: false,
  verified: false,
  workspaceId: null,
  lastUsedAt: null,
  created: NOW,
  updated: NOW,
  websiteUrl: null,
};

/** A server with these people waiting; the result lists the decisions that reached it. */
function serve(waiting: string[], { staff = true } = {}) {
  const decisions: string[] = [];
  let apps = [READER];
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const path = input instanceof Request ? input.url : String(input);
    const answer = (result: unknown, total = 0) =>
      Promise.resolve(Response.json({ success: true, result, meta: { total } }));
    if (path.includes('/v1/access_requests/')) {
      const sent = typeof init?.body === 'string' ? init.body : '';
      decisions.push(`${path.split('/').at(-1)} ${sent}`);
      const body: { emails?: string[]; count?: number } = JSON.parse(sent);
      const gone = body.emails ?? waiting.slice(0, body.count);
      for (const email of gone) waiting.splice(waiting.indexOf(email), 1);
      return answer({ approved: gone.length, declined: gone.length });
    }
    if (path.includes('/v1/access_requests'))
      return path.includes('waiting') ? answer(waiting.map(requestOf), waiting.length) : answer([]);
    if (path.includes('/v1/public_clients/')) {
      decisions.push(`${path.split('/').at(-2)} ${typeof init?.body === 'string' ? init.body : ''}`);
      apps = apps.map((app) => ({ ...app, verified: !app.verified }));
      return answer(apps[0]);
    }
    if (path.includes('/v1/public_clients')) return answer(apps, apps.length);
    return path.includes('/v1/reports') ? answer([]) : answer({ staff });
  });
  return decisions;
}

const stage = () =>
  stageDashboard(() => undefined, { path: '/staff', pages: [{ path: 'staff', Component: StaffPage }] });

it('does not exist for other people', async () => {
  serve([], { staff: false });
  const { screen } = await stage();
  await expect.element(screen.getByText('Page not found')).toBeVisible();
});

it('verifies an app for everyone, and takes it back', async () => {
  const decisions = serve([]);
  const { screen } = await stage();
  const row = screen.getByRole('list', { name: 'Apps' }).getByRole('listitem');
  await expect.element(row).toMatchTextContent(/Paper ReaderUnverifiedhttps:.*Sends people to https:/);
  await screen.getByRole('button', { name: 'Verify Paper Reader' }).click();
  await expect.element(row).toMatchTextContent(/Paper ReaderVerified/);
  await screen.getByRole('button', { name: 'Withdraw verification of Paper Reader' }).click();
  await expect.element(row).toMatchTextContent(/Paper ReaderUnverified/);
  expect(decisions).toEqual([true, false].map((verified) => `${READER.id} {"verified":${verified}}`));
});

it('approves one, declines one, and lets the rest in after a question', async () => {
  const decisions = serve(['ann@example.org', 'bert@example.org', 'carl@example.org', 'dora@example.org']);
  const { screen } = await stage();
  const rows = screen.getByRole('list', { name: 'Requests' }).getByRole('listitem');
  await expect.element(rows.nth(0)).toMatchTextContent(/ann@example.orgProduct updatesAsked now/);
  expect(await accessibilityFaults()).toEqual([]);
  document.documentElement.classList.add('dark');
  expect(await accessibilityFaults()).toEqual([]);
  await screen.getByRole('button', { name: 'Approve ann@example.org' }).click();
  await expect.element(screen.getByText('ann@example.org gets a link by mail.').first()).toBeVisible();
  await screen.getByRole('button', { name: 'Decline bert@example.org' }).click();
  await expect.element(screen.getByText('Request declined', { exact: true }).first()).toBeVisible();
  await screen.getByRole('button', { name: 'Approve all' }).click();
  await expect.element(screen.getByText('Let 2 people in?')).toBeVisible();
  await screen.getByRole('button', { name: 'Approve requests' }).click();
  await expect.element(screen.getByText('No one is waiting.')).toBeVisible();
  expect(decisions).toEqual([
    'approve {"emails":["ann@example.org"]}',
    'decline {"emails":["bert@example.org"]}',
    'approve {"count":2}',
  ]);
  await screen.getByRole('radio', { name: 'Declined' }).click();
  await expect.element(screen.getByText('No requests have been declined.')).toBeVisible();
});
