// Changes interrupted by a crash, in a real browser: every acknowledged change is still there, once, in order.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId, type Id } from '#shared/ids.ts';
import { OBJECT_STORE } from '#client/replica/worker/idb-requests.ts';
import { recordKey, type JournalRecord } from '#client/replica/worker/journal-records.ts';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { until } from '#tests/support/engine-port.ts';
import { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { rememberedPerson } from '#tests/support/remembered-person.ts';
import { memberRow, USER, WORKSPACE } from '#tests/support/replica-rows.ts';
import { serveStage, type StageServer } from '#tests/support/replica-stage/stage-server.ts';
import { itLong } from '#tests/support/long-test.ts';
import { IS_WHOLE } from '#tests/support/whole-run.ts';

const who = { userId: USER, workspaceId: WORKSPACE };

/** An origin of its own, with its servers. */
interface Scene {
  server: FakeSyncServer;
  account: FakeSyncServer;
  site: StageServer;
}

let server: FakeSyncServer;
let account: FakeSyncServer;
let site: StageServer;
/** One for all tests: each has an origin of its own, and starting a browser takes longer than most of them. */
const profile = new BrowserProfile();

function enter(scene: Scene): void {
  ({ server, account, site } = scene);
}

async function enterNew(): Promise<Scene> {
  const own = new FakeSyncServer({ userId: USER, realmId: WORKSPACE });
  const ofPerson = new FakeSyncServer({ userId: USER, realmId: USER });
  own.put('workspace_member', memberRow());
  const scene = { server: own, account: ofPerson, site: await serveStage([own, ofPerson]) };
  enter(scene);
  return scene;
}

beforeEach(async () => void (await enterNew()));

afterAll(async () => {
  await Promise.all(crashed.map(({ scene }) => scene.site.close()));
  await profile.remove();
});

afterEach(async () => {
  await profile.leave(site.address);
  await site.close();
});

function setWeather(weather: Partial<FakeSyncServer['weather']>): void {
  Object.assign(server.weather, weather);
  Object.assign(account.weather, weather);
}

async function openTab(): Promise<Page> {
  const page = await profile.open(site.address);
  await page.evaluate((given) => stage.open(given), who);
  return page;
}

/** Leaves the page as a reload does, as soon as the last acknowledgement is in. */
async function reload(page: Page): Promise<void> {
  await page.reload();
  await page.evaluate((given) => stage.open(given), who);
}

const ready = (page: Page) => until(() => page.evaluate(() => stage.firstSync().state === 'ready'));
const titles = (page: Page) => page.evaluate(() => stage.titles(50).toReversed());
const settles = (page: Page, expected: readonly string[]) =>
  expect.poll(() => titles(page)).toEqual(expected);

async function goOnline(page: Page): Promise<void> {
  setWeather({ offline: false, loseAnswers: false });
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect.poll(() => page.evaluate(() => stage.status().state)).toBe('synced');
}

/** Creates memories and ends the page in the same task as the last acknowledgement arrives. */
async function createThen(page: Page, names: readonly string[], after: 'reload' | 'stay' = 'stay') {
  const made = names.map((title) => ({ id: newId('memory'), title }));
  await page.evaluate(
    async ({ rows, isLast }) => {
      for (const [index, { id, title }] of rows.entries()) {
        const at = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
        await stage.mutate('memory.create', { id, at, origin: 'web', title });
      }
      if (isLast) location.reload();
    },
    { rows: made, isLast: after === 'reload' },
  );
  return made.map(({ id }) => id);
}

function rename(page: Page, id: Id<'memory'>, title: string): Promise<void> {
  return page.evaluate((args) => stage.mutate('memory.update', args), { id, title });
}

/** The record of a change that the client made after all those the server has taken. */
function renaming(id: Id<'memory'>, title: string): JournalRecord {
  const [clientID = ''] = server.applied[0]?.split('/') ?? [];
  const at = new Date().toISOString();
  return { clientID, id: 2, name: 'memory.update', args: { id, title, at }, at: Date.parse(at) };
}

/** Holds a lock of the origin until the returned function is called. */
async function holdLock(page: Page, name: string): Promise<() => Promise<void>> {
  await page.evaluate(
    (wanted) =>
      new Promise<void>((isHeld) => {
        void navigator.locks.request(wanted, () => {
          isHeld();
          return new Promise<void>((end) => addEventListener('release', () => end(), { once: true }));
        });
      }),
    name,
  );
  return () => page.evaluate(() => void dispatchEvent(new Event('release')));
}

/** Leaves what a crash leaves before Replicache has written anything: these records and no row. Returns the database. */
async function keepOnlyJournal(records: readonly JournalRecord[]): Promise<string> {
  const page = await profile.open(`${site.address}/other`);
  const databaseName = await page.evaluate(
    async ({ entries, realmId, objectStore }) => {
      const all = await indexedDB.databases();
      const name = all.find((one) => one.name?.startsWith('rep:') && one.name.includes(realmId))?.name ?? '';
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error(name)));
      });
      const transaction = database.transaction(objectStore, 'readwrite', { durability: 'strict' });
      const store = transaction.objectStore(objectStore);
      store.clear();
      for (const [key, record] of entries) store.put(record, key);
      await new Promise((resolve, reject) => {
        transaction.addEventListener('complete', resolve);
        transaction.addEventListener('abort', () => reject(transaction.error ?? new Error(name)));
      });
      database.close();
      return name;
    },
    {
      entries: records.map((record) => [recordKey(record), record] as const),
      realmId: WORKSPACE,
      objectStore: OBJECT_STORE,
    },
  );
  await page.close();
  return databaseName;
}

