// The effects of long absence on a device, in a real browser with its real IndexedDB: Replicache deletes clients and
// databases that were not used for a long time. A tab that only slept loses nothing, and an old database is really
// deleted.
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { OBJECT_STORE } from '#client/replica/worker/idb-database.ts';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memberRow, memoryRow, USER, WORKSPACE } from '#tests/support/replica-rows.ts';
import { serveStage, type StageServer } from '#tests/support/replica-stage/stage-server.ts';
// The type of `stage`, which pages of the stage have.
import type {} from '#tests/support/replica-stage/stage.tsx';
import { startReplicasAfter } from '#tests/support/worker-clock.ts';

const OTHER_WORKSPACE = newId('workspace');
const PATIENCE = { timeout: 60_000, interval: 200 };
const SYNC_CALLS = '**/v1/sync/**';

let server: FakeSyncServer;
let other: FakeSyncServer;
let site: StageServer;
let profile: BrowserProfile;

beforeEach(async () => {
  server = new FakeSyncServer({ userId: USER, realmId: WORKSPACE });
  other = new FakeSyncServer({ userId: USER, realmId: OTHER_WORKSPACE });
  server.put('workspace_member', memberRow());
  other.put('workspace_member', memberRow({ workspaceId: OTHER_WORKSPACE }));
  site = await serveStage([server, other, new FakeSyncServer({ userId: USER, realmId: USER })]);
  profile = new BrowserProfile();
}, 60_000);

afterEach(async () => {
  await profile.remove();
  await site.close();
});

/** A tab that was opened so many days after the first. */
async function openTab(day: number, workspaceId = WORKSPACE): Promise<Page> {
  await startReplicasAfter(await profile.context(), day);
  const page = await profile.open(site.address);
  await page.evaluate((given) => stage.open(given), { userId: USER, workspaceId });
  await expect.poll(() => page.evaluate(() => stage.firstSync().state), PATIENCE).toBe('ready');
  return page;
}

const write = (page: Page, title: string) =>
  page.evaluate((args) => stage.mutate('memory.create', args), {
    ...{ id: newId('memory'), origin: 'web' as const },
    title,
  });
const stateOf = (page: Page) => expect.poll(() => page.evaluate(() => stage.status().state), PATIENCE);
const titlesOnServer = () =>
  [...server.rows.values()].flatMap(({ value }) =>
    typeof value === 'object' && value !== null && 'title' in value ? String(value.title) : [],
  );

/** Everything that the databases of a workspace hold, as the texts of their records by key. */
function recordsOf(page: Page, workspaceId: string): Promise<[key: string, text: string][]> {
  return page.evaluate(
    async ([realmId, objectStore]) => {
      const answer = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.addEventListener('success', () => resolve(request.result));
          request.addEventListener('error', () => reject(request.error ?? new Error(realmId)));
        });
      const known = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
      const records: [string, string][] = [];
      for (const name of known.filter((each) => each.startsWith('rep:') && each.includes(realmId))) {
        const database = await answer(indexedDB.open(name));
        const store = database.transaction(objectStore).objectStore(objectStore);
        const [keys, values] = await Promise.all([
          answer(store.getAllKeys()),
          answer<unknown[]>(store.getAll()),
        ]);
        database.close();
        for (const [index, key] of keys.entries())
          if (typeof key === 'string') records.push([key, JSON.stringify(values[index])]);
      }
      return records;
    },
    [workspaceId, OBJECT_STORE] as const,
  );
}

async function isStored(page: Page, text: string): Promise<boolean> {
  return (await recordsOf(page, WORKSPACE)).some(([, record]) => record.includes(text));
}

/** Whether Replicache still counts the client among those of the device. */
async function isCounted(page: Page, clientID: string): Promise<boolean> {
  const records = new Map(await recordsOf(page, WORKSPACE));
  const hash: unknown = JSON.parse(records.get('h/clients') ?? 'null');
  const clients: unknown = JSON.parse(records.get(`c/${String(hash)}/d`) ?? 'null');
  if (typeof clients !== 'object' || clients === null) throw new Error('The device has no clients');
  return clientID in clients;
}

it('a tab that slept until its client was collected loses nothing that was written in it', async () => {
  const slept = await openTab(0);
  await write(slept, 'Sent');
  await stateOf(slept).toBe('synced');
  const [clientID = ''] = server.applied[0]?.split('/') ?? [];
  await slept.route(SYNC_CALLS, (route) => route.abort());
  await write(slept, 'Before the sleep');
  await expect.poll(() => isStored(slept, 'Before the sleep'), PATIENCE).toBe(true);
  expect(await isCounted(slept, clientID)).toBe(true);
  expect(titlesOnServer()).not.toContain('Before the sleep');
  const sleep = await slept.context().newCDPSession(slept);
  await sleep.send('Page.setWebLifecycleState', { state: 'frozen' });

  const awake = await openTab(31);
  await expect.poll(() => isCounted(awake, clientID), PATIENCE).toBe(false);

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
    await expect.poll(isKnown, PATIENCE).toBe(true);
    expect(titlesOnServer().filter((text) => text === title).length).toBeLessThanOrEqual(1);
  }
  expect(new Set(server.applied).size).toBe(server.applied.length);
}, 180_000);

it('a workspace that was not opened for seventy days is removed from the device, and another one stays', async () => {
  server.put('memory', memoryRow({ title: 'Left alone' }));
  const left = await openTab(0);
  await expect.poll(() => isStored(left, 'Left alone'), PATIENCE).toBe(true);
  await left.close();
  const used = await openTab(70, OTHER_WORKSPACE);
  // By name: opening a database to look inside would hold up its removal, or bring it back.
  const databasesOf = async (workspaceId: string) =>
    (await used.evaluate(() => stage.databases())).filter(
      (name) => name.startsWith('rep:') && name.includes(workspaceId),
    );
  await expect.poll(() => databasesOf(WORKSPACE), PATIENCE).toEqual([]);
  expect(await databasesOf(OTHER_WORKSPACE)).not.toEqual([]);
}, 180_000);
