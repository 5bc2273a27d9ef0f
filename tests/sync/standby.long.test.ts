/**
 * Pulls with a standby that follows a real primary: it takes the long reads of what it has reached. While it is held back or
 * away, pulls return what the primary alone would return.
 */
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import type { Agent } from '#tests/support/agent.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import { openTestDatabase } from '#tests/support/database.ts';
import { openTab, type Tab } from '#tests/support/device.ts';
import { createEmbeddedRig } from '#tests/support/embedded-rig.ts';
import { until } from '#tests/support/engine-port.ts';
import { createTemplate } from '#tests/support/global-postgres.ts';
import { readMetrics, rises } from '#tests/support/metrics.ts';
import { startStandby, type PostgresStandby } from '#tests/support/postgres-standby.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const reads = (outcome: string) => `loci_sync_standby_reads_total{outcome="${outcome}"}`;

const rig = createEmbeddedRig();
let standby: PostgresStandby;
let world: World;
let cast: Cast;
const tabs: Tab[] = [];
beforeAll(async () => {
  // Durable, because the log of one that is not is sent late.
  const primary = await rig.start(true);
  const url = await createTemplate(primary.url, 'product');
  standby = await startStandby({ ...primary, url }, mkdtempSync(path.join(rig.parent, 'standby-')));
  const database = openTestDatabase(url);
  world = await createWorld({ database, env: { DATABASE_READ_URL: standby.url } });
  cast = await createCast(world);
});
afterEach(async () => {
  for (const tab of tabs.splice(0)) await tab.end();
});
afterAll(async () => {
  await world.close();
  await world.database.drop();
  await standby.close();
  await rig.clear();
});

interface Pulled {
  cookie: unknown;
  patch: { op: string; key?: string; value?: { title?: string; revoked?: boolean } }[];
}

/** Pulls the workspace as a new client group of its own. */
async function pullAs(agent: Agent, cookie: unknown = null): Promise<Pulled> {
  const response = await fetch(`${world.url}/v1/sync/${cast.workspaceId}/pull`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      pullVersion: 1,
      schemaVersion: SYNC.schemaVersion,
      profileID: 'p',
      clientGroupID: `group-${agent.user.id}`,
      cookie,
    }),
  });
  expect(response.status).toBe(200);
  return await response.json();
}

const titles = ({ patch }: Pulled) => patch.flatMap(({ value }) => value?.title ?? []);

async function save(title: string): Promise<void> {
  await cast.bob.api('memory.create', { body: { workspaceId: cast.workspaceId, title } });
}

it('takes a first pull and the changes after it from the standby', async () => {
  await save('Before');
  await standby.caughtUp();
  const rise = await rises(world, async () => {
    const first = await pullAs(cast.alice);
    expect(titles(first)).toContain('Before');
    await save('After');
    await standby.caughtUp();
    expect(titles(await pullAs(cast.alice, first.cookie))).toEqual(['After']);
  });
  expect(rise(reads('answered'))).toBe(2);
  expect(rise(reads('behind'))).toBe(0);
});

it('compares a device with the standby', async () => {
  await standby.caughtUp();
  const rise = await rises(world, async () => {
    const tab = openTab({
      userId: cast.alice.user.id,
      token: cast.alice.token,
      apiBase: world.url,
      fetch,
      check: { everyMs: 1, quietMs: 20 },
    });
    tabs.push(tab);
    tab.replica.openWorkspace(cast.workspaceId);
    await until(() => tab.replica.status().state === 'synced');
    // The device compares itself once it is still after a change, and notes only the time when it does so first.
    const checks = async () => {
      await save('Moves it');
      await standby.caughtUp();
      return (await readMetrics(world)).of('loci_sync_checks_total{outcome="same"}');
    };
    await expect.poll(checks, { interval: 500 }).toBeGreaterThan(0);
  });
  expect(rise('loci_sync_checks_total{outcome="different"}')).toBe(0);
  expect(rise(reads('answered'))).toBeGreaterThan(2);
});

it('reads the newest from the primary while the standby is held back', async () => {
  const before = await pullAs(cast.alice);
  await standby.hold();
  const rise = await rises(world, async () => {
    await save('Not there yet');
    const there = await pullAs(cast.alice, before.cookie);
    expect(titles(there)).toEqual(['Not there yet']);
    expect(titles(await pullAs(cast.alice, there.cookie))).toEqual([]);
  });
  expect(rise(reads('behind'))).toBe(1);
  expect(rise(reads('answered'))).toBe(0);
});

it('gives a removed member nothing while the standby still counts them as one', async () => {
  const before = await pullAs(cast.rita);
  expect(titles(before)).toContain('Before');
  await cast.alice.api('workspace_member.remove', {
    params: { workspaceId: cast.workspaceId, id: cast.rita.user.id },
  });
  for (const cookie of [before.cookie, null]) {
    const { patch } = await pullAs(cast.rita, cookie);
    expect(patch).toEqual([
      { op: 'clear' },
      expect.objectContaining({ op: 'put', value: { revoked: true } }),
    ]);
  }
  await standby.release();
});

it('goes on without the standby when that is away, and does not ask it each time', async () => {
  await standby.close();
  const rise = await rises(world, async () => {
    for (let count = 0; count < 3; count += 1) expect(titles(await pullAs(cast.alice))).toContain('Before');
  });
  expect(rise(reads('failed'))).toBe(1);
});
