// Tabs of one browser on one database while all of them write and the server changes rows: the store that reads ahead
// shows nothing stale, and nothing that was written is lost. Real Chromium, real IndexedDB. A store that is wrong
// on purpose proves that this can fail.
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Head } from '#shared/entities.ts';
import { newId } from '#shared/ids.ts';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memberRow, memoryRow, minute, USER, WORKSPACE } from '#tests/support/replica-rows.ts';
import type { StageStore } from '#tests/support/replica-stage/built-stage.ts';
import { serveStage, type StageServer } from '#tests/support/replica-stage/stage-server.ts';

const who = { userId: USER, workspaceId: WORKSPACE };
/** As many as a large workspace has. */
const MANY_ROWS = 5_000;
const WRITES = 30;
const LIMIT = 2 * MANY_ROWS;

let server: FakeSyncServer;
let site: StageServer;
let profile: BrowserProfile;
/** Errors that Replicache reports when the storage beneath it has changed unexpectedly. */
let storageFaults: string[];

beforeEach(async () => {
  storageFaults = [];
  server = new FakeSyncServer({ userId: USER, realmId: WORKSPACE });
  server.put('workspace_member', memberRow());
  profile = new BrowserProfile();
});

afterEach(async () => {
  await profile.remove();
  await site.close();
});

async function serve(store: StageStore): Promise<void> {
  site = await serveStage([server, new FakeSyncServer({ userId: USER, realmId: USER })], { store });
}

async function openTab(): Promise<Page> {
  const page = await profile.open(site.address);
  page.on('console', (message) => {
    if (/Error during (persist|refresh)/.test(message.text())) storageFaults.push(message.text());
  });
  await page.evaluate((given) => stage.open(given), who);
  return page;
}

const sorted = (titles: readonly (string | null)[]) => titles.map(String).sort();
const titles = async (page: Page) => sorted(await page.evaluate((limit) => stage.titles(limit), LIMIT));
const shows = async (page: Page, expected: () => readonly string[]) => {
  // The difference, because thousands of titles say nothing.
  const missing = async () => {
    const [shown, wanted] = [new Set(await titles(page)), expected()];
    return { missing: wanted.filter((title) => !shown.has(title)), more: shown.size - new Set(wanted).size };
  };
  // Each look sorts and carries over all titles, which takes time from the tabs.
  await expect.poll(missing, { interval: 300 }).toEqual({ missing: [], more: 0 });
};

/** Makes memories one after the other, so that each is persisted among the writes of the others. */
function write(page: Page, name: string): Promise<void> {
  const rows = Array.from({ length: WRITES }, (_unused, index) => ({
    id: newId('memory'),
    title: `${name} ${index}`,
  }));
  return page.evaluate(async (made) => {
    for (const { id, title } of made) {
      await stage.mutate('memory.create', { id, origin: 'web', title });
      await stage.mutate('memory.update', { id, title: `${title}, edited` });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }, rows);
}

/** The whole story, with what must be true at each point. */
async function writeInThreeTabs(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_unused, index) =>
    memoryRow({ title: `Row ${index}`, created: minute(index) }),
  );
  server.put('memory', ...rows);
  const onServer = () =>
    sorted(rows.flatMap(({ id }) => server.row('memory', id)?.title ?? [])).concat(
      ['one', 'two', 'three'].flatMap((name) =>
        Array.from({ length: WRITES }, (_unused, index) => `${name} ${index}, edited`),
      ),
    );
  const one = await openTab();
  await expect.poll(() => one.evaluate(() => stage.count())).toBe(count);
  // From the device, while the first one may still be writing it.
  const two = await openTab();
  await expect.poll(() => two.evaluate(() => stage.count())).toBe(count);

  let round = 0;
  const changing = setInterval(() => {
    const changed = rows.slice(round * 20, round * 20 + 20).map((row): Head<'memory'> => ({
      ...row,
      title: `${row.title}, changed`,
    }));
    round += 1;
    if (changed.length > 0) server.put('memory', ...changed);
  }, 100);
  const writing = [write(one, 'one'), write(two, 'two')];
  const three = await openTab();
  await expect.poll(() => three.evaluate(() => stage.count())).toBeGreaterThanOrEqual(count);
  await Promise.all([...writing, write(three, 'three')]);
  clearInterval(changing);
  expect(storageFaults).toEqual([]);

  for (const page of [one, two, three]) await shows(page, onServer);
  await expect.poll(() => server.applied.length).toBe(3 * 2 * WRITES);
  expect(new Set(server.applied).size).toBe(server.applied.length);
  for (const page of [one, two, three]) {
    await expect.poll(() => page.evaluate(() => stage.status().state)).toBe('synced');
  }

  // What the device has is the same: a tab without network reads it whole.
  await expect.poll(() => one.evaluate(() => stage.journal())).toEqual([]);
  server.weather.offline = true;
  const four = await openTab();
  await shows(four, onServer);
  expect(storageFaults).toEqual([]);
}

it('tabs that write at once while the server changes rows all show the same, and so does the device afterwards', async () => {
  await serve('right');
  await writeInThreeTabs(MANY_ROWS);
});

it.each([200])(
  'finds out a store that does not look at what other tabs wrote, with %i rows',
  async (count) => {
    await serve('lonely');
    await expect(writeInThreeTabs(count)).rejects.toThrow();
    expect(storageFaults).not.toEqual([]);
  },
);
