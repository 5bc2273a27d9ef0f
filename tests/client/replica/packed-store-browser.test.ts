// The device's store in a real browser with its real IndexedDB: killed while it writes or merges packs, and without room on
// the disk. What is there afterwards is the state after a whole transaction.
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { fc } from '#tests/support/fast-check.ts';
import { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memberRow, USER, WORKSPACE } from '#tests/support/replica-rows.ts';
import { serveStage, type StageServer } from '#tests/support/replica-stage/stage-server.ts';
import { SEED } from '#tests/support/seed.ts';
import { IS_WHOLE } from '#tests/support/whole-run.ts';
import { itLong } from '#tests/support/long-test.ts';

const NAME = 'rep:rounds';

let server: FakeSyncServer;
let account: FakeSyncServer;
let site: StageServer;
/** One for both tests: each has an origin of its own, and starting a browser takes long. */
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
  for (const delay of delays(IS_WHOLE ? 8 : 1, 600)) {
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

itLong('writes nothing of what finds no room, and goes on when there is room again', async () => {
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
