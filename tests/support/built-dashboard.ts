// The built dashboard in a real browser, for a signed-in person whose server is a fake with prepared responses: what
// benchmarks of the page need, without the cost of a real server beside it.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { COOKIES } from '#shared/constants.ts';
import { PERSON_SETTING } from '#client/api/session.ts';
import type { BrowserProfile } from './browser-profile.ts';
import { FakeSyncServer } from './fake-sync-server.ts';
import { memberRow, minute, USER, WORKSPACE } from './replica-rows.ts';
import { serveFolder } from './replica-stage/stage-server.ts';

const BUILT = path.resolve(import.meta.dirname, '../../dist/client');
export const SLUG = 'acme';

const person = {
  id: USER,
  source: 'email',
  githubId: null,
  googleId: null,
  forename: 'Ada',
  username: null,
  surname: 'Lovelace',
  email: 'ada@example.com',
  domain: 'example.com',
  personal: false,
  emailVerified: true,
  created: minute(0),
  updated: minute(0),
};
const memberships = [{ id: WORKSPACE, slug: SLUG, name: 'Acme' }];

const workspaceRow = {
  id: WORKSPACE,
  ownerId: USER,
  createdBy: USER,
  lastEditedBy: USER,
  slug: SLUG,
  domain: null,
  name: 'Acme',
  description: null,
  allowPublicSharing: true,
  publicChat: false,
  created: minute(0),
  updated: minute(0),
  deletedAt: null,
};

/** Where a dashboard is served, and what a device knows of its person: ids are new in every process. */
export interface ServedDashboard {
  address: string;
  person: string;
}

function signIn(given: { cookie: string; setting: string; person: string }): void {
  document.cookie = `${given.cookie}=token; Path=/`;
  localStorage.setItem(given.setting, given.person);
}

/** Serves the build on a free port; `fill` puts rows into the workspace. @throws Error when nothing is built */
export async function serveDashboard(fill: (workspace: FakeSyncServer) => void): Promise<ServedDashboard> {
  if (!existsSync(path.join(BUILT, 'index.html'))) throw new Error('Build first: node server/build.ts');
  const workspace = new FakeSyncServer({ userId: USER, realmId: WORKSPACE });
  workspace.put('workspace', workspaceRow);
  workspace.put('workspace_member', memberRow({ surname: 'Lovelace' }));
  fill(workspace);
  const account = new FakeSyncServer({ userId: USER, realmId: USER });
  account.put('workspace', workspaceRow);
  const answers = new Map([
    ['/v1/auth/whoami', JSON.stringify({ success: true, result: person })],
    ['/v1/workspaces?perPage=100', JSON.stringify({ success: true, result: memberships })],
  ]);
  const { address } = await serveFolder(BUILT, [workspace, account], answers);
  const known = { user: person, workspaces: memberships, checkedAt: Date.now() };
  return { address, person: JSON.stringify(known) };
}

/** Makes the processor of a page so many times slower. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Opens the workspace as the signed-in person; `before` runs in the page ahead of everything. */
export async function openDashboard(
  profile: BrowserProfile,
  site: ServedDashboard,
  before?: () => void,
  rate = 1,
): Promise<Page> {
  const page = await (await profile.context()).newPage();
  if (rate > 1) await slowDown(page, rate);
  await page.addInitScript(signIn, { cookie: COOKIES.session, setting: PERSON_SETTING, person: site.person });
  if (before) await page.addInitScript(before);
  // A measurement of the start begins to watch while it goes on.
  await page.goto(`${site.address}/${SLUG}`, { waitUntil: 'commit' });
  return page;
}
