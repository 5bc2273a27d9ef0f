/** What the fan-out makes of a channel, whatever its kind: one that works, that lies, that refuses, and that is not there. */
import { Writable } from 'node:stream';
import { Client } from 'pg';
import { Registry } from 'prom-client';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import { parseConfig } from '#server/config.ts';
import { createLog } from '#server/log.ts';
import { openFanOut, type FanOut } from '#server/sync/fan-out.ts';
import { createSyncMetrics } from '#server/sync/metrics.ts';
import { createPokeBus, type Commit } from '#server/sync/poke-bus.ts';
import { readMessage, writeMessage, type PokeChannel } from '#server/sync/poke-channel.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { takePort } from '#tests/support/ports.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
let cast: Cast;
let realmId: string;
let fanOut: FanOut | undefined;
beforeAll(async () => {
  cast = await createCast(world);
  realmId = cast.workspaceId;
});
// The sweep of versions runs only when a test starts it.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(async () => {
  await fanOut?.close();
  fanOut = undefined;
  vi.useRealTimers();
});

/** A channel that a test holds in its hands. */
function createChannel() {
  const sent: Commit[][] = [];
  let hear: (commit: Commit) => void = () => undefined;
  const channel: PokeChannel = {
    async announce(commits) {
      sent.push(commits.map((commit) => ({ ...commit })));
    },
    async listen({ onCommit }) {
      hear = onCommit;
    },
  };
  return { channel, sent, hear: (commit: Commit) => hear(commit) };
}

/** One more node on the database of the world. */
function openNode({ channel, env = {} }: { channel?: PokeChannel; env?: Record<string, string> }) {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const pokes = createPokeBus();
  const registry = new Registry();
  const context = {
    ...world.context,
    config: parseConfig({ DATABASE_URL: world.database.url, ...env }),
    log: createLog('warn', sink),
    metrics: createSyncMetrics(registry),
    pokes,
  };
  const opened = openFanOut(context, channel);
  fanOut = opened;
  const heard: number[] = [];
  opened.follow(realmId, ({ version }) => heard.push(version));
  return {
    heard,
    lines,
    registry,
    commit: (version: number) => pokes.committed(new Map([[realmId, version]])),
    close: () => opened.close(),
  };
}

async function versionNow(): Promise<number> {
  const row = await world.context.db
    .selectFrom('sync_realm')
    .select('version')
    .where('realmId', '=', realmId)
    .executeTakeFirstOrThrow();
  return row.version;
}

describe('a channel', () => {
  it('carries the newest version of a realm, once for commits close together', async () => {
    const { channel, sent } = createChannel();
    const node = openNode({ channel });
    for (const version of [101, 103, 102]) node.commit(version);
    await expect.poll(() => sent).toEqual([[{ realmId, version: 103, at: expect.any(Number) }]]);
  });

  it('carries what waits when the server stops', async () => {
    const { channel, sent } = createChannel();
    const node = openNode({ channel });
    node.commit(104);
    await node.close();
    expect(sent).toEqual([[{ realmId, version: 104, at: expect.any(Number) }]]);
  });

  it('delivers a version once, and an older one not at all', async () => {
    const { channel, hear } = createChannel();
    const node = openNode({ channel });
    for (const version of [1_000_001, 1_000_001, 1_000_000, 1_000_002]) hear({ realmId, version });
    hear({ realmId: 'another', version: 1_000_003 });
    expect(node.heard).toEqual(expect.arrayContaining([1_000_001, 1_000_002]));
    expect(node.heard.filter((version) => version >= 1_000_000)).toHaveLength(2);
  });

  it('cannot hide later versions by naming one that does not exist', async () => {
    const { channel, hear } = createChannel();
    const node = openNode({ channel });
    hear({ realmId, version: Number.MAX_SAFE_INTEGER });
    await createBuild(cast).memory({ title: 'After the lie' });
    const version = await versionNow();
    vi.advanceTimersByTime(SYNC.versionSweepMs);
    await expect.poll(() => node.heard.at(-1)).toBe(version);
  });

  it('may refuse, which is logged and does not reach the writer', async () => {
    const { channel } = createChannel();
    const refusing = { ...channel, announce: () => Promise.reject(new Error('not now')) };
    const node = openNode({ channel: refusing });
    node.commit(105);
    await expect.poll(() => node.lines.join('')).toContain('commits could not be announced');
  });
});

