// The replica in a real browser: worker, tabs, storage and what is left behind, against a strict server of the protocol.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { until } from '#tests/support/engine-port.ts';
import { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memberRow, memoryRow, minute, USER, WORKSPACE } from '#tests/support/replica-rows.ts';
import { serveStage, type StageServer } from '#tests/support/replica-stage/stage-server.ts';
import { describeLong, itLong } from '#tests/support/long-test.ts';

const who = { userId: USER, workspaceId: WORKSPACE };

let server: FakeSyncServer;
let account: FakeSyncServer;
let site: StageServer;
/** One for all tests: each has an origin of its own, and starting a browser takes longer than most of them. */
const profile = new BrowserProfile();

beforeEach(async () => {
  server = new FakeSyncServer({ userId: USER, realmId: WORKSPACE });
  account = new FakeSyncServer({ userId: USER, realmId: USER });
  server.put('workspace_member', memberRow());
  site = await serveStage([server, account]);
});

afterAll(() => profile.remove());

afterEach(async () => {
  await profile.leave(site.address);
  await site.close();
});

function setWeather(weather: Partial<FakeSyncServer['weather']>): void {
  Object.assign(server.weather, weather);
  Object.assign(account.weather, weather);
}

async function openTab(options: { memoryOnly?: boolean } = {}): Promise<Page> {
  const page = await profile.open(site.address);
  await page.evaluate((given) => stage.open(given), { ...who, ...options });
  return page;
}

/** The browser looks at the limit when it first writes for the site, so it must stand before. */
async function limitStorage(quotaSize: number): Promise<void> {
  const blank = await profile.open('about:blank');
  const client = await (await profile.context()).newCDPSession(blank);
  await client.send('Storage.overrideQuotaForOrigin', { origin: site.address, quotaSize });
}

const ready = (page: Page) => until(() => page.evaluate(() => stage.firstSync().state === 'ready'));
const state = (page: Page) => page.evaluate(() => stage.status().state);
const titles = (page: Page) => page.evaluate(() => stage.titles(10));

async function create(page: Page, title: string, notes: string | null = null) {
  const id = newId('memory');
  await page.evaluate((args) => stage.mutate('memory.create', args), {
    id,
    origin: 'web',
    title,
    notes,
  } as const);
  return id;
}

describe('a tab', () => {
  it('shows an edit at once, sends it, and receives the edits of others after a poke', async () => {
    const page = await openTab();
    await ready(page);
    const id = await create(page, 'Mine');
    expect(await titles(page)).toEqual(['Mine']);
    await until(() => server.row('memory', id));
    await until(async () => (await state(page)) === 'synced');
    server.put('memory', memoryRow({ title: 'Theirs', created: minute(-5) }));
    await until(async () => (await titles(page)).includes('Theirs'));
    expect(await titles(page)).toEqual(['Mine', 'Theirs']);
  });

  it('opens from the device without network, and searches it', async () => {
    const first = await openTab();
    await ready(first);
    await create(first, 'Bread', 'Sourdough needs a warm place');
    await until(async () => (await state(first)) === 'synced');
    await expect.poll(() => first.evaluate(() => stage.isStored('Bread'))).toBe(true);
    await first.close();
    setWeather({ offline: true });
    const again = await openTab();
    await until(async () => (await titles(again)).length === 1);
    await until(async () => (await state(again)) === 'offline');
    const found = await until(async () => {
      const ids = await again.evaluate(() => stage.search('sourdough'));
      return ids.length === 1 && ids;
    });
    expect(await again.evaluate((id) => stage.find(id)?.title, found[0] ?? '')).toBe('Bread');
  });

  it('stores long notes on the device under their hash, beside the row', async () => {
    const page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    const text = 'A long text. '.repeat(1_000);
    const id = await create(page, 'Long', text);
    const head = await page.evaluate((memory) => stage.find(memory), id);
    expect(head?.notes).toBeNull();
    const kept = await page.evaluate((address) => stage.body(address), {
      id,
      workspaceId: WORKSPACE,
      hash: head?.bodyHash ?? '',
    });
    expect(kept).toBe(text);
  });
});

describeLong('a first sync', () => {
  it('that is interrupted goes on from what the device has, not from nothing', async () => {
    const big = new FakeSyncServer({ userId: USER, realmId: WORKSPACE, page: 500 });
    big.put('workspace_member', memberRow());
    big.put(
      'memory',
      ...Array.from({ length: 12_000 }, (_unused, index) =>
        memoryRow({ title: `Row ${index}`, created: minute(index) }),
      ),
    );
    await site.close();
    site = await serveStage([big, account]);
    big.weather.delayMs = 120;
    const pulls = () => big.requests.filter(({ path }) => path === 'pull').length;
    const page = await openTab();
    await until(() => page.evaluate(() => stage.count() > 5_000));
    // Nothing more comes, and what came, the newest first, is written.
    big.weather.delayMs = 600_000;
    await expect.poll(() => page.evaluate(() => stage.isStored('"Row 8000"'))).toBe(true);
    await profile.kill();
    const before = pulls();
    Object.assign(big.weather, { offline: true, delayMs: 0 });
    const again = await openTab();
    await until(() => again.evaluate(() => stage.count() >= 1_000));
    big.weather.offline = false;
    await again.evaluate(() => dispatchEvent(new Event('online')));
    await until(() => again.evaluate(() => stage.count() === 12_000));
    // All of it takes twenty-five.
    expect(pulls() - before).toBeLessThan(24);
  });
});

