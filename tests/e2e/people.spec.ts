/** Three people: an owner invites two by mail, they join, work together, one is demoted and then removed. */
import type { Browser, Page } from '@playwright/test';
import { newId } from '#shared/ids.ts';
import { apiAt, listMemories, sitDown, STORY_PASSWORD, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { lookAt } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

interface SentMail {
  to: string;
  subject: string;
  text: string;
}

async function mailsTo({ url }: ServerProcess, address: string): Promise<SentMail[]> {
  const mails: SentMail[] = await (await fetch(`${url}/_outbox.json`)).json();
  return mails.filter(({ to }) => to === address);
}

/** The newest match in the mails to an address, once it is there. */
async function inMail(server: ServerProcess, address: string, pattern: RegExp): Promise<string> {
  let found = '';
  await expect
    .poll(async () => {
      for (const { text } of await mailsTo(server, address)) found ||= pattern.exec(text)?.[0] ?? '';
      return found;
    })
    .not.toBe('');
  return found;
}

/** Path, query and fragment of an invitation's link; the server's own origin may differ from the one it runs at. */
async function inviteLink(server: ServerProcess, address: string): Promise<string> {
  const url = new URL(await inMail(server, address, /http\S+\?invite=\S+/));
  return `${server.url}${url.pathname}${url.search}${url.hash}`;
}

/** A browser profile; that of a person has the application open already. */
async function seat(
  browser: Browser,
  server: ServerProcess,
  person?: Pick<Person, 'token' | 'slug'>,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  if (person) await open(page, server, person);
  return page;
}

async function open(
  page: Page,
  server: ServerProcess,
  person: Pick<Person, 'token' | 'slug'>,
): Promise<void> {
  await sitDown(page.context(), server.url, person);
  await page.goto(`/${person.slug}`);
  await expect(page.getByRole('textbox', { name: 'Save a memory' })).toBeVisible();
}

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: name });