describe('a session', () => {
  it('that ran out ends with the next look at all that are followed, and another one goes on', async () => {
    const { db, clock } = world.context;
    const sessions = await db
      .selectFrom('session')
      .select('id')
      .where('userId', '=', cast.bob.user.id)
      .execute();
    const signedIn = await db
      .selectFrom('session')
      .select('id')
      .where('userId', '=', cast.rita.user.id)
      .execute();
    openNode({ channel: createChannel().channel });
    const ended: string[] = [];
    for (const { id } of [...sessions, ...signedIn]) fanOut?.followSession(id, () => ended.push(id));
    await db
      .updateTable('session')
      .set({ expiresAt: clock.now().toISOString() })
      .where('userId', '=', cast.bob.user.id)
      .execute();
    vi.advanceTimersByTime(SYNC.heartbeatMs);
    await expect.poll(() => ended).toEqual(sessions.map(({ id }) => id));
    expect(sessions).not.toEqual([]);
    expect(signedIn).not.toEqual([]);
  });
});

describe('a message', () => {
  it('is read as it was written', () => {
    const commit = { realmId: 'wks_1', version: 7, at: 1_700_000_000_000 };
    expect(readMessage(writeMessage(commit))).toEqual(commit);
    expect(readMessage(writeMessage({ realmId: 'wks_1', version: 7 }))).toEqual({
      realmId: 'wks_1',
      version: 7,
    });
  });

  it.each([
    '',
    'null',
    '7',
    '"text"',
    '[]',
    '{}',
    '{"realm":"w"}',
    '{"realm":7,"v":7}',
    '{"realm":"w","v":"7"}',
    '{"realm":"w","v":1e999}',
    '{"realm":"w","v":1.5}',
    '{"realm":"w","v":7',
    '\u0000\uFFFD',
  ])('that is %j is none', (text) => {
    expect(readMessage(text)).toBeUndefined();
  });

  it('that is too long is none', () => {
    expect(readMessage(writeMessage({ realmId: 'w'.repeat(1_000), version: 7 }))).toBeUndefined();
  });
});

describe('a garbled notice of the database', () => {
  it('is passed over', async () => {
    const node = openNode({});
    await expect.poll(() => node.registry.metrics()).toContain('loci_sync_listening{bus="postgres"} 1');
    const { pool } = world.context;
    await pool.query(`select pg_notify('loci_commit', 'no {json')`);
    await pool.query(`select pg_notify('loci_commit', $1)`, [writeMessage({ realmId, version: 2_000_000 })]);
    await expect.poll(() => node.heard).toContain(2_000_000);
  });
});

describe('a NATS server that is not there', () => {
  it('stops and delays nothing: the sweep finds commits, and the database is not notified', async () => {
    const noticed = new Client({ connectionString: world.database.url });
    await noticed.connect();
    const payloads: (string | undefined)[] = [];
    noticed.on('notification', ({ payload }) => payloads.push(payload));
    await createBuild(cast).memory({ title: 'Before the node' });
    const before = await versionNow();
    const address = `127.0.0.1:${await takePort()}`;
    const node = openNode({ env: { POKE_URL: `nats://loci:hunter22-of-the-bus@${address}` } });
    vi.advanceTimersByTime(SYNC.versionSweepMs);
    await expect.poll(() => node.heard).toContain(before);
    await expect.poll(() => node.lines.join('')).toContain('"bus":"nats"');
    await noticed.query('listen loci_commit');
    node.commit(3_000_000);
    await node.close();
    await noticed.query(`notify loci_commit, 'the end'`);
    await expect.poll(() => payloads).toContain('the end');
    expect(payloads.join(' ')).not.toContain('3000000');
    expect(node.lines.join('')).not.toContain('hunter22');
    expect(await node.registry.metrics()).toContain('loci_sync_listening{bus="nats"} 0');
    await noticed.end();
  });
});
