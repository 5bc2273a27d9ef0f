/**
 * Two nodes on one database with a real nats-server between them: what one writes is announced to streams on the other, also
 * after the server was killed and started again; meanwhile the next sweep of versions finds it. The sweep runs only when a test
 * starts it, so a poke without it came over the bus.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { connect } from '@nats-io/transport-node';
import { Client } from 'pg';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import { parseConfig } from '#server/config.ts';
import { storedSecret } from '#server/db/stored-secret.ts';
import { createLog } from '#server/log.ts';
import { createSyncMetrics } from '#server/sync/metrics.ts';
import { createNatsChannel } from '#server/sync/nats-channel.ts';
import type { Commit } from '#server/sync/poke-bus.ts';
import { writeMessage } from '#server/sync/poke-channel.ts';
import { TEST_PASSWORD, type Agent } from '#tests/support/agent.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import { readMetrics } from '#tests/support/metrics.ts';
import { prepareNatsServer, type NatsServer } from '#tests/support/nats-server.ts';
import { withPatience } from '#tests/support/patience.ts';
import { followPokes } from '#tests/support/poke-stream.ts';
import { createWorld, type World } from '#tests/support/world.ts';

let nats: NatsServer;
let writing: World;
let hearing: World;
let cast: Cast;
let alice: Agent;
const end = new AbortController();
let heard: number[];

const UP = 'loci_sync_listening{bus="nats"}';
const isUp = async (world: World) => (await readMetrics(world)).of(UP);

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  nats = await prepareNatsServer();
  // It is not there yet when the nodes start.
  const env = { POKE_URL: nats.url };
  writing = await createWorld({ env });
  hearing = await createWorld({ env, database: writing.database });
  cast = await createCast(writing);
  alice = cast.alice;
  heard = followPokes(hearing.url, { token: alice.token, realmId: cast.workspaceId, signal: end.signal });
});
afterAll(async () => {
  end.abort();
  await hearing.close();
  await writing.close();
  await nats.close();
  vi.useRealTimers();
});

/** Writes on the one node; returns the version. */
async function write(): Promise<number> {
  await alice.api('memory.create', { body: { workspaceId: cast.workspaceId, title: 'a note' } });
  const row = await writing.context.db
    .selectFrom('sync_realm')
    .select('version')
    .where('realmId', '=', cast.workspaceId)
    .executeTakeFirstOrThrow();
  return row.version;
}

const untilHeard = (version: number) =>
  expect.poll(() => Math.max(0, ...heard)).toBeGreaterThanOrEqual(version);

/** Writes until a write is announced: an announcement just before a subscription is lost, as one may be. */
async function untilAnnounced(): Promise<void> {
  const last = Math.max(0, ...heard);
  const next = async () => {
    await write();
    return Math.max(0, ...heard);
  };
  await expect.poll(next, { interval: 100 }).toBeGreaterThan(last);
}

async function start(): Promise<void> {
  await nats.start();
  for (const world of [writing, hearing]) await expect.poll(() => isUp(world)).toBe(1);
}

it('is not needed: without it the sweep finds what was written', async () => {
  expect([await isUp(writing), await isUp(hearing)]).toEqual([0, 0]);
  // The stream follows the workspace when it has delivered something of it.
  const swept = async () => {
    await write();
    vi.advanceTimersByTime(SYNC.versionSweepMs);
    return heard.length;
  };
  await expect.poll(swept, { interval: 200 }).toBeGreaterThan(0);
  const version = await write();
  vi.advanceTimersByTime(SYNC.versionSweepMs);
  await untilHeard(version);
});