describe('two tabs', () => {
  it('see each other’s edits without network', async () => {
    const [one, two] = [await openTab(), await openTab()];
    await ready(one);
    await ready(two);
    setWeather({ offline: true });
    await create(one, 'From the first tab');
    await until(async () => (await titles(two)).includes('From the first tab'));
    await create(two, 'From the second tab');
    await until(async () => (await titles(one)).includes('From the second tab'));
    setWeather({ offline: false });
    await until(() => server.applied.length === 2);
    expect(new Set(server.applied).size).toBe(2);
  });

  it('share one stream of pokes, and the other takes over when the first closes', async () => {
    const [one, two] = [await openTab(), await openTab()];
    await ready(one);
    await ready(two);
    await until(() => site.streams() === 1);
    server.put('memory', memoryRow({ title: 'News' }));
    await until(async () => (await titles(one)).includes('News'));
    await until(async () => (await titles(two)).includes('News'));
    // One at a time, however often it had to connect.
    const opened = site.streamsOpened();
    await one.close();
    await expect.poll(() => [site.streams(), site.streamsOpened() > opened]).toEqual([1, true]);
    server.put('memory', memoryRow({ title: 'More news' }));
    expect(await until(async () => (await titles(two)).includes('More news'))).toBe(true);
  });
});

describe('the device', () => {
  itLong('has an offline edit after the browser was killed, and sends it later', async () => {
    const page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    const id = await create(page, 'Survivor');
    await until(async () => (await state(page)) === 'offline');
    await profile.kill();
    const again = await openTab();
    await until(async () => (await titles(again)).includes('Survivor'));
    setWeather({ offline: false });
    await again.evaluate(() => dispatchEvent(new Event('online')));
    expect(await until(() => server.row('memory', id))).toMatchObject({ title: 'Survivor' });
  });

  it('whose database was deleted under an open tab is detected, the change is sent, and the page reloads', async () => {
    const page = await openTab();
    await ready(page);
    // The workspace's search has a database too, and may be stored by now.
    const name = (await page.evaluate(() => stage.databases())).find(
      (candidate) => candidate.startsWith('rep:') && candidate.includes(WORKSPACE),
    );
    expect(name).toBeDefined();
    const other = await profile.open(`${site.address}/other`);
    await other.evaluate((database) => void indexedDB.deleteDatabase(database), name ?? '');
    const reloaded = page.waitForEvent('load');
    const id = await create(page, 'Not lost');
    await reloaded;
    expect(await until(() => server.row('memory', id))).toMatchObject({ title: 'Not lost' });
  });

  itLong('that runs out of storage stays usable and reports it', async () => {
    await limitStorage(400_000);
    const page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    for (let count = 0; count < 150; count += 1) await create(page, `No room ${count}`, 'x'.repeat(4_000));
    await until(async () => (await page.evaluate(() => stage.status().storage)) === 'full');
    expect(await page.evaluate(() => stage.count())).toBe(150);
  });

  it('that has no storage from the start works in memory and reports it', async () => {
    await limitStorage(1);
    const page = await openTab();
    await ready(page);
    const id = await create(page, 'In memory');
    await until(() => server.row('memory', id));
    expect(await page.evaluate(() => stage.status().storage)).toBe('full');
  });

  it('has no database during an impersonation', async () => {
    const page = await openTab({ memoryOnly: true });
    await ready(page);
    await create(page, 'In memory');
    await until(async () => (await state(page)) === 'synced');
    expect(await page.evaluate(() => stage.databases())).toEqual([]);
    expect(await page.evaluate(() => stage.status().storage)).toBe('memory');
  });
});

describe('leaving', () => {
  it('by logging out removes databases, caches and keys, and sends the other tab to the login', async () => {
    const [one, two] = [await openTab(), await openTab()];
    await ready(one);
    await ready(two);
    await create(one, 'Private', 'A long text. '.repeat(1_000));
    await expect.poll(() => state(one)).toBe('synced');
    expect((await one.evaluate(() => stage.databases())).length).toBeGreaterThan(2);
    await one.evaluate(() => void stage.logOut());
    // The page may be led there twice, by the logout and by the end of the session; the second ends the first's way.
    for (const page of [one, two]) await page.waitForURL('**/login?clear=true*');
    await one.waitForLoadState();
    await expect.poll(() => one.evaluate(() => stage.databases())).toEqual([]);
    expect(
      await one.evaluate(() => [document.cookie, Object.keys(localStorage), Object.keys(sessionStorage)]),
    ).toEqual(['', [], []]);
    expect(await one.evaluate(() => caches.keys())).toEqual([]);
  });

  it('by a 401 keeps what was not sent, and the same person’s next login sends it', async () => {
    const page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    const id = await create(page, 'Unsent');
    await expect.poll(() => page.evaluate(() => stage.journal())).toEqual([]);
    setWeather({ offline: false, status: 401 });
    const atLogin = page.waitForURL('**/login?clear=true*');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await create(page, 'Another').catch(() => undefined);
    await atLogin;
    await new Promise((resolve) => setTimeout(resolve, 500));
    setWeather({ status: undefined });
    await page.evaluate((given) => stage.open(given), who);
    expect(await until(() => server.row('memory', id))).toMatchObject({ title: 'Unsent' });
  });

  it('by a 401 with everything sent leaves nothing behind', async () => {
    const page = await openTab();
    await ready(page);
    await create(page, 'Sent');
    await until(async () => (await state(page)) === 'synced');
    expect(server.applied).toHaveLength(1);
    // Replicache stores a confirmation when it is idle; until then the change counts as one that may be unsent.
    await expect.poll(() => page.evaluate((userId) => stage.unsent(userId), USER)).toEqual([]);
    setWeather({ status: 401 });
    const atLogin = page.waitForURL('**/login?clear=true*');
    server.put('memory', memoryRow());
    await atLogin;
    const left = () => page.evaluate(() => stage.databases());
    await expect.poll(left).toEqual([]);
  });
});
