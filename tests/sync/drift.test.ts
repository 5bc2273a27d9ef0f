/**
 * The drift alarm: a replica that differs from the server is detected, reported and reloaded, whatever caused the
 * difference; an equal one is left alone. Real engines on one device, the real server.
 */
import { openTab, type Tab } from '#tests/support/device.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId, type Id } from '#shared/ids.ts';
import { DigestSum } from '#shared/sync/digest.ts';
import { syncState, type CheckRequest } from '#shared/sync/protocol.ts';
import { kindOfKey, SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import { ReplicaView } from '#client/replica/view.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import type { Agent } from '#tests/support/agent.ts';
import { until } from '#tests/support/engine-port.ts';
import { addressIn } from '#tests/support/fake-sync-server.ts';
import { openReplicas } from '#tests/support/replicas.ts';
import { openWorld } from '#tests/support/world.ts';

/** Compared whenever it has been still for a moment. */
const OFTEN = { everyMs: 1, quietMs: 20 };

let cast: Cast;
const world = await openWorld();
beforeEach(async () => {
  cast = await createCast(world);
});

/** Changes a row behind the back of the feed, as a fault of ours would. */
async function changeUnseen(id: Id<'memory'>, title: string): Promise<void> {
  await world.context.db.transaction().execute(async (trx) => {
    await sql`select set_config('app.sync_version', '1', true)`.execute(trx);
    await sql`update "memory" set "title" = ${title} where "id" = ${id}`.execute(trx);
  });
}

describe('a device whose replica drifted', () => {
  const tabs: Tab[] = [];
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const tab of tabs.splice(0)) await tab.end();
  });

  /** `onWay` rewrites responses on their way. */
  function sit({ user, token }: Agent, onWay = (text: string) => text): Tab & { checks: string[] } {
    const checks: string[] = [];
    const reach: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const address = addressIn(input);
      if (address.endsWith(`${cast.workspaceId}/pull`))
        return new Response(onWay(await response.text()), response);
      if (address.endsWith(`${cast.workspaceId}/check`)) checks.push(await response.clone().text());
      return response;
    };
    const tab = openTab({ userId: user.id, token, apiBase: world.url, fetch: reach, check: OFTEN });
    tabs.push(tab);
    tab.replica.openWorkspace(cast.workspaceId);
    return { ...tab, checks };
  }

  const titlesOf = ({ replica }: Tab) =>
    new ReplicaView(replica.mirrors)
      .list('memory')
      .flatMap(({ title }) => title ?? [])
      .sort();
  const synced = ({ replica }: Tab) => until(() => replica.status().state === 'synced');
  const sameAs = ({ checks }: { checks: string[] }) => checks.at(-1)?.includes('"same"') === true;

  /** A device that was compared once and found right. */
  async function sitAndSettle(agent: Agent, onWay?: (text: string) => string) {
    const tab = sit(agent, onWay);
    await synced(tab);
    // The first visit notes the time only; each later change is looked at.
    await createBuild(cast).memory({ title: 'Moves it' });
    await until(() => titlesOf(tab).includes('Moves it'));
    await createBuild(cast).memory({ title: 'Moves it again' });
    await until(() => sameAs(tab));
    return tab;
  }

  it('is reported on the device and in the log of the server, and is repaired', async () => {
    const logged = vi.spyOn(world.context.log, 'error').mockImplementation(() => undefined);
    const { id } = await createBuild(cast).memory({ title: 'As it was' });
    const tab = await sitAndSettle(cast.bob);
    expect(tab.replica.status().drift).toBeUndefined();
    await changeUnseen(id, 'As it is');
    expect(titlesOf(tab)).toContain('As it was');
    // Something else moves the replica; then it is compared.
    await createBuild(cast).memory({ title: 'Something else' });
    await until(() => tab.replica.status().drift);
    const healed = ['As it is', 'Moves it', 'Moves it again', 'Something else'];
    await expect.poll(() => titlesOf(tab)).toEqual(healed);
    await until(() => tab.replica.status().drift?.state === 'healed');
    expect(tab.checks.filter((text) => text.includes('"different"'))).toHaveLength(1);
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ realmId: cast.workspaceId, userId: cast.bob.user.id }),
      'a replica differs from the server',
    );
    expect(console.error).toHaveBeenCalledWith(expect.stringContaining('differs from the server'));
  });

  it('is reported when it still differs after a reload', async () => {
    vi.spyOn(world.context.log, 'error').mockImplementation(() => undefined);
    const { id } = await createBuild(cast).memory({ title: 'As it was' });
    const tab = await sitAndSettle(cast.bob, (text) => text.replace('As it is', 'As it was'));
    await changeUnseen(id, 'As it is');
    await createBuild(cast).memory({ title: 'Something else' });
    const told = () => vi.mocked(console.error).mock.calls.map(([words]) => String(words));
    await expect
      .poll(() => told().some((words) => words.includes('after it was loaded anew')), {})
      .toBe(true);
    expect(tab.checks.filter((text) => text.includes('"different"')).length).toBeGreaterThan(1);
  });

  it('still sends what was written in between', async () => {
    vi.spyOn(world.context.log, 'error').mockImplementation(() => undefined);
    const { id } = await createBuild(cast).memory({ title: 'As it was' });
    const tab = await sitAndSettle(cast.bob);
    await changeUnseen(id, 'As it is');
    await createBuild(cast).memory({ title: 'Something else' });
    const writing = Array.from({ length: 5 }, (_unused, n) =>
      tab.replica.mutate('memory.create', { id: newId('memory'), origin: 'web', title: `Mine ${n}` }),
    );
    await Promise.all(writing);
    await until(() => tab.replica.status().drift);
    const mine = Array.from({ length: 5 }, (_unused, n) => `Mine ${n}`);
    const all = ['As it is', ...mine, 'Moves it', 'Moves it again', 'Something else'];
    await expect.poll(() => titlesOf(tab)).toEqual(all);
    await synced(tab);
  });
});

