/** The page of webhooks: who sees it, its states in words, and a log that follows what is on its way. */
import { afterEach, expect, it, vi } from 'vitest';
import type { Webhook, WebhookDelivery } from '#shared/webhooks/webhook.ts';
import { newId } from '#shared/ids.ts';
import { DevelopersPage } from '#client/workspaces/developers-page.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { USER, WORKSPACE } from '#tests/support/replica-rows.ts';

afterEach(() => {
  vi.restoreAllMocks();
  document.documentElement.classList.remove('dark');
});

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

function hook(fields: Partial<Webhook>): Webhook {
  return {
    id: newId('webhook'),
    workspaceId: WORKSPACE,
    ownerId: USER,
    url: 'https://receiver.example/hook',
    description: null,
    events: [],
    enabled: true,
    disabledReason: null,
    failingSince: null,
    created: ago(50),
    updated: ago(50),
    ...fields,
  };
}

function sent(webhookId: Webhook['id'], fields: Partial<WebhookDelivery>): WebhookDelivery {
  return {
    id: newId('webhook_delivery'),
    webhookId,
    event: 'memory.updated',
    status: 'delivered',
    attempts: 1,
    httpStatus: 204,
    error: null,
    nextAt: null,
    created: ago(2),
    updated: ago(2),
    ...fields,
  };
}

/** A server with these webhooks and deliveries; the result lists what was asked of it. */
function serve(webhooks: readonly Webhook[], deliveries: () => readonly WebhookDelivery[]) {
  const asked: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const path = input instanceof Request ? input.url : String(input);
    asked.push(`${init?.method ?? 'GET'} ${path}`);
    const lists = path.includes('/oauth_clients/') ? [] : webhooks;
    const result = path.includes('/deliveries') ? deliveries() : lists;
    return Promise.resolve(Response.json({ success: true, result, meta: { total: result.length } }));
  });
  return asked;
}

const stage = (position: 'owner' | 'admin' | 'member') =>
  stageDashboard(() => undefined, {
    path: '/settings/webhooks',
    position,
    pages: [{ path: 'settings/webhooks', Component: DevelopersPage }],
  });

it('does not exist for members', async () => {
  serve([], () => []);
  const { screen } = await stage('member');
  await expect.element(screen.getByText('Page not found')).toBeVisible();
  await expect.element(screen.getByRole('link', { name: 'Developers' })).not.toBeInTheDocument();
});

it('says in words what is active, failing or disabled, and why', async () => {
  const events: Webhook['events'] = ['memory.created', 'memory.deleted'];
  serve(
    [
      hook({ url: 'https://one.example/a' }),
      hook({ url: 'https://two.example/b', failingSince: ago(3), events }),
      hook({
        url: 'https://three.example/c',
        enabled: false,
        disabledReason: 'The receiver answered 410 Gone',
      }),
    ],
    () => [],
  );
  const { screen } = await stage('admin');
  const rows = screen.getByRole('list', { name: 'Webhooks' }).getByRole('listitem');
  await expect.element(rows.nth(0)).toMatchTextContent(/ActiveAll events · sends what you can see/);
  await expect.element(rows.nth(1)).toMatchTextContent(/First failed delivery: 3 hours ago.*2 events/);
  await expect.element(rows.nth(2)).toMatchTextContent(/DisabledThe receiver answered 410 Gone\./);
  expect(await accessibilityFaults()).toEqual([]);
  document.documentElement.classList.add('dark');
  expect(await accessibilityFaults()).toEqual([]);
});

it('reads the log again while a delivery is on its way, and sends a failed one again', async () => {
  const webhook = hook({});
  let log = [sent(webhook.id, { status: 'pending', attempts: 0, httpStatus: null })];
  const asked = serve([webhook], () => log);
  const { screen } = await stage('owner');
  await screen.getByRole('button', { name: 'Deliveries to receiver.example' }).click();
  await expect.element(screen.getByText('Not sent yet')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: /^Send again/ })).not.toBeInTheDocument();
  log = [
    sent(webhook.id, { status: 'failed', httpStatus: null, error: 'The host was not found', attempts: 10 }),
  ];
  await expect.element(screen.getByText('10 attempts · The host was not found')).toBeVisible();
  await screen.getByRole('button', { name: /^Send again/ }).click();
  await expect.poll(() => asked.some((call) => /^POST .*\/replay$/.test(call))).toBe(true);
});
