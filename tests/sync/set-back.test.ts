// A database that falls back to an earlier state: a dump that is restored in place, or a failover that lost transactions.
// The server and its devices find out by themselves, and what the devices had sent since comes back from them.
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { openTab, type Tab } from '#tests/support/device.ts';
import { newId, type Id } from '#shared/ids.ts';
import { ReplicaView } from '#client/replica/view.ts';
import { followHistory } from '#server/sync/epochs.ts';
import type { Agent } from '#tests/support/agent.ts';
import { createCast } from '#tests/support/build.ts';
import { until } from '#tests/support/engine-port.ts';
import { keepState } from '#tests/support/kept-state.ts';
import { openWorld } from '#tests/support/world.ts';

const open: Tab[] = [];
const world = await openWorld();
const cast = await createCast(world);
afterEach(async () => {
  for (const tab of open.splice(0)) await tab.end();
});

interface Device extends Tab {
  network: { isDown: boolean };
}

function connect(agent: Agent): Device {
  const network = { isDown: false };
  const reach: typeof fetch = async (...request) => {
    if (network.isDown) throw new TypeError('fetch failed');
    return await fetch(...request);
  };
  const tab = openTab({ userId: agent.user.id, token: agent.token, apiBase: world.url, fetch: reach });
  open.push(tab);
  tab.replica.openWorkspace(cast.workspaceId);
  return { ...tab, network };
}

const view = ({ replica }: Tab) => new ReplicaView(replica.mirrors);
const titleIn = (tab: Tab, id: Id<'memory'>) => view(tab).get('memory', id)?.title;
const synced = async (...tabs: Tab[]) => {
  for (const { replica } of tabs) await until(() => replica.status().state === 'synced');
};

async function note(tab: Tab, title: string): Promise<Id<'memory'>> {
  const id = newId('memory');
  await tab.replica.mutate('memory.create', { id, origin: 'web', title });
  return id;
}

async function storedTitle(id: Id<'memory'>): Promise<string | null | undefined> {
  const { workspaceId } = cast;
  const found = await world.context.db
    .selectFrom('memory')
    .select('title')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.title;
}

async function epochNow(): Promise<string | undefined> {
  const { rows } = await sql<{ epoch: string }>`
    select "epoch" from "sync_realm" where "realmId" = ${cast.workspaceId}`.execute(world.context.db);
  return rows[0]?.epoch;
}

it('gets back what devices had sent since, and takes what they send from then on', async () => {
  const [alice, bob] = [connect(cast.alice), connect(cast.bob)];
  await synced(alice, bob);
  const before = await note(alice, 'before');
  await synced(alice);
  const setBack = await keepState(world.context.db);
  const lost = await note(alice, 'lost');
  await alice.replica.mutate('memory.update', { id: before, title: 'edited' });
  const fromBob = await note(bob, 'lost too');
  await synced(alice, bob);
  await until(() => titleIn(bob, lost) === 'lost');
  bob.network.isDown = true;
  const unsent = await note(bob, 'unsent');
  await setBack();
  expect([await storedTitle(lost), await storedTitle(before)]).toEqual([undefined, 'before']);

  const after = await note(alice, 'after');
  bob.network.isDown = false;
  bob.replica.syncNow();
  const all = {
    [before]: 'edited',
    [lost]: 'lost',
    [fromBob]: 'lost too',
    [unsent]: 'unsent',
    [after]: 'after',
  };
  const titles = async (read: (id: Id<'memory'>) => unknown) =>
    JSON.stringify(await Promise.all([before, lost, fromBob, unsent, after].map((id) => read(id))));
  const expected = JSON.stringify(Object.values(all));
  await until(async () => (await titles(storedTitle)) === expected);
  for (const tab of [alice, bob]) {
    await until(async () => (await titles((id) => titleIn(tab, id))) === expected);
    await synced(tab);
    expect(tab.replica.status().problems).toEqual([]);
  }
});

it('is not sent again what it still has', async () => {
  const alice = connect(cast.alice);
  await synced(alice);
  const id = await note(alice, 'once');
  await alice.replica.mutate('memory.update', { id, title: 'twice' });
  await synced(alice);
  const setBack = await keepState(world.context.db);
  await note(alice, 'lost');
  await synced(alice);
  await cast.bob.api('memory.update', {
    params: { workspaceId: cast.workspaceId, id },
    body: { title: 'by another' },
  });
  await setBack();
  await cast.bob.api('memory.update', {
    params: { workspaceId: cast.workspaceId, id },
    body: { title: 'by another, later' },
  });
  await note(alice, 'after');
  await until(() => titleIn(alice, id) === 'by another, later');
  await synced(alice);
  expect(await storedTitle(id)).toBe('by another, later');
});

it('notices a dump restored in place after the versions that a device has seen were given out again', async () => {
  const alice = connect(cast.alice);
  await synced(alice);
  const setBack = await keepState(world.context.db);
  const before = await epochNow();
  const lost = await note(alice, 'lost');
  await synced(alice);
  alice.network.isDown = true;
  await setBack();
  // The versions that the device has seen are given out a second time, and it has nothing to send.
  const { workspaceId } = cast;
  const titles = Array.from({ length: 12 }, (_, index) => `since ${index}`);
  const since: Id<'memory'>[] = [];
  for (const title of titles)
    since.push((await cast.bob.api('memory.create', { body: { workspaceId, title } })).result.id);
  await until(async () => (await epochNow()) !== before);
  alice.network.isDown = false;
  alice.replica.syncNow();
  await until(() => since.every((id, index) => titleIn(alice, id) === titles[index]));
  await until(async () => (await storedTitle(lost)) === 'lost');
});

it('knows by cluster, database and timeline that it is another one', async () => {
  const { db } = world.context;
  await followHistory(db);
  const first = await epochNow();
  expect([await followHistory(db), await epochNow()]).toEqual([false, first]);
  await db
    .updateTable('sync_setting')
    .set({ value: 'of another cluster' })
    .where('name', '=', 'history')
    .execute();
  expect(await followHistory(db)).toBe(true);
  expect(await epochNow()).not.toBe(first);
});
