/**
 * Versions of the app that come and go: real replicas on one device and the real server. A newer
 * app takes over what an older one had, an older one lives with a newer server, and nothing that was written is lost.
 */
import { databasesWith, isOnDevice, noted, openTab, type Tab } from '#tests/support/device.ts';
import { sql } from 'kysely';
import type { WriteTransaction } from 'replicache';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from '#shared/ids.ts';
import type { SchemaSteps } from '#shared/sync/upcasters.ts';
import type { Replica } from '#client/replica/replica.ts';
import { ReplicaView } from '#client/replica/view.ts';
import { packedStore } from '#client/replica/worker/kv-store.ts';
import type { Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { until } from '#tests/support/engine-port.ts';
import { openReplicas, type ReplicaOptions, type TestReplica } from '#tests/support/replicas.ts';
import { openWorld } from '#tests/support/world.ts';
import { Oracle } from './oracle.ts';
import { expectTruth } from './replica-truth.ts';
import { describeLong } from '#tests/support/long-test.ts';

const DAY_MS = 86_400_000;

let cast: Cast;
const world = await openWorld();
const oracle = new Oracle(world.database.url);
beforeEach(async () => {
  cast = await createCast(world);
});
afterAll(async () => {
  await oracle.close();
});

const at = () => world.clock.now().toISOString();
const note = (title: string) => ({ id: newId('memory'), at: at(), origin: 'manual_entry' as const, title });

describeLong('an app with one mutator more', () => {
  const open: TestReplica[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((replica) => replica.close()));
  });

  function start(more: Pick<ReplicaOptions, 'moreMutators'> = {}): TestReplica {
    const { user, token } = cast.bob;
    const name = `device-${user.id}`;
    const [replica] = openReplicas([
      {
        servers: [world.url],
        token,
        userId: user.id,
        realmId: cast.workspaceId,
        keepsAnswers: true,
        device: {
          name,
          kvStore: packedStore(() => undefined),
        },
        ...more,
      },
    ]);
    if (replica === undefined) throw new Error('no replica');
    open.push(replica);
    return replica;
  }

  const onDevice = (text: string) =>
    until(async () => {
      const [name] = await databasesWith(`device-${cast.bob.user.id}`);
      return name !== undefined && isOnDevice(name, text);
    });

  const newer = {
    moreMutators: {
      'memory.sparkle': async (tx: WriteTransaction) => tx.set('9/sparkle', true),
    },
  };

  it('starts with what the device has, downloads nothing again, and the older one goes on too', async () => {
    // Created by another person, so that they are on the device only after a pull.
    for (const title of ['one', 'two', 'three']) await createBuild(cast).memory({ title });
    const old = start();
    await old.settle();
    for (const title of ['one', 'two', 'three']) await onDevice(title);
    const oldGroup = await old.replicache.clientGroupID;
    await old.close();

    const next = start(newer);
    expect((await next.rows('4/m/')).size).toBe(3);
    await next.settle();
    expect(await next.replicache.clientGroupID).not.toBe(oldGroup);
    expect(next.requests.length).toBeGreaterThan(0);
    for (const request of next.requests) expect(JSON.parse(request)).not.toMatchObject({ cookie: null });
    expect(next.answers.join('\n')).not.toContain('4/m/');
    expect(next.answers.join('\n')).not.toContain('"clear"');

    // The server is older than this app: an unknown mutation is reported, and the rest continues.
    await next.replicache.mutate['memory.sparkle']?.();
    const later = note('four');
    await next.mutate('memory.create', later);
    await next.settle();
    expect(await next.results()).toMatchObject([{ name: 'memory.sparkle', code: 'bad_request' }]);
    expect((await next.rows('9/')).size).toBe(0);
    await onDevice('four');
    await next.close();

    const back = start();
    await back.settle();
    for (const request of back.requests) expect(JSON.parse(request)).not.toMatchObject({ cookie: null });
    expect((await back.rows('4/m/')).size).toBe(4);
    await expectTruth(back, oracle, cast.workspaceId);
  });
});