async function sendInvite(page: Page, email: string, position: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Position').selectOption({ label: position });
  await page.getByRole('button', { name: 'Send invitation', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Open invitations' }).getByText(email)).toBeVisible();
}

async function save(page: Page, text: string): Promise<void> {
  const capture = page.getByRole('textbox', { name: 'Save a memory' });
  await capture.fill(text);
  await capture.press('Control+Enter');
  await expect(page.getByRole('link', { name: text })).toBeVisible();
}

test('invite, accept by mail, work, demotion, removal', async ({ browser, server }) => {
  const suffix = newId('user').slice(-6);
  const [ann, bob] = [takePerson(server), takePerson(server)];
  const carolsAddress = `carol${suffix}@example.org`;
  const workspace = `Notes of ${ann.name}`;
  const annsPage = await seat(browser, server, ann);
  const members = `/${ann.slug}/settings/members`;
  await annsPage.goto(members);
  await expect(annsPage.getByText('You are the only owner.')).toBeVisible();
  await sendInvite(annsPage, bob.email, 'Admin');
  await sendInvite(annsPage, carolsAddress, 'Member');

  // Who is a member already cannot be invited again; the form says so and keeps what was typed.
  await annsPage.getByLabel('E-mail').fill(ann.email);
  await annsPage.getByRole('button', { name: 'Send invitation', exact: true }).click();
  await expect(annsPage.getByText('This person is a member of the workspace')).toBeVisible();
  await annsPage.getByLabel('E-mail').fill('');

  // Bob has an account and is signed in: the link leads straight to the invitation.
  const bobsPage = await seat(browser, server, bob);
  await bobsPage.goto(await inviteLink(server, bob.email));
  await expect(bobsPage.getByRole('heading', { name: `Join ${workspace}` })).toBeVisible();
  expect(bobsPage.url()).not.toContain('token');
  await bobsPage.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(bobsPage).toHaveURL(`${server.url}/${ann.slug}`);
  await expect(row(annsPage, bob.name)).toContainText('Admin');
  await expect(row(annsPage, bob.name)).toContainText(bob.email);
  await expect(annsPage.getByText('1 open invitation', { exact: true })).toBeVisible();

  // Carol signs up by the link, which confirms her address, and is asked for her name before she goes on.
  const carolsPage = await seat(browser, server);
  await carolsPage.goto(await inviteLink(server, carolsAddress));
  await expect(carolsPage.getByLabel('E-mail')).toHaveValue(carolsAddress);
  await carolsPage.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await carolsPage.getByRole('button', { name: 'Sign up' }).click();
  await carolsPage.getByRole('button', { name: 'Accept invitation' }).click();
  await carolsPage.getByLabel('First name').fill(`Carol${suffix}`);
  await carolsPage.getByRole('button', { name: 'Continue' }).click();
  await expect(carolsPage).toHaveURL(`${server.url}/${ann.slug}`);
  await save(carolsPage, 'Tide table for the north quay');
  await expect(row(annsPage, `Carol${suffix}`)).toContainText('Member');
  await expect(annsPage.getByRole('list', { name: 'Open invitations' })).toHaveCount(0);
  const carol = await apiAt(server.url)('auth.login', {
    body: { email: carolsAddress, password: STORY_PASSWORD },
  });
  expect(carol.result.user.emailVerified).toBe(true);

  // Her work is on the other screens.
  await bobsPage.goto(`/${ann.slug}`);
  await expect(bobsPage.getByRole('link', { name: 'Tide table for the north quay' })).toBeVisible();

  // Bob, an admin, makes her read-only, and sees nothing to change about Ann. Her screen follows while it is open.
  await bobsPage.goto(members);
  await expect(row(bobsPage, ann.name)).toContainText('Owner');
  await expect(row(bobsPage, ann.name).getByRole('button')).toHaveCount(0);
  await row(bobsPage, `Carol${suffix}`)
    .getByRole('button', { name: `Actions for Carol${suffix}` })
    .click();
  await bobsPage.getByRole('menuitemradio', { name: 'Read-only' }).click();
  await bobsPage.keyboard.press('Escape');
  await expect(row(bobsPage, `Carol${suffix}`)).toContainText('Read-only');
  await expect(carolsPage.getByRole('textbox', { name: 'Save a memory' })).toHaveCount(0);
  const refused = apiAt(server.url, carol.result.token)('memory.create', {
    body: { workspaceId: ann.workspaceId, title: 'Too late' },
  });
  await expect(refused).rejects.toThrow('403');

  // Ann removes her. Carol is told, and what she wrote stays.
  await row(annsPage, `Carol${suffix}`)
    .getByRole('button', { name: `Actions for Carol${suffix}` })
    .click();
  await annsPage.getByRole('menuitem', { name: 'Remove from workspace…' }).click();
  await annsPage.getByRole('button', { name: 'Remove member' }).click();
  await expect(row(annsPage, `Carol${suffix}`)).toHaveCount(0);
  const ended = carolsPage.getByRole('heading', { name: `You no longer have access to ${workspace}.` });
  await expect(ended).toBeVisible();
  expect((await listMemories(ann)).map(({ notes }) => notes)).toContain('Tide table for the north quay');

  // The ownership passes to Bob, who is told; Ann is an admin and may leave.
  await row(annsPage, bob.name)
    .getByRole('button', { name: `Actions for ${bob.name}` })
    .click();
  await annsPage.getByRole('menuitem', { name: 'Transfer ownership…' }).click();
  await annsPage.getByRole('button', { name: 'Transfer ownership' }).click();
  await expect(row(bobsPage, bob.name)).toContainText('Owner');
  await expect(row(bobsPage, ann.name)).toContainText('Admin');
  await annsPage.getByRole('button', { name: 'Leave workspace' }).click();
  await annsPage.getByRole('alertdialog').getByRole('button', { name: 'Leave workspace' }).click();
  await expect(annsPage).toHaveURL(`${server.url}/onboarding/create-workspace`);
  await expect(row(bobsPage, ann.name)).toHaveCount(0);
  await expect(bobsPage.getByText('You are the only owner.')).toBeVisible();
  for (const page of [annsPage, bobsPage, carolsPage]) await page.context().close();
});

for (const mode of LOOKS) {
  test(`people in ${mode} have no accessibility fault`, LONG_LOOK, async ({ browser, server }) => {
    const suffix = newId('user').slice(-6);
    const [ann, bob, eve] = [takePerson(server), takePerson(server), takePerson(server)];
    const context = await browser.newContext({
      ...windowOf(mode, { width: 390, height: 780 }),
      baseURL: server.url,
    });
    await sitDown(context, server.url, ann);
    const page = await context.newPage();
    await page.goto(`/${ann.slug}/settings/members`);
    await sendInvite(page, eve.email, 'Member');
    await sendInvite(page, `person.with.a.long.address.${suffix}@department.example.org`, 'Read-only');
    await sendInvite(page, bob.email, 'Admin');
    const bobsPage = await browser.newPage({
      ...windowOf(mode, { width: 390, height: 780 }),
      baseURL: server.url,
    });
    await bobsPage.goto(await inviteLink(server, bob.email));
    await expect(bobsPage.getByLabel('E-mail')).toHaveValue(bob.email);
    await lookAt(bobsPage, 'invite-login', mode);
    await open(bobsPage, server, bob);
    await bobsPage.goto(await inviteLink(server, bob.email));
    await expect(bobsPage.getByRole('button', { name: 'Accept invitation' })).toBeVisible();
    await lookAt(bobsPage, 'invite', mode);
    await bobsPage.getByRole('button', { name: 'Decline' }).click();
    await expect(bobsPage.getByRole('alertdialog')).toBeVisible();
    await lookAt(bobsPage, 'invite-decline', mode);
    await bobsPage.keyboard.press('Escape');
    await bobsPage.goto(await inviteLink(server, eve.email));
    await expect(bobsPage.getByText('This invitation was sent to another e-mail address.')).toBeVisible();
    await lookAt(bobsPage, 'invite-refused', mode);
    await bobsPage.goto(await inviteLink(server, bob.email));
    await bobsPage.getByRole('button', { name: 'Accept invitation' }).click();
    await expect(row(page, bob.name)).toContainText('Admin');
    await page.getByRole('button', { name: 'Send invitation', exact: true }).scrollIntoViewIfNeeded();
    await lookAt(page, 'members', mode);
    await page.getByRole('button', { name: `Actions for ${bob.name}` }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await lookAt(page, 'members-menu', mode);
    await page.getByRole('menuitem', { name: 'Remove from workspace…' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await lookAt(page, 'members-remove', mode);
    await bobsPage.context().close();
    await context.close();
  });
}
