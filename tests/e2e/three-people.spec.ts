/**
 * Three people and two programs in one workspace: Ann owns it, Bob joins by mail and is later demoted and removed, Carol
 * is a guest on one space. A key and an app that belong to Bob read along and lose access in the same moment as he does.
 */
import type { Browser, Page } from '@playwright/test';
import { newId } from '#shared/ids.ts';
import { apiAt, listMemories, sitDown, STORY_PASSWORD, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { startClientApp } from './support/client-app.ts';
import { linkIn, mailTo } from './support/outbox.ts';
import { expect, test } from './support/stories.ts';
import { addAuthenticator } from './support/virtual-authenticator.ts';

interface Program {
  name: string;
  credential: string;
}

interface Saved {
  notes: string | null;
}

const textsOf = (memories: readonly Saved[]): string[] => memories.map(({ notes }) => notes ?? '').sort();

/** What a program gets when it lists the memories of the workspace. */
interface Reading {
  name: string;
  status: number;
  texts: string[];
}

async function read(url: string, workspaceId: string, { name, credential }: Program): Promise<Reading> {
  const response = await fetch(`${url}/v1/memories/${workspaceId}?perPage=100`, {
    headers: { authorization: `Bearer ${credential}` },
  });
  const { result = [] }: { result?: Saved[] } = await response.json();
  return { name, status: response.status, texts: textsOf(result) };
}

async function seat(browser: Browser, url: string, person?: Person): Promise<Page> {
  const context = await browser.newContext({ baseURL: url });
  if (person) await sitDown(context, url, person);
  return context.newPage();
}

const captureIn = (page: Page) => page.getByRole('textbox', { name: 'Save a memory' });
const memory = (page: Page, text: string) => page.getByRole('link', { name: text });
const sync = (page: Page, state: RegExp) => page.getByRole('button', { name: state });
const member = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: name });

async function save(page: Page, text: string): Promise<void> {
  await captureIn(page).fill(text);
  await captureIn(page).press('Control+Enter');
  await expect(memory(page, text)).toBeVisible();
}

