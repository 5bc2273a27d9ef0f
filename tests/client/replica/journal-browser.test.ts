// Changes that a crash interrupts, in a real browser: whatever was answered is still there, once, in order.
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId, type Id } from '#shared/ids.ts';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { until } from '#tests/support/engine-port.ts';
import { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memberRow, USER, WORKSPACE } from '#tests/support/replica-rows.ts';
import { serveStage, type StageServer } from '#tests/support/replica-stage/stage-server.ts';
// The type of `stage`, which pages of the stage have.
import type {} from '#tests/support/replica-stage/stage.tsx';

const who = { userId: USER, workspaceId: WORKSPACE };

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
}, 60_000);

afterEach(async () => {
  await profile.remove();
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

/** Leaves the page as a reload does, the moment the last answer is in. */
async function reload(page: Page): Promise<void> {
  await page.reload();
  await page.evaluate((given) => stage.open(given), who);
}

const ready = (page: Page) => until(() => page.evaluate(() => stage.firstSync().state === 'ready'), 20_000);
const titles = (page: Page) => page.evaluate(() => stage.titles(50).toReversed());
const settles = (page: Page, expected: readonly string[]) =>
  expect.poll(() => titles(page), { timeout: 20_000 }).toEqual(expected);

async function goOnline(page: Page): Promise<void> {
  setWeather({ offline: false, loseAnswers: false });
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect.poll(() => page.evaluate(() => stage.status().state), { timeout: 30_000 }).toBe('synced');
}

/** Makes memories and ends the page in the same task as the last answer arrives. */
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

const NAMES = Array.from({ length: 12 }, (_unused, index) => `Note ${String(index).padStart(2, '0')}`);

describe('what was answered', () => {
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
  }, 60_000);

  it('is there after the browser was killed in the same moment (F6)', async () => {
    const page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    await createThen(page, NAMES);
    await profile.kill();
    const again = await openTab();
    await settles(again, NAMES);
    await goOnline(again);
    expect(server.applied).toHaveLength(NAMES.length);
  }, 60_000);

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
  }, 60_000);

  it('is sent once more after each of several crashes, and applied once', async () => {
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
  }, 90_000);

  it('is not applied again when the server had it and somebody has changed it since', async () => {
    const page = await openTab();
    await ready(page);
    const [id = newId('memory')] = await createThen(page, ['Mine']);
    await until(() => server.row('memory', id));
    await until(async () => (await page.evaluate(() => stage.status().state)) === 'synced');
    // The row itself has to be in the replica's own store, which it writes when it is idle: a change of a row that is
    // not there after a crash is told as lost instead of waiting for the first pull.
    await page.waitForTimeout(5_000);
    setWeather({ loseAnswers: true });
    await rename(page, id, 'Mine again');
    await until(() => server.row('memory', id)?.title === 'Mine again');
    await profile.kill();
    const row = server.row('memory', id);
    if (row) server.put('memory', { ...row, title: 'Theirs' });
    const again = await openTab();
    await goOnline(again);
    await settles(again, ['Theirs']);
    expect(server.row('memory', id)?.title).toBe('Theirs');
  }, 60_000);

  it('of a long note is whole', async () => {
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
  }, 60_000);
});

describe('two tabs', () => {
  it('leave each other’s open changes alone', async () => {
    const [one, two] = [await openTab(), await openTab()];
    await ready(one);
    await ready(two);
    setWeather({ offline: true });
    await Promise.all([createThen(one, NAMES), createThen(two, NAMES)]);
    await reload(two);
    await until(async () => (await titles(two)).length === 2 * NAMES.length, 20_000);
    await until(async () => (await titles(one)).length === 2 * NAMES.length, 20_000);
    await goOnline(one);
    await goOnline(two);
    expect(server.applied).toHaveLength(2 * NAMES.length);
  }, 60_000);
});

describe('the journal', () => {
  it('is empty once Replicache has the changes, and goes with a logout (P6)', async () => {
    const page = await openTab();
    await ready(page);
    setWeather({ offline: true });
    await createThen(page, NAMES);
    await expect.poll(() => page.evaluate(() => stage.journal()), { timeout: 10_000 }).toEqual([]);
    await goOnline(page);
    await Promise.all([page.waitForURL('**/login?clear=true'), page.evaluate(() => void stage.logOut())]);
    await expect.poll(() => page.evaluate(() => stage.databases())).toEqual([]);
  });

  it('of an ended session is played when the same person signs in again', async () => {
    const page = await openTab();
    await ready(page);
    setWeather({ status: 401 });
    const atLogin = page.waitForURL('**/login?clear=true', { timeout: 10_000 });
    await createThen(page, ['Unsent']);
    await atLogin;
    setWeather({ status: undefined });
    await page.evaluate((given) => stage.open(given), who);
    await settles(page, ['Unsent']);
    await until(() => server.applied.length === 1, 20_000);
  }, 60_000);
});
