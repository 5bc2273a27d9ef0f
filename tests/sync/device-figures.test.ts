/**
 * The figures that a device reports about itself: the client's own engine against the real server, read at GET
 * /metrics.
 */
import { openTab, type Tab } from '#tests/support/device.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { until } from '#tests/support/engine-port.ts';
import { addressIn } from '#tests/support/fake-sync-server.ts';
import { readMetrics } from '#tests/support/metrics.ts';
import { openWorld } from '#tests/support/world.ts';

const HOUR_MS = 3_600_000;
const AGE = 'loci_sync_device_pending_age_seconds';

const tabs: Tab[] = [];
const world = await openWorld();
const cast = await createCast(world);
afterEach(async () => {
  for (const tab of tabs.splice(0)) await tab.end();
});

/** Bob's device; its person writes at a time of their own, and what is pushed may meet a dead network. */
function sit(network: { refusesPushes: boolean }): Tab['replica'] {
  const { user, token } = cast.bob;
  const reach: typeof fetch = async (input, init) => {
    if (network.refusesPushes && addressIn(input).endsWith('/push')) throw new TypeError('fetch failed');
    return await fetch(input, init);
  };
  const tab = openTab({
    userId: user.id,
    token,
    apiBase: world.url,
    fetch: reach,
    check: {
      everyMs: 1,
      quietMs: 20,
    },
    now: () => Date.now() - 2 * HOUR_MS,
  });
  tabs.push(tab);
  tab.replica.openWorkspace(cast.workspaceId);
  return tab.replica;
}

const synced = (replica: Tab['replica']) => until(() => replica.status().state === 'synced');

/** Lets the device pull once more, and returns how many of its pulls reported a waiting change. */
async function toldByNextPull(replica: Tab['replica']): Promise<number> {
  const pulls = 'loci_sync_reader_audiences_count';
  const before = await readMetrics(world);
  replica.syncNow();
  await until(async () => (await readMetrics(world)).of(pulls) > before.of(pulls));
  return (await readMetrics(world)).of(`${AGE}_count`) - before.of(`${AGE}_count`);
}

describe('a device', () => {
  it('reports with its pulls how long its oldest change has waited, until the server has it', async () => {
    const network = { refusesPushes: false };
    const replica = sit(network);
    await synced(replica);
    expect((await readMetrics(world)).of(`${AGE}_count`)).toBe(0);
    network.refusesPushes = true;
    await replica.mutate('memory.create', { id: newId('memory'), origin: 'web', title: 'Waits' });
    await expect.poll(() => toldByNextPull(replica)).toBeGreaterThan(0);
    const { of } = await readMetrics(world);
    // It was made two hours ago by the clock of the page.
    expect(of(`${AGE}_bucket{le="3600"}`)).toBe(0);
    expect(of(`${AGE}_bucket{le="21600"}`)).toBe(of(`${AGE}_count`));
    network.refusesPushes = false;
    replica.syncNow();
    await synced(replica);
    await expect.poll(() => toldByNextPull(replica)).toBe(0);
  });

  it('that was compared and found equal reports how much its browser stores', async () => {
    const estimate = () => Promise.resolve({ usage: 12_345.6, quota: 1e9 });
    Object.defineProperty(navigator, 'storage', { configurable: true, value: { estimate } });
    await synced(sit({ refusesPushes: false }));
    const size = 'loci_sync_device_storage_bytes';
    const isTold = async () => {
      const measured = await readMetrics(world);
      return measured.of(`${size}_count`) > 0 && measured;
    };
    // A device looks at itself once it is still; the first time it notes the time only, later a change may come between.
    const seen = await until(async () => {
      await createBuild(cast).memory({ title: 'Moves it' });
      return await until(isTold).catch(() => false as const);
    });
    Reflect.deleteProperty(navigator, 'storage');
    expect(seen.of(`${size}_sum`)).toBe(12_346 * seen.of(`${size}_count`));
    const rows = 'loci_sync_device_rows';
    expect(seen.of(`${rows}_count`)).toBe(seen.of('loci_sync_checks_total{outcome="same"}'));
    expect(seen.of(`${rows}_sum`)).toBeGreaterThan(seen.of(`${rows}_count`));
  });
});