/** What is left of a memory that the server has as `Mine` and that was renamed to `Mine again` without a network. */
interface Crashed {
  scene: Scene;
  id: Id<'memory'>;
  left: JournalRecord;
  databaseName: string;
}

const crashed: Crashed[] = [];
/** As many tests as begin with one; each costs some four seconds. */
const CRASHED_AT_ONCE = IS_WHOLE ? 5 : 3;

/** Enters an origin in which a crash left nothing but the journal; one crash leaves several of them. */
async function enterCrashed(): Promise<Crashed> {
  await site.close();
  if (crashed.length === 0) await renameThenCrash();
  const found = crashed.pop();
  if (!found) throw new Error('The crash left nothing');
  enter(found.scene);
  return found;
}

async function renameThenCrash(): Promise<void> {
  const renamed: { scene: Scene; id: Id<'memory'> }[] = [];
  for (let count = 0; count < CRASHED_AT_ONCE; count += 1) {
    const scene = await enterNew();
    const page = await openTab();
    await ready(page);
    const [id = newId('memory')] = await createThen(page, ['Mine']);
    await until(async () => (await page.evaluate(() => stage.status().state)) === 'synced');
    setWeather({ offline: true });
    await rename(page, id, 'Mine again');
    renamed.push({ scene, id });
  }
  await profile.kill();
  for (const { scene, id } of renamed) {
    enter(scene);
    const left = renaming(id, 'Mine again');
    crashed.push({ scene, id, left, databaseName: await keepOnlyJournal([left]) });
  }
}

const NAMES = Array.from({ length: 12 }, (_unused, index) => `Note ${String(index).padStart(2, '0')}`);