describe('a device', () => {
  const tabs: Tab[] = [];
  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.end();
    delete world.context.schemaSteps;
    delete world.context.schemaVersions;
  });

  interface Network {
    isDown: boolean;
    /** Rewrites a response into that of another server. */
    rewrite?: (text: string) => string;
    /** Bodies of pulls that requested everything. */
    whole: string[];
  }

  const network = (): Network => ({ isDown: false, whole: [] });

  function sit(agent: Agent, wire: Network, schema?: { version: string; steps: SchemaSteps }): Tab {
    const reach: typeof fetch = async (input, init) => {
      if (wire.isDown) throw new TypeError('fetch failed');
      const path = typeof input === 'string' ? input : '';
      if (path.endsWith('/pull') && typeof init?.body === 'string' && init.body.includes('"cookie":null'))
        wire.whole.push(path);
      const response = await fetch(input, init);
      if (!wire.rewrite || !path.endsWith('/pull')) return response;
      return new Response(wire.rewrite(await response.text()), { status: response.status });
    };
    const tab = openTab({
      userId: agent.user.id,
      token: agent.token,
      apiBase: world.url,
      fetch: reach,
      now: () => world.clock.now().getTime(),
      ...(schema ? { schema } : {}),
    });
    tabs.push(tab);
    tab.replica.openWorkspace(cast.workspaceId);
    return tab;
  }

  const view = (replica: Replica) => new ReplicaView(replica.mirrors);
  const ready = (replica: Replica) => until(() => replica.firstSync().state === 'ready');
  const titlesOnServer = async () => {
    const { rows } = await sql<{ title: string }>`
      select "title" from "memory" where "workspaceId" = ${cast.workspaceId} order by 1`.execute(
      world.context.db,
    );
    return rows.map(({ title }) => title);
  };

  it('whose app was replaced by one of a new schema loads once and loses nothing that was written before', async () => {
    const { bob, workspaceId } = cast;
    const steps: SchemaSteps = {
      order: ['0', '1'],
      changed: {
        '0': {
          'memory.create': (args) => {
            const { title, ...rest } = z.looseObject({ title: z.string() }).parse(args);
            return { name: 'memory.create', args: { ...rest, title: `${title}, rewritten` } };
          },
        },
      },
    };
    const replaced = new Date(world.clock.now().getTime() - DAY_MS).toISOString();
    Object.assign(world.context, { schemaSteps: steps, schemaVersions: { '0': replaced, '1': null } });
    await createBuild(cast).memory({ title: 'Known' });
    const before = network();
    const old = sit(bob, before, { version: '0', steps: { order: ['0'], changed: {} } });
    await ready(old.replica);
    before.isDown = true;
    await old.replica.mutate('memory.create', { ...note('On the device') });
    const [name = ''] = await databasesWith(workspaceId, ':0');
    await until(async () => (await noted(name)) === 0);
    old.stopWriting();
    await old.replica.mutate('memory.create', { ...note('In the journal') });
    expect(await noted(name)).toBe(1);
    old.leave(workspaceId, bob.user.id);

    const wire = network();
    const next = sit(bob, wire, { version: '1', steps });
    const expected = ['In the journal, rewritten', 'Known', 'On the device, rewritten'];
    const titles = () =>
      view(next.replica)
        .list('memory')
        .flatMap(({ title }) => title ?? [])
        .sort();
    // The old tab is still ending; what it leaves is taken over when the new one next looks, as on every return to it.
    const look = () => {
      next.replica.syncNow();
      return titles();
    };
    await expect.poll(look, { interval: 200 }).toEqual(expected);
    await expect.poll(titlesOnServer).toEqual(expected);
    await until(() => next.replica.status().state === 'synced');
    expect(wire.whole.filter((path) => path.includes(workspaceId))).toHaveLength(1);
    await until(async () => (await noted(name)) === 0);

    // Once more: nothing of the old version is made again.
    next.leave(workspaceId, bob.user.id);
    const again = sit(bob, wire, { version: '1', steps });
    await ready(again.replica);
    await until(() => again.replica.status().state === 'synced');
    expect(await titlesOnServer()).toEqual(expected);
    expect(await noted(name)).toBe(0);
  });

  it('with an older app reads and writes with a newer server whose responses have unknown fields', async () => {
    const wire = network();
    wire.rewrite = (text) =>
      text
        .replaceAll('"title":', '"sparkle":{"colour":"green"},"title":')
        .replace('"patch":[{', '"patch":[{"op":"put","key":"8/sparkle/1","value":{"bright":true}},{');
    const known = await createBuild(cast).memory({ title: 'Known' });
    const { replica } = sit(cast.bob, wire);
    await ready(replica);
    await until(() => view(replica).get('memory', known.id)?.title === 'Known');
    expect(view(replica).count('memory')).toBe(1);
    await replica.mutate('memory.update', { id: known.id, title: 'Changed by the older app' });
    await until(() => replica.status().state === 'synced');
    expect(await titlesOnServer()).toEqual(['Changed by the older app']);
    expect(view(replica).get('memory', known.id)?.title).toBe('Changed by the older app');
  });
});
