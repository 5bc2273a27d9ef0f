/**
 * Every page of the table with the server process dead, on a device that opened nothing but one home page: each
 * opens something honest that says what is missing; nothing is blank, and nothing waits for ever.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { newId } from '#shared/ids.ts';
import type { PageName } from '#shared/pages.ts';
import { joinServer, sitDown, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { fillPlace, type SharedPlace } from '../support/shared-place.ts';
import { isApplicationKept, keptPaths } from './support/kept-pages.ts';
import { expect, test } from './support/stories.ts';

test.use({ serviceWorkers: 'allow' });

const ROOT = path.resolve(import.meta.dirname, '../..');

interface Visit {
  address: string;
  /** All of it is seen. */
  shows: (page: Page) => readonly Locator[];
}

const title = (name: string | RegExp) => (page: Page) => [page.getByRole('heading', { level: 1, name })];
const words =
  (...texts: (string | RegExp)[]) =>
  (page: Page) =>
    texts.map((text) => page.getByText(text).first());
const home = (page: Page) => [
  page.getByRole('list', { name: 'Home' }).getByRole('link', { name: 'Ripe pears' }),
];
const NOT_HERE = words(
  'Not on this device',
  /^You are offline, and this page has not been opened on this device/,
);

/** A page for each row of the table, as a signed-in person sees it. */
function visits({ slug }: Person, place: SharedPlace, threadId: string): Record<PageName, Visit | null> {
  return {
    home: { address: '/', shows: title('A place for everything you know') },
    login: { address: '/login', shows: home },
    signup: { address: '/signup', shows: home },
    reset_password: { address: '/reset-password', shows: title('This link no longer works') },
    forgot_password: { address: '/forgot-password', shows: title('Forgot your password?') },
    impersonate: { address: '/imp?code=x', shows: home },
    staff: { address: '/admin', shows: words('Could not load this page.') },
    // What carries a one-time code is never answered by the worker.
    github_callback: null,
    google_callback: null,
    oauth_consent: {
      address: '/oauth/authorize?client_id=x',
      shows: words('Connect an app', /^Could not check the request\./),
    },
    onboarding: { address: '/onboarding', shows: home },
    onboarding_profile: { address: '/onboarding/profile', shows: home },
    verify_email: { address: '/onboarding/verify-email', shows: title('Confirm your e-mail address') },
    create_workspace: {
      address: '/onboarding/create-workspace',
      shows: words('Create a workspace', /^The server cannot be reached\. Workspaces are made/),
    },
    accept_invite: { address: '/onboarding/invite', shows: title('This invitation cannot be opened') },
    explore: { address: '/explore', shows: words('Explore', /^Could not load public spaces/) },
    pricing: { address: '/pricing', shows: title('Free to run yourself') },
    request_access: { address: '/request-access', shows: title('Request access') },
    offline: { address: '/_offline', shows: title('Not on this device') },
    blog: { address: '/blog', shows: title('Notes from the workshop') },
    blog_post: { address: '/blog/why-local-first', shows: title('Why local-first') },
    docs: { address: '/docs', shows: title('Start here') },
    docs_page: { address: '/docs/offline-and-sync', shows: title('Offline and sync') },
    public_workspace: { address: place.workspace, shows: NOT_HERE },
    public_space: { address: place.space, shows: NOT_HERE },
    public_memory: { address: place.memory, shows: NOT_HERE },
    public_thread: { address: place.thread, shows: NOT_HERE },
    confirm_news: {
      address: '/_news',
      shows: (page) => [page.getByRole('heading', { name: 'Product updates' })],
    },
    unsubscribe: { address: '/_unsubscribe/workspace.x', shows: title('Turn e-mails off?') },
    share_target: {
      address: '/_share?text=From%20elsewhere',
      shows: (page) => [page.getByRole('dialog').getByRole('textbox').and(page.getByText('From elsewhere'))],
    },
    workspace_home: { address: `/${slug}`, shows: home },
    capsule: { address: `/${slug}/capsule`, shows: title('Capsule') },
    tags: { address: `/${slug}/tags`, shows: title('Tags') },
    settings: {
      address: `/${slug}/settings`,
      shows: words('Available when you are online.'),
    },
    settings_account: {
      address: `/${slug}/settings/account`,
      shows: words('Could not load your sessions.', /^You are offline\. Your account can be changed/),
    },
    settings_usage: {
      address: `/${slug}/settings/usage`,
      shows: words('Usage is unavailable offline'),
    },
    settings_members: {
      address: `/${slug}/settings/members`,
      shows: words('1 member', 'E-mail addresses are shown when you are online.'),
    },
    settings_shares: {
      address: `/${slug}/settings/shares`,
      shows: words('Spaces and threads that others share with you by name appear here.'),
    },
    settings_api_keys: {
      address: `/${slug}/settings/api-keys`,
      shows: words('Could not load the API keys.'),
    },
    settings_api_keys_new: {
      address: `/${slug}/settings/api-keys/new`,
      shows: words('Could not load the API keys.'),
    },
    settings_apps: {
      address: `/${slug}/settings/apps`,
      shows: words('Could not load your connected apps.'),
    },
    settings_webhooks: {
      address: `/${slug}/settings/webhooks`,
      shows: words('Could not load the webhooks.', 'Could not load the OAuth clients.'),
    },
    settings_keyboard: { address: `/${slug}/settings/keyboard`, shows: words('Enter sends a message') },
    settings_import: {
      address: `/${slug}/settings/import`,
      shows: words('Could not load your feeds.', 'Everything you can read here in one zip'),
    },
    settings_audit: {
      address: `/${slug}/settings/audit`,
      shows: words('Could not load the audit log.'),
    },
    settings_notifications: {
      address: `/${slug}/settings/notifications`,
      shows: words('Could not load your notification settings.'),
    },
    threads: { address: `/${slug}/threads`, shows: words('A talk elsewhere') },
    thread_new: {
      address: `/${slug}/threads/new`,
      shows: (page) => [page.getByRole('textbox', { name: 'First message' })],
    },
    thread: {
      address: `/${slug}/threads/${threadId}`,
      shows: words('Water at noon', 'You are offline. Messages are saved on this device and sent in order.'),
    },
    spaces: { address: `/${slug}/spaces`, shows: words('Orchard') },
    space: {
      address: `/${slug}/spaces/orchard`,
      shows: (page) => [
        page.getByRole('list', { name: 'Memories in Orchard' }).getByRole('link', { name: 'Ripe pears' }),
      ],
    },
  };
}