describe('with a server', () => {
  beforeEach(start);

  it('carries a commit from one node to the other, and sends no notification in the database', async () => {
    const noticed = new Client({ connectionString: writing.database.url });
    await noticed.connect();
    const payloads: (string | undefined)[] = [];
    noticed.on('notification', ({ payload }) => payloads.push(payload));
    await noticed.query('listen loci_commit');
    await untilHeard(await write());
    await noticed.query(`notify loci_commit, 'the end'`);
    await expect.poll(() => payloads).toContain('the end');
    expect(payloads).toEqual(['the end']);
    await noticed.end();
  });

  it('still ends streams of a session that ended on the other node', async () => {
    const { result } = await alice.api('auth.login', {
      body: { email: alice.user.email, password: TEST_PASSWORD },
    });
    const stream = await fetch(`${hearing.url}/v1/sync/poke`, {
      headers: { authorization: `Bearer ${result.token}` },
    });
    await fetch(`${writing.url}/v1/auth/logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${result.token}` },
    });
    // Its end completes the text.
    expect(await stream.text()).toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it('was killed: the next sweep finds what was written, and after its return it announces again', async () => {
    for (let round = 0; round < 3; round += 1) {
      await nats.kill();
      for (const world of [writing, hearing]) await expect.poll(() => isUp(world)).toBe(0);
      const version = await write();
      expect(Math.max(...heard)).toBeLessThan(version);
      vi.advanceTimersByTime(SYNC.versionSweepMs);
      await untilHeard(version);
      const missed = await write();
      await start();
      // The versions are read at the reconnect.
      await untilHeard(missed);
      await untilAnnounced();
    }
  });

  it('passes over what is no message, what is foreign, and what lies', async () => {
    const foreigner = await connect(nats.options);
    const subject = `loci.${await storedSecret(writing.context.db, 'poke subject')}.commit`;
    const realmId = cast.workspaceId;
    for (const message of ['', '{', 'null', '{"realm":1,"v":1}', 'x'.repeat(100_000), '\u0000'])
      foreigner.publish(subject, message);
    foreigner.publish('loci.another.commit', writeMessage({ realmId, version: 5_000_000 }));
    await foreigner.flush();
    await untilHeard(await write());
    expect(Math.max(...heard)).toBeLessThan(5_000_000);
    foreigner.publish(subject, writeMessage({ realmId, version: Number.MAX_SAFE_INTEGER }));
    await foreigner.flush();
    await expect.poll(() => heard.at(-1)).toBe(Number.MAX_SAFE_INTEGER);
    const version = await write();
    vi.advanceTimersByTime(SYNC.versionSweepMs);
    await expect.poll(() => heard.at(-1)).toBe(version);
    await foreigner.close();
  });
});

/** A channel of its own on the database, and what it has logged. */
function openChannel(POKE_URL: string) {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const { pokeServer } = parseConfig({ POKE_URL });
  if (pokeServer === undefined) throw new Error('There is no address');
  const channel = createNatsChannel(
    {
      db: writing.context.db,
      log: createLog('info', sink),
      metrics: createSyncMetrics(new Registry()),
    },
    pokeServer,
  );
  const stop = new AbortController();
  const commits: Commit[] = [];
  const onCommit = (commit: Commit) => commits.push(commit);
  const listening = channel.listen({ onCommit, onConnect: async () => undefined }, stop.signal);
  return {
    channel,
    lines,
    commits,
    async close() {
      stop.abort();
      await listening;
    },
  };
}

describe('an outage', () => {
  it('is logged once, and once more when it is over, whatever the attempts', async () => {
    let attempts = 0;
    const refusing = createServer((socket) => {
      attempts += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    // A server that listens has this form of address.
    const { port } = refusing.address() as AddressInfo;
    const opened = openChannel(`nats://loci:hunter22@127.0.0.1:${port}`);
    await expect.poll(() => attempts).toBeGreaterThan(5);
    expect(opened.lines).toHaveLength(1);
    expect(opened.lines[0]).toContain('listening for commits failed');
    await opened.close();
    refusing.close();
  });

  it.each([
    ['wrong credentials', () => nats.url.replace(/:[^:@]*@/, ':hunter22@'), 'Authorization Violation'],
    ['a server without encryption, where it is demanded', () => nats.url.replace('nats:', 'tls:'), "'tls'"],
    ['a user who may not publish', () => nats.muteUrl, 'Permissions Violation for Publish'],
  ])('is %s, and the log says why and no password', async (_what, url, reason) => {
    await nats.start();
    const opened = openChannel(url());
    await expect.poll(() => opened.lines.join('')).toContain(reason);
    expect(opened.lines.join('')).not.toMatch(/hunter22|pass\/word|pass%2Fword/);
    await opened.close();
    expect(opened.lines).toHaveLength(1);
  });

  it('ends with the server that comes back', async () => {
    await nats.start();
    const [one, other] = [openChannel(nats.url), openChannel(nats.url)];
    const carries = async (version: number) => {
      const commit = { realmId: 'wks', version };
      const reaches = async () => {
        await one.channel.announce([commit]);
        return other.commits;
      };
      await expect.poll(reaches, { interval: 50 }).toContainEqual(commit);
    };
    await carries(1);
    await nats.kill();
    // What is announced now is dropped, and does not come later.
    await expect.poll(() => one.lines.length).toBe(1);
    await one.channel.announce([{ realmId: 'wks', version: 2 }]);
    await nats.start();
    await carries(3);
    expect(other.commits.map(({ version }) => version)).not.toContain(2);
    // A node does not receive its own announcements.
    expect(one.commits).toEqual([]);
    for (const { lines } of [one, other]) {
      await expect.poll(() => lines).toHaveLength(2);
      expect(lines.join('')).toContain('listening for commits again');
    }
    await one.close();
    await other.close();
  });
});

describe('a server that accepts connections and says nothing', () => {
  withPatience(0.01);

  it('is tried again without a heap of open connections', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const opened = openChannel(`nats://127.0.0.1:${port}`);
    await expect.poll(() => sockets.length).toBeGreaterThan(3);
    await opened.close();
    for (const socket of sockets) socket.resume();
    await expect.poll(() => sockets.every((socket) => socket.readableEnded)).toBe(true);
    silent.close();
  });
});