describe('an acknowledged change', () => {
  it('is there after a reload in the same moment, and reaches the server once and in order', async () => {
    const page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    const loaded = page.waitForEvent('load');
    await createThen(page, NAMES, 'reload').catch(() => undefined);
    await loaded;
    await page.evaluate((given) => stage.open(given), who);
    await settles(page, NAMES);
    await goOnline(page);
    expect(server.applied).toHaveLength(NAMES.length);
    expect(await titles(page)).toEqual(NAMES);
  });

  it('of several that were made together takes the others with it when the page ends before them', async () => {
    const page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    const made = NAMES.map((title, index) => ({
      name: 'memory.create' as const,
      args: {
        id: newId('memory'),
        at: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
        origin: 'web' as const,
        title,
      },
    }));
    const missing = { name: 'memory.update' as const, args: { id: newId('memory'), title: 'Nowhere' } };
    const [first, ...others] = made;
    if (!first) throw new Error('No names');
    const isRefused = await page.evaluate(
      (mutations) =>
        stage
          .mutateAll(mutations, () => undefined)
          .then(
            () => false,
            () => true,
          ),
      [first, missing, ...others],
    );
    expect(isRefused).toBe(true);
    await settles(page, NAMES.slice(0, 1));
    const loaded = page.waitForEvent('load');
    await page
      .evaluate(
        (mutations) => stage.mutateAll(mutations, (applied) => applied === 1 && location.reload()),
        others,
      )
      .catch(() => undefined);
    await loaded;
    await page.evaluate((given) => stage.open(given), who);
    await settles(page, NAMES);
    await goOnline(page);
    expect(server.applied).toHaveLength(NAMES.length);
  });

  it('is there after the browser was killed in the same moment', async () => {
    const page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    await createThen(page, NAMES);
    await profile.kill();
    const again = await openTab();
    await settles(again, NAMES);
    await goOnline(again);
    expect(server.applied).toHaveLength(NAMES.length);
  });

  it('stays in order with what is typed after the crash', async () => {
    const page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    const [id = newId('memory')] = await createThen(page, ['First']);
    for (const title of ['Second', 'Third']) {
      await rename(page, id, title);
    }
    await profile.kill();
    const again = await openTab();
    await rename(again, id, 'Last');
    await settles(again, ['Last']);
    await goOnline(again);
    expect(server.row('memory', id)?.title).toBe('Last');
  });

  itLong('is sent once more after each of several crashes, and applied once', async () => {
    let page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    await createThen(page, NAMES);
    for (let crash = 0; crash < 3; crash += 1) {
      await profile.kill();
      page = await openTab();
      await settles(page, NAMES);
    }
    await goOnline(page);
    await reload(page);
    await settles(page, NAMES);
    expect(server.applied).toHaveLength(NAMES.length);
  });

  it('is not applied again when the server had it and another person has changed it since', async () => {
    const page = await openTab();
    await ready(page);
    const [id = newId('memory')] = await createThen(page, ['Mine']);
    await until(() => server.row('memory', id));
    await until(async () => (await page.evaluate(() => stage.status().state)) === 'synced');
    setWeather({ loseAnswers: true });
    await rename(page, id, 'Mine again');
    await until(() => server.row('memory', id)?.title === 'Mine again');
    await profile.kill();
    await keepOnlyJournal([renaming(id, 'Mine again')]);
    const row = server.row('memory', id);
    if (row) server.put('memory', { ...row, title: 'Theirs' });
    const again = await openTab();
    await goOnline(again);
    await settles(again, ['Theirs']);
    expect(server.row('memory', id)?.title).toBe('Theirs');
  });

  itLong('waits for the rows that it changes when the device has none of them', async () => {
    const { id } = await enterCrashed();
    const again = await openTab();
    // The person's permissions are not on this device any more; what is typed is stored all the same.
    await createThen(again, ['Typed after the crash']);
    await settles(again, ['Typed after the crash']);
    // That the server is unreachable is known only after a request.
    await expect
      .poll(() => again.evaluate(() => stage.status()))
      .toMatchObject({ state: 'offline', problems: [] });
    await goOnline(again);
    expect(new Set(await titles(again))).toEqual(new Set(['Mine again', 'Typed after the crash']));
    expect(server.row('memory', id)?.title).toBe('Mine again');
    expect(server.applied).toHaveLength(3);
  });

  it.each(['the page before is still ending', ...(IS_WHOLE ? ['another tab takes over what was left'] : [])])(
    'is not called synced before it is counted, while %s',
    async (what) => {
      const { id, left, databaseName } = await enterCrashed();
      setWeather({ offline: false });
      const keeper = await profile.open(`${site.address}/other`);
      const isEnding = what === 'the page before is still ending';
      const release = await holdLock(
        keeper,
        isEnding ? `loci-client-${databaseName}-${left.clientID}` : `loci-recovery-${databaseName}`,
      );
      const again = await openTab();
      await ready(again);
      await until(() => again.evaluate(() => stage.status().lastSyncedAt !== undefined));
      expect(await again.evaluate(() => stage.status())).toMatchObject({ state: 'syncing', problems: [] });
      expect(server.row('memory', id)?.title).toBe('Mine');
      await release();
      await expect.poll(() => again.evaluate(() => stage.status().state)).toBe('synced');
      expect(server.row('memory', id)?.title).toBe('Mine again');
    },
  );

  it('is reported with its text when the server refuses the replayed change', async () => {
    const { id } = await enterCrashed();
    server.remove('memory', id);
    const again = await openTab();
    setWeather({ offline: false });
    await again.evaluate(() => dispatchEvent(new Event('online')));
    await expect
      .poll(() => again.evaluate(() => stage.status()))
      .toMatchObject({
        state: 'attention',
        problems: [{ code: 'not_found', args: { id, title: 'Mine again' } }],
      });
  });

  itLong('of a long note is whole', async () => {
    const page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    const notes = 'A long text with ümlauts. '.repeat(3_800);
    const id = newId('memory');
    const fields = { id, origin: 'web', title: 'Long', notes } as const;
    await page.evaluate((args) => stage.mutate('memory.create', args), fields);
    await profile.kill();
    const again = await openTab();
    await settles(again, ['Long']);
    await goOnline(again);
    expect(server.row('memory', id)).toMatchObject({ notes });
  });
});

