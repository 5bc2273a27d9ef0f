/** What the pictures need and the sample does not have: people, an invitation, a key, an app, a webhook, a report. */
import path from 'node:path';
import { devices, type Browser } from '@playwright/test';
import { createClient } from '#client/api/client.ts';
import { DEMO } from '#server/seed.ts';
import type { MailKind } from '#server/providers/mail-kinds.ts';
import type { OutboxMail } from '#server/providers/outbox.ts';
import { startClientApp, type ClientApp } from '../e2e/support/client-app.ts';
import { MAIL_STAFF, sendEveryMail } from '../support/every-mail.ts';
import { inviteIn } from '../support/mail-secrets.ts';
import {
  apiAt,
  joinServer,
  proveAddress,
  sitDown,
  STORY_PASSWORD,
  uploadArchive,
  waitForMail,
  type Person,
} from '../support/person.ts';
import { filesBelow, zipOf, type ZipEntry } from '../support/zip.ts';
import type { Places, Viewer } from './screen.ts';

const NOTES = path.resolve(import.meta.dirname, '../fixtures/notes');
const SEEDS = `What to order before the good ones are gone:

- **Beans**: the climbing ones did best on the north wall.
- **Tomatoes**: two plants fewer than last year, and only the early kind.
- Marigolds along the path, because the snails left them alone.`;

/** Everything is there. */
export interface Stage {
  tokens: Readonly<Record<Viewer, string | undefined>>;
  places: Places;
  mails: Readonly<Record<MailKind, OutboxMail>>;
  close(): Promise<void>;
}

/** The fonts of the machine that takes the pictures may lack other scripts. */
const isDrawable = ({ bytes }: ZipEntry) =>
  !/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(String(bytes));

type Owner = Pick<Person, 'api' | 'token' | 'workspaceId'>;

/** Sets everything up on a fresh server whose staff is MAIL_STAFF. */
export async function furnish(url: string, browser: Browser): Promise<Stage> {
  const mails = await sendEveryMail(url);
  await logIn(url, DEMO, 'iPhone 15');
  const demo = await logIn(url, DEMO);
  const { result: workspace } = await demo.api('workspace.get_by_slug', { params: { slug: DEMO.slug } });
  const owner = { ...demo, workspaceId: workspace.id };
  const newcomer = await joinServer(url, 'ada');
  const importer = await importAndExport(url);
  const staff = await logIn(url, { email: MAIL_STAFF, password: STORY_PASSWORD });
  const starter = await apiAt(url)('auth.signup', {
    body: { email: 'ada.lovelace@example.org', password: STORY_PASSWORD },
  });
  const app = await startClientApp(url, 'Paper Reader');
  const consent = async () => (await app.begin()).replace(url, '');
  await connect(browser, url, { token: demo.token, app });
  await openToPrograms(owner);
  const places = {
    ...(await publishThread(owner)),
    ...(await reportSpace(url, owner)),
    newcomer: newcomer.slug,
    importer: importer.slug,
    invite: await invite(url, owner, newcomer.email),
    consent,
    impersonation: async () => {
      const body = { email: importer.email, reason: 'Ticket 4711: the import does not end' };
      return `/imp?code=${(await staff.api('impersonation.create', { body })).result.code}`;
    },
  };
  return {
    tokens: {
      visitor: undefined,
      demo: demo.token,
      newcomer: newcomer.token,
      importer: importer.token,
      starter: starter.result.token,
      staff: staff.token,
    },
    places,
    mails,
    close: () => app.close(),
  };
}

/** From a browser by its own words, which the lists of sessions and events name. */
async function logIn(
  url: string,
  { email, password }: { email: string; password: string },
  device = 'Desktop Chrome',
) {
  const client = (token?: string) =>
    createClient({
      token: () => token,
      transport: (at, init) => {
        const headers = new Headers(init.headers);
        headers.set('user-agent', devices[device]?.userAgent ?? device);
        return fetch(`${url}${at}`, { ...init, headers });
      },
      attempts: 1,
    });
  const { token } = (await client()('auth.login', { body: { email, password } })).result;
  return { token, api: client(token) };
}

