// The device's store in a real browser with its real IndexedDB: killed while it writes, merges packs or converts what the
// version before left, and without room on the disk. What is there afterwards is the state after a whole transaction.
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { fc } from '#tests/support/fast-check.ts';
import { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memberRow, memoryRow, minute, USER, WORKSPACE } from '#tests/support/replica-rows.ts';
import { serveStage, type StageServer } from '#tests/support/replica-stage/stage-server.ts';
import { SEED } from '#tests/support/seed.ts';

const who = { userId: USER, workspaceId: WORKSPACE };
const NAME = 'rep:rounds';

let server: FakeSyncServer;
let account: FakeSyncServer;
let site: StageServer;
let profile: BrowserProfile;

beforeEach(async () => {
  server = new FakeSyncServer({ userId: USER, realmId: WORKSPACE });
  account = new FakeSyncServer({ userId: USER, realmId: USER });
  server.put('workspace_member', memberRow());
  site = await serveStage([server, account]);
  profile = new BrowserProfile();
});

afterEach(async () => {
  await profile.remove();
  await site.close();
});

const blankTab = () => profile.open(`${site.address}/other`);

/** Milliseconds, the same ones for the same seed. */
const delays = (count: number, max: number) => fc.sample(fc.nat(max), { numRuns: count, seed: SEED });

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets a tab write until its browser is killed; `onCommit` receives the number of each committed transaction. */
async function writeOn(onCommit: (count: number) => void): Promise<void> {
  const page = await blankTab();
  page.on('console', (message) => {
    const [, count] = /^committed (\d+)$/.exec(message.text()) ?? [];
    if (count !== undefined) onCommit(Number(count));
  });
  page.evaluate((name) => stage.storeRounds.writeOn(name), NAME).catch(() => undefined);
}

async function check(): Promise<number> {
  const page = await blankTab();
  const { count, wrong } = await page.evaluate((name) => stage.storeRounds.check(name), NAME);
  expect(wrong).toEqual([]);
  return count;
}

it('has every committed transaction whole after each of many kills, with two tabs at work', async () => {
  let known = 0;
  for (const delay of delays(8, 600)) {
    const atStart = known;
    for (let tab = 0; tab < 2; tab += 1) await writeOn((count) => (known = Math.max(known, count)));
    await expect.poll(() => known).toBeGreaterThan(atStart + 10);
    await pause(delay);
    await profile.kill();
    const count = await check();
    expect(count).toBeGreaterThanOrEqual(known);
    known = count;
  }
});

it('converts what the version before left, however often it is killed over it', async () => {
  const page = await blankTab();
  await page.evaluate((name) => stage.storeRounds.makeOldAfter(name, 60, 3_000), NAME);
  for (const delay of delays(4, 700)) {
    const tab = await blankTab();
    tab.evaluate((name) => stage.storeRounds.check(name), NAME).catch(() => undefined);
    await pause(delay);
    await profile.kill();
  }
  expect(await check()).toBe(60);
});

it('writes nothing of what finds no room, and goes on when there is room again', async () => {
  // The browser looks at the limit when it first writes for the site, so it must stand before.
  const quota = await (await profile.context()).newCDPSession(await profile.open('about:blank'));
  await quota.send('Storage.overrideQuotaForOrigin', { origin: site.address, quotaSize: 2_000_000 });
  const page = await blankTab();
  const { count, failures } = await page.evaluate((name) => stage.storeRounds.writeUntilRefused(name), NAME);
  expect(failures).toEqual([expect.stringContaining('Quota')]);
  expect(await check()).toBe(count);
  await quota.send('Storage.overrideQuotaForOrigin', { origin: site.address });
  let known = 0;
  await writeOn((committed) => (known = Math.max(known, committed)));
  await expect.poll(() => known).toBeGreaterThan(count + 80);
  await profile.kill();
  expect(await check()).toBeGreaterThanOrEqual(known);
});

it('keeps the rows and the unsent changes of a device that the version before has filled', async () => {
  server.put(
    'memory',
    ...Array.from({ length: 300 }, (_unused, index) =>
      memoryRow({ title: `Row ${index}`, created: minute(index) }),
    ),
  );
  const open = async () => {
    const page = await profile.open(site.address);
    await page.evaluate((given) => stage.open(given), who);
    return page;
  };
  const create = (page: Page, title: string) =>
    page.evaluate((args) => stage.mutate('memory.create', args), {
      id: newId('memory'),
      origin: 'web' as const,
      title,
    });
  const first = await open();
  await expect.poll(() => first.evaluate(() => stage.count())).toBe(300);
  await expect.poll(() => first.evaluate(() => stage.isDurable())).toBe(true);
  for (const each of [server, account]) each.weather.offline = true;
  await create(first, 'Written by Replicache');
  await expect.poll(() => first.evaluate(() => stage.journal())).toEqual([]);
  await create(first, 'In the journal only');
  await profile.kill();

  const blank = await blankTab();
  const names = (await blank.evaluate(() => stage.databases())).filter((name) => name.startsWith('rep'));
  for (const name of names) await blank.evaluate((each) => stage.storeRounds.makeOld(each), name);
  await blank.close();

  const again = await open();
  await expect.poll(() => again.evaluate(() => stage.count())).toBe(302);
  for (const each of [server, account]) each.weather.offline = false;
  await again.evaluate(() => dispatchEvent(new Event('online')));
  await expect.poll(() => again.evaluate(() => stage.status().state)).toBe('synced');
  expect(server.applied).toHaveLength(2);
  const titles = [...server.rows.values()].map(({ value }) => JSON.stringify(value));
  for (const title of ['Written by Replicache', 'In the journal only'])
    expect(titles.filter((text) => text.includes(title))).toHaveLength(1);
});