async function openActions(page: Page, name: string): Promise<void> {
  await member(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click();
}

/** Ann shares the space with the workspace and one guest, who may add to it. */
async function shareWithGuest(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const withGuests = page.getByRole('radio', { name: /^Workspace and guests/ });
  await withGuests.click();
  await expect(withGuests).toBeChecked();
  await page.getByLabel('E-mail of a guest').fill(email);
  await page.getByLabel('What the guest can do').selectOption({ label: 'Can add and edit' });
  await page.getByRole('button', { name: 'Add guest' }).click();
  await expect(page.getByRole('list', { name: 'People with access' }).getByText(email)).toBeVisible();
  await page.keyboard.press('Escape');
}

/** Bob signs up by the link of his invitation, which also proves his address. */
async function acceptByMail(page: Page, link: string, { name, home }: { name: string; home: string }) {
  await page.goto(link);
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await page.getByLabel('First name').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(home);
}

/** Bob adds a passkey, ends the session and comes back with nothing but the passkey. */
async function returnWithPasskey(page: Page, home: string): Promise<void> {
  await addAuthenticator(page);
  await page.goto(`${home}/settings/account`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Passkey added', { exact: true })).toBeVisible();
  await page.goto(home);
  await expect(sync(page, /^Sync: Synced/)).toBeVisible();
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login/);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(home);
}

test('three people work together while a key and an app read along, until one of them is removed', async ({
  browser,
  server,
}) => {
  const { url } = server;
  const suffix = newId('user').slice(-6);
  const [ann, carol] = [takePerson(server), takePerson(server)];
  const { workspaceId } = ann;
  const bob = { name: `Bob${suffix}`, email: `bob${suffix}@example.org` };
  const home = `${url}/${ann.slug}`;
  const { result: harbour } = await ann.api('space.create', { body: { workspaceId, name: 'Harbour' } });
  await ann.api('memory.create', { body: { workspaceId, notes: 'Wages of the crew' } });
  await ann.api('memory.create', {
    body: { workspaceId, notes: 'Crane on the north quay', spaceId: harbour.id },
  });
  const before = ['Crane on the north quay', 'Wages of the crew'];
  const after = [...before, 'Depth at the pier'];

  // Ann invites Bob as an admin, and shares one space with Carol.
  const annsPage = await seat(browser, url, ann);
  await annsPage.goto(`/${ann.slug}/settings/members`);
  await annsPage.getByLabel('E-mail').fill(bob.email);
  await annsPage.getByLabel('Position').selectOption({ label: 'Admin' });
  await annsPage.getByRole('button', { name: 'Send invitation', exact: true }).click();
  const invitation = await mailTo(url, bob.email, `${ann.name} invited you to Notes of ${ann.name}`);
  await annsPage.goto(`/${ann.slug}/spaces/${harbour.slug}`);
  await shareWithGuest(annsPage, carol.email);

  const bobsPage = await seat(browser, url);
  await acceptByMail(bobsPage, linkIn(invitation), { name: bob.name, home });
  await returnWithPasskey(bobsPage, home);

  // Bob makes a key for a script and connects an app; both see what he sees.
  const session = await apiAt(url)('auth.login', { body: { email: bob.email, password: STORY_PASSWORD } });
  const bobsApi = apiAt(url, session.result.token);
  const { result: key } = await bobsApi('api_key.create', {
    body: { workspaceId, name: 'Script', scopes: ['memories:read'] },
  });
  const app = await startClientApp(url, 'Paper Reader');
  const consentPage = await bobsPage.context().newPage();
  await consentPage.goto(await app.begin('openid memories:read'));
  await consentPage.getByRole('button', { name: 'Allow access' }).click();
  await expect(consentPage.getByRole('heading', { name: 'Back in Paper Reader' })).toBeVisible();
  const outcome = await app.outcome();
  if (!('tokens' in outcome)) throw new Error(`refused: ${outcome.refused}`);
  await consentPage.close();
  const programs: Program[] = [
    { name: 'key', credential: key.secret },
    { name: 'app', credential: outcome.tokens.access_token },
  ];
  const readAll = () => Promise.all(programs.map((program) => read(url, workspaceId, program)));
  const expectReading = async (texts: string[]) => {
    const all = programs.map(({ name }) => ({ name, status: 200, texts: [...texts].sort() }));
    expect(await readAll()).toEqual(all);
  };
  await expectReading(before);

  // Carol opens the space by the link of her mail and adds to it without a network; Bob and the programs see it after.
  const carolsPage = await seat(browser, url, carol);
  const shared = await mailTo(url, carol.email, `${ann.name} shared a space with you`);
  await carolsPage.goto(linkIn(shared));
  await expect(carolsPage.getByText(`You are a guest in Notes of ${ann.name}.`)).toBeVisible();
  await expect(memory(carolsPage, 'Crane on the north quay')).toBeVisible();
  await carolsPage.getByRole('button', { name: 'Save a memory' }).click();
  const capture = carolsPage.getByRole('dialog').getByRole('textbox', { name: 'Save a memory' });
  await expect(capture).toBeFocused();
  await carolsPage.context().setOffline(true);
  await capture.fill('Depth at the pier');
  await capture.press('Control+Enter');
  await expect(memory(carolsPage, 'Depth at the pier')).toBeVisible();
  await expectReading(before);
  await carolsPage.context().setOffline(false);
  await expect(memory(bobsPage, 'Depth at the pier')).toBeVisible();
  await expect(memory(annsPage, 'Depth at the pier')).toBeVisible();
  await expectReading(after);
  expect(textsOf(await listMemories({ ...carol, workspaceId }))).toEqual([
    'Crane on the north quay',
    'Depth at the pier',
  ]);

  // Ann makes Bob a member: he may no longer invite, which his screen shows at once, and the programs read on.
  await bobsPage.goto(`${home}/settings/members`);
  await expect(bobsPage.getByRole('button', { name: 'Send invitation', exact: true })).toBeVisible();
  await annsPage.goto(`/${ann.slug}/settings/members`);
  await openActions(annsPage, bob.name);
  await annsPage.getByRole('menuitemradio', { name: 'Member' }).click();
  await annsPage.keyboard.press('Escape');
  await expect(bobsPage.getByRole('button', { name: 'Send invitation', exact: true })).toHaveCount(0);
  await expect(
    bobsApi('invite.create', { body: { workspaceId, email: 'dan@example.org', position: 'member' } }),
  ).rejects.toMatchObject({ status: 403 });
  await expectReading(after);

  // Bob works without a network, and meanwhile Ann removes him: key, app and session end with the same answer.
  await bobsPage.goto(home);
  await expect(sync(bobsPage, /^Sync: Synced/)).toBeVisible();
  await bobsPage.context().setOffline(true);
  await save(bobsPage, 'Berths for the winter');
  await expect(sync(bobsPage, /^Sync: Offline, 1 waiting/)).toBeVisible();
  await openActions(annsPage, bob.name);
  await annsPage.getByRole('menuitem', { name: 'Remove from workspace…' }).click();
  const removed = annsPage.waitForResponse(
    (response) =>
      response.request().method() === 'DELETE' &&
      response.url().includes(`/workspace_members/${workspaceId}/`),
  );
  await annsPage.getByRole('button', { name: 'Remove member' }).click();
  expect((await removed).status()).toBe(200);
  expect((await readAll()).map(({ name, status, texts }) => [name, status, texts])).toEqual([
    ['key', 401, []],
    ['app', 401, []],
  ]);
  await expect(bobsApi('memory.list', { params: { workspaceId } })).rejects.toMatchObject({ status: 403 });
  await expect(member(annsPage, bob.name)).toHaveCount(0);

  // Back online, Bob is told, and what he wrote is kept for him and has reached no other person.
  await bobsPage.context().setOffline(false);
  await expect(
    bobsPage.getByRole('heading', { name: `You no longer have access to Notes of ${ann.name}.` }),
  ).toBeVisible();
  await expect(
    bobsPage.getByRole('region', { name: '1 change not saved' }).getByText('Berths for the winter'),
  ).toBeVisible();
  expect(textsOf(await listMemories(ann))).toEqual([...after].sort());

  // The guest is not touched by it, until her own access is taken back.
  await expect(memory(carolsPage, 'Depth at the pier')).toBeVisible();
  await annsPage.goto(`/${ann.slug}/spaces/${harbour.slug}`);
  await annsPage.getByRole('button', { name: 'Share', exact: true }).click();
  await annsPage.getByRole('button', { name: `Remove ${carol.email}` }).click();
  await expect(
    carolsPage.getByRole('heading', { name: `You no longer have access to Notes of ${ann.name}.` }),
  ).toBeVisible();

  await app.close();
  for (const page of [annsPage, bobsPage, carolsPage]) await page.context().close();
});