describe('the comparison over HTTP', () => {
  async function sumOf(agent: Agent): Promise<CheckRequest> {
    const [replica] = openReplicas([
      {
        servers: [world.url],
        token: agent.token,
        userId: agent.user.id,
        realmId: cast.workspaceId,
      },
    ]);
    if (!replica) throw new Error('no replica');
    await replica.settle();
    const sum = new DigestSum();
    for (const [key, value] of await replica.rows()) if (kindOfKey(key) !== undefined) sum.add(key, value);
    const state = syncState.parse(await replica.replicache.query(async (tx) => await tx.get(SYNC_STATE_KEY)));
    await replica.close();
    return { v: state.v, ...sum.digest };
  }

  const ask = (agent: Agent, body: unknown, realmId: string = cast.workspaceId) =>
    agent.raw('POST', `/v1/sync/${realmId}/check`, { body });

  it('reports that a replica is equal, for each person in their own view', async () => {
    const build = createBuild(cast);
    await build.memory({ title: 'For all', notes: 'a long text '.repeat(1_000) });
    const hidden = await build.space({ visibility: 'private' });
    await build.memory({ title: 'For Alice', spaceId: hidden.id });
    const [alice, bob] = [await sumOf(cast.alice), await sumOf(cast.bob)];
    expect(alice.count).toBeGreaterThan(bob.count);
    expect((await ask(cast.alice, alice)).json).toEqual({ state: 'same' });
    expect((await ask(cast.bob, bob)).json).toEqual({ state: 'same' });
  });

  it('reports nothing when the workspace has changed, and nothing to strangers', async () => {
    const sum = await sumOf(cast.bob);
    expect((await ask(cast.eve, sum)).json).toEqual({ state: 'unknown' });
    expect((await ask(cast.eve, sum, newId('workspace'))).json).toEqual({ state: 'unknown' });
    await createBuild(cast).memory();
    expect((await ask(cast.bob, sum)).json).toEqual({ state: 'unknown' });
    const response = await fetch(`${world.url}/v1/sync/${cast.workspaceId}/check`, { method: 'POST' });
    expect(response.status).toBe(401);
  });

  it('refuses what is no sum', async () => {
    const sum = await sumOf(cast.bob);
    const wrong = [
      null,
      [],
      'text',
      {},
      {
        ...sum,
        v: -1,
      },
      {
        ...sum,
        v: 1.5,
      },
      {
        ...sum,
        count: '1',
      },
      {
        ...sum,
        sum: 'x'.repeat(16),
      },
      {
        ...sum,
        sum: 'a'.repeat(1e5),
      },
      {
        ...sum,
        v: '__proto__',
      },
    ];
    // What is no JSON object at all is refused before it is parsed.
    for (const body of wrong) expect([400, 422]).toContain((await ask(cast.bob, body)).status);
    expect((await ask(cast.bob, sum, 'nowhere')).status).toBe(404);
  });
});
