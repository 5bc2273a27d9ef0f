// The effects of long absence on a device, in a real browser with its real IndexedDB: clients and databases that were not
// used for a long time are deleted. A tab that only slept loses nothing, an old database is really deleted, and never one
// that holds what was not sent.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memberRow, memoryRow, USER, WORKSPACE } from '#tests/support/replica-rows.ts';
import { serveStage, type StageServer } from '#tests/support/replica-stage/stage-server.ts';
import { startReplicasAfter, waitsOf } from '#tests/support/worker-clock.ts';

const [OTHER_WORKSPACE, THIRD_WORKSPACE] = [newId('workspace'), newId('workspace')];
/** Another person, in a workspace that is open during the absence of the first. */
const COLLEAGUE = { userId: newId('user'), workspaceId: newId('workspace') };
const HALF_A_DAY = 12 * 3_600_000;
const SYNC_CALLS = '**/v1/sync/**';

let server: FakeSyncServer;
let other: FakeSyncServer;
let third: FakeSyncServer;
let site: StageServer;
/** One for all tests: each has an origin of its own, and starting a browser takes long. */
const profile = new BrowserProfile();

beforeEach(async () => {
  server = new FakeSyncServer({ userId: USER, realmId: WORKSPACE });
  other = new FakeSyncServer({ userId: USER, realmId: OTHER_WORKSPACE });
  third = new FakeSyncServer({ userId: USER, realmId: THIRD_WORKSPACE });
  const { userId, workspaceId } = COLLEAGUE;
  const theirs = new FakeSyncServer({ userId, realmId: workspaceId });
  server.put('workspace_member', memberRow());
  other.put('workspace_member', memberRow({ workspaceId: OTHER_WORKSPACE }));
  third.put('workspace_member', memberRow({ workspaceId: THIRD_WORKSPACE }));
  theirs.put('workspace_member', memberRow(COLLEAGUE));
  const accounts = [USER, userId].map((realmId) => new FakeSyncServer({ userId: realmId, realmId }));
  site = await serveStage([server, other, third, theirs, ...accounts]);
});

afterAll(() => profile.remove());

afterEach(async () => {
  await profile.leave(site.address);
  await site.close();
});

/** A tab that was opened so many days after the first. */
async function openTab(day: number, workspaceId = WORKSPACE, userId = USER): Promise<Page> {
  await startReplicasAfter(await profile.context(), day);
  const page = await profile.open(site.address);
  await page.evaluate((given) => stage.open(given), { userId, workspaceId });
  await expect.poll(() => page.evaluate(() => stage.firstSync().state)).toBe('ready');
  return page;
}

const write = (page: Page, title: string) =>
  page.evaluate((args) => stage.mutate('memory.create', args), {
    id: newId('memory'),
    origin: 'web' as const,
    title,
  });
const stateOf = (page: Page) => expect.poll(() => page.evaluate(() => stage.status().state));
const titlesOnServer = () =>
  [...server.rows.values()].flatMap(({ value }) =>
    typeof value === 'object' && value !== null && 'title' in value ? String(value.title) : [],
  );

/** By name: opening a database to look inside would hold up its removal, or bring it back. */
const databasesOf = async (page: Page, workspaceId: string) =>
  (await page.evaluate(() => stage.databases())).filter(
    (name) => name.startsWith('rep:') && name.includes(workspaceId),
  );

/** Whether Replicache still counts the client among those of the device. */
async function isCounted(page: Page, clientID: string): Promise<boolean> {
  const clients = await page.evaluate((realmId) => stage.clients(realmId), WORKSPACE);
  if (clients.length === 0) throw new Error('The device has no clients');
  return clients.includes(clientID);
}

it('a tab that slept until its client was collected loses nothing that was written in it', async () => {
  const slept = await openTab(0);
  await write(slept, 'Sent');
  await stateOf(slept).toBe('synced');
  const [clientID = ''] = server.applied[0]?.split('/') ?? [];
  await slept.route(SYNC_CALLS, (route) => route.abort());
  await write(slept, 'Before the sleep');
  await expect.poll(() => slept.evaluate(() => stage.isStored('Before the sleep'))).toBe(true);
  expect(await isCounted(slept, clientID)).toBe(true);
  expect(titlesOnServer()).not.toContain('Before the sleep');
  const sleep = await slept.context().newCDPSession(slept);
  await sleep.send('Page.setWebLifecycleState', { state: 'frozen' });

  const awake = await openTab(31);
  await expect.poll(() => isCounted(awake, clientID)).toBe(false);

  await sleep.send('Page.setWebLifecycleState', { state: 'active' });
  await slept.unroute(SYNC_CALLS);
  await write(slept, 'After the sleep');
  await slept.evaluate(() => dispatchEvent(new Event('online')));
  // Changes that the device cannot distinguish from lost ones are listed as lost and may be sent all the same: listed
  // twice, applied once.
  const known = async () => [
    ...titlesOnServer(),
    ...(await slept.evaluate(() => stage.status().problems.map(({ args }) => JSON.stringify(args)))),
  ];
  for (const title of ['Sent', 'Before the sleep', 'After the sleep']) {
    const isKnown = async () => (await known()).some((text) => text.includes(title));
    // A request that was caught as the tab woke up ends by its own limit, half a minute later, and the next one waits for it.
    await expect.poll(isKnown, { message: title }).toBe(true);
    expect(titlesOnServer().filter((text) => text === title).length).toBeLessThanOrEqual(1);
  }
  expect(new Set(server.applied).size).toBe(server.applied.length);
});

it('a workspace that was not opened for seventy days is removed from the device, and another one stays', async () => {
  server.put('memory', memoryRow({ title: 'Left alone' }));
  const left = await openTab(0);
  await expect.poll(() => left.evaluate(() => stage.isStored('Left alone'))).toBe(true);
  await left.close();
  const used = await openTab(70, OTHER_WORKSPACE);
  await expect.poll(() => databasesOf(used, WORKSPACE)).toEqual([]);
  expect(await databasesOf(used, OTHER_WORKSPACE)).toHaveLength(1);
});

it('seventy days in which only another person came take neither a change that was never sent nor a database that is open', async () => {
  const open = await openTab(0, OTHER_WORKSPACE);
  await (await openTab(0, THIRD_WORKSPACE)).close();
  const left = await openTab(0);
  await left.route(SYNC_CALLS, (route) => route.abort());
  await write(left, 'Never sent');
  await expect.poll(() => left.evaluate(() => stage.isStored('Never sent'))).toBe(true);
  await expect.poll(() => left.evaluate(() => stage.journal())).toEqual([]);
  await left.close();

  const { userId, workspaceId } = COLLEAGUE;
  const later = await openTab(70, workspaceId, userId);
  await expect.poll(() => databasesOf(later, THIRD_WORKSPACE)).toEqual([]);
  // Replicache's own collection waits so long after each of its rounds, once for each of its two databases here.
  await expect.poll(() => waitsOf(later, HALF_A_DAY)).toBeGreaterThan(20);
  expect(await databasesOf(later, WORKSPACE)).toHaveLength(1);
  expect(await databasesOf(later, OTHER_WORKSPACE)).toHaveLength(1);
  await later.close();

  other.put('memory', memoryRow({ workspaceId: OTHER_WORKSPACE, title: 'Much later' }));
  await expect.poll(() => open.evaluate(() => stage.titles(9))).toContain('Much later');
  await stateOf(open).toBe('synced');
  await openTab(70);
  await expect.poll(titlesOnServer).toEqual(['Never sent']);
});