/** Things of the workspace that came into being elsewhere, or never did: it cannot be known now. */
function unknowns({ slug }: Person): Record<string, Visit> {
  return {
    'a thread': {
      address: `/${slug}/threads/${newId('thread')}`,
      shows: words('This thread is not on this device'),
    },
    'a space': { address: `/${slug}/spaces/somewhere`, shows: words('This space is not on this device') },
    'a memory': { address: `/${slug}?memory=${newId('memory')}`, shows: words('Not on this device yet') },
    'a workspace': { address: '/joined-elsewhere', shows: NOT_HERE },
  };
}

/** Until the application and all documents are on the device; the worker fetches documents at leisure. */
async function expectEverythingKept(page: Page): Promise<void> {
  const documents: string[] = JSON.parse(
    readFileSync(path.join(ROOT, 'dist/client/offline-pages.json'), 'utf8'),
  );
  expect(documents.length).toBeGreaterThan(10);
  const missing = async () => {
    const kept = await keptPaths(page, 'content');
    return documents.filter((file) => !kept.includes(file.replace(/\?.*/, '')));
  };
  await expect.poll(missing).toEqual([]);
}

async function expectHonest(page: Page, url: string, name: string, visit: Visit): Promise<void> {
  await page.goto(url + visit.address);
  for (const sight of visit.shows(page)) await expect(sight, name).toBeVisible();
  await expect(page.locator('[aria-busy="true"]'), name).toHaveCount(0);
  await expect(page.getByText('Internal error'), name).toHaveCount(0);
}

test('each page of the table opens without its server and says what is missing @long', async ({
  context,
  page,
  ownServer,
}) => {
  const { url } = ownServer;
  const place = await fillPlace(takePerson(ownServer), 2);
  // People who are taken have proven their address; the page for that would lead them on.
  const pia = await joinServer(url, 'pia');
  const { api, workspaceId } = pia;
  const [spaceId, threadId] = [newId('space'), newId('thread')];
  await api('space.create', { body: { id: spaceId, workspaceId, name: 'Orchard', slug: 'orchard' } });
  await api('memory.create', {
    body: { workspaceId, spaceId, title: 'Ripe pears', notes: 'In September.' },
  });
  await api('thread.create', { body: { id: threadId, workspaceId, name: 'A talk elsewhere' } });
  await api('message.create', { params: { workspaceId, threadId }, body: { content: 'Water at noon' } });
  await sitDown(context, url, pia);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));

  await page.goto(`${url}/${pia.slug}`);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await expectEverythingKept(page);
  await expect.poll(() => isApplicationKept(page)).toBe(true);
  await ownServer.kill();

  for (const [name, visit] of Object.entries({ ...visits(pia, place, threadId), ...unknowns(pia) }))
    if (visit) await test.step(name, () => expectHonest(page, url, name, visit));
  expect(problems).toEqual([]);

  // And one goes on working: by links, by search, by writing.
  await page.goto(`${url}/${pia.slug}/spaces`);
  await page.getByRole('link', { name: 'Orchard' }).first().click();
  await expect(page.getByRole('list', { name: 'Memories in Orchard' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search and commands' }).getByRole('combobox').fill('pears');
  await page.getByRole('option', { name: /Ripe pears/ }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('Very ripe pears');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'Very ripe pears' })).toBeVisible();
  await ownServer.start();
  await expect
    .poll(async () => (await api('memory.list', { params: { workspaceId }, query: {} })).result[0]?.title)
    .toBe('Very ripe pears');
});