async function importAndExport(url: string): Promise<Person> {
  const person = await joinServer(url, 'grace');
  const { api, workspaceId } = person;
  await api('auth.update', { body: { forename: 'Grace', surname: 'Hopper' } });
  await proveAddress(url, person);
  const id = await uploadArchive(url, person, await zipOf(filesBelow(NOTES).filter(isDrawable)));
  for (let done = false; !done;) {
    done = (await api('import.get', { params: { workspaceId, id } })).result.status === 'completed';
  }
  const { result: job } = await api('export.create', { body: { workspaceId } });
  for (let done = false; !done;) {
    done = (await api('export.get', { params: { workspaceId, id: job.id } })).result.status === 'completed';
  }
  return person;
}

/** The first thread of the sample, and a public one. */
async function publishThread({ api, workspaceId }: Owner) {
  const { result: threads } = await api('thread.list', { params: { workspaceId } });
  const first = threads.find(({ name }) => name === 'Tomatoes next spring');
  if (!first) throw new Error('The sample has no such thread');
  const { result: made } = await api('thread.create', {
    body: { workspaceId, name: 'Seeds for next spring', content: SEEDS },
  });
  await api('thread.update', { params: { workspaceId, id: made.id }, body: { visibility: 'public' } });
  return {
    thread: `/${DEMO.slug}/threads/${first.id}`,
    publicThread: `/${DEMO.slug}/threads/p/${made.id}`,
  };
}

/** A report of the public space, and requests for early access. Returns the address of a memory in the space. */
async function reportSpace(url: string, { api, workspaceId }: Owner) {
  const slug = 'reading-list';
  const { result: space } = await api('space.get_by_slug', { params: { workspaceSlug: DEMO.slug, slug } });
  const { result: links } = await api('space_memory.list', {
    params: { workspaceId },
    query: { spaceId: space.id },
  });
  const [link] = links;
  if (!link) throw new Error('The public space has no memory');
  await apiAt(url)('public_space.report', {
    body: {
      workspaceId,
      id: space.id,
      reason: 'copyright',
      details: 'The third entry is a copy of my article.',
    },
  });
  for (const email of ['nora@example.org', 'sam.okonkwo@example.com', 'yuki@example.net'])
    await apiAt(url)('newsletter.create', { body: { email } });
  return { publicMemory: `/${DEMO.slug}/spaces/p/${slug}/${link.memoryId}` };
}

async function openToPrograms({ api, workspaceId }: Owner): Promise<void> {
  await api('api_key.create', {
    body: {
      workspaceId,
      name: 'Reading list script',
      scopes: ['memories:read', 'memories:write', 'spaces:read', 'search:read'],
    },
  });
  await api('webhook.create', {
    params: { workspaceId },
    body: {
      url: 'https://hooks.example.com/loci',
      description: 'Tells the team’s chat',
      events: ['memory.created', 'memory.deleted'],
    },
  });
}

/** Returns the address in the mail of the invitation. */
async function invite(url: string, { api, workspaceId }: Owner, email: string): Promise<string> {
  await api('invite.create', { body: { workspaceId, email, position: 'member' } });
  const mail = await waitForMail(
    url,
    `with an invitation to ${email}`,
    ({ to, subject }) => to === email && subject.includes('invited you'),
  );
  return inviteIn(mail).path;
}

/** Lets an app into the sample workspace, by the page on which people do it. */
async function connect(
  browser: Browser,
  url: string,
  { token, app }: { token: string; app: ClientApp },
): Promise<void> {
  const context = await browser.newContext();
  await sitDown(context, url, { token });
  const page = await context.newPage();
  await page.goto(await app.begin());
  await page.getByRole('button', { name: 'Allow access' }).click();
  await page.getByRole('heading', { name: 'Back in Paper Reader' }).waitFor();
  await app.outcome();
  await context.close();
}