describe('two tabs', () => {
  it('leave each other’s open changes alone', async () => {
    const [one, two] = [await openTab(), await openTab()];
    await ready(one);
    await ready(two);
    setWeather({ offline: true });
    await Promise.all([createThen(one, NAMES), createThen(two, NAMES)]);
    await reload(two);
    await until(async () => (await titles(two)).length === 2 * NAMES.length);
    await until(async () => (await titles(one)).length === 2 * NAMES.length);
    await goOnline(one);
    await goOnline(two);
    expect(server.applied).toHaveLength(2 * NAMES.length);
  });
});

describe('the journal', () => {
  it('is empty once Replicache has the changes, and goes with a logout', async () => {
    const page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    await createThen(page, NAMES);
    await expect.poll(() => page.evaluate(() => stage.journal())).toEqual([]);
    await goOnline(page);
    await Promise.all([page.waitForURL('**/login?clear=true'), page.evaluate(() => void stage.logOut())]);
    await expect.poll(() => page.evaluate(() => stage.databases())).toEqual([]);
  });

  it('of an ended session is played when the same person signs in again', async () => {
    const page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    await createThen(page, ['Unsent']);
    setWeather({ offline: false, status: 401 });
    const atLogin = page.waitForURL('**/login?clear=true*');
    await page.evaluate(() => void dispatchEvent(new Event('online')));
    await atLogin;
    setWeather({ status: undefined });
    await page.evaluate((user) => stage.signIn({ token: 'token', user }), {
      ...rememberedPerson().user,
      id: USER,
    });
    await page.evaluate((given) => stage.open(given), who);
    await settles(page, ['Unsent']);
    await until(() => server.applied.length === 1);
  });

  it('is not read while another page removes what ended sessions left', async () => {
    const { id } = await enterCrashed();
    setWeather({ offline: false });
    const keeper = await profile.open(`${site.address}/other`);
    const release = await holdLock(keeper, 'loci-signed-out');
    const again = await openTab();
    const lockNames = async (state: 'held' | 'pending') =>
      (await again.evaluate(() => navigator.locks.query()))[state]?.map(({ name }) => name);
    await expect.poll(() => lockNames('pending')).toEqual(['loci-signed-out']);
    // An open replica holds a lock under its client's name.
    expect((await lockNames('held'))?.filter((name) => name?.startsWith('loci-client-'))).toEqual([]);
    expect(server.row('memory', id)?.title).toBe('Mine');
    await release();
    await until(() => server.row('memory', id)?.title === 'Mine again');
  });
});
