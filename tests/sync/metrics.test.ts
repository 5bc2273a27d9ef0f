/** What an operator reads of sync: GET /metrics after real pulls, pushes, pokes and checks. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import { newId } from '#shared/ids.ts';
import { DigestSum } from '#shared/sync/digest.ts';
import { kindOfKey } from '#shared/sync/keys.ts';
import { changeEpochs } from '#server/sync/epochs.ts';
import { collectTombstones } from '#server/sync/retention.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { removeMember } from '#server/workspaces/membership.ts';
import type { Agent, RawAnswer } from '#tests/support/agent.ts';
import { createBuild, createCast, join, type Cast } from '#tests/support/build.ts';
import { readMetrics, rises } from '#tests/support/metrics.ts';
import { openWorld } from '#tests/support/world.ts';

let cast: Cast;
const world = await openWorld();
beforeEach(async () => {
  cast = await createCast(world);
});

interface Wire {
  cookie?: unknown;
  patch?: { op: string; key?: string; value?: unknown }[];
}

const wireOf = ({ json }: RawAnswer): Wire => Object(json);
const header = ({ user }: Agent) => ({
  schemaVersion: SYNC.schemaVersion,
  profileID: 'p',
  clientGroupID: `g-${user.id.slice(-12)}`,
});

function pull(agent: Agent, cookie: unknown = null, more: object = {}): Promise<RawAnswer> {
  const body = { pullVersion: 1, ...header(agent), cookie, ...more };
  return agent.raw('POST', `/v1/sync/${cast.workspaceId}/pull`, { body });
}

/** A cookie that knows everything of now. */
async function cookieOf(agent: Agent): Promise<Record<string, unknown>> {
  return Object(wireOf(await pull(agent)).cookie);
}

interface Mutation {
  clientID?: string;
  id: number;
  name: string;
  args: unknown;
}

const create = (id: number, title: string): Mutation => ({
  id,
  name: 'memory.create',
  args: {
    id: newId('memory'),
    at: world.clock.now().toISOString(),
    origin: 'manual_entry',
    title,
  },
});

function push(agent: Agent, ...mutations: Mutation[]): Promise<RawAnswer> {
  const all = mutations.map(({ clientID = 'c', ...mutation }) => ({
    clientID: `${clientID}-${agent.user.id}`,
    timestamp: 1,
    ...mutation,
  }));
  const body = { pushVersion: 1, ...header(agent), mutations: all };
  return agent.raw('POST', `/v1/sync/${cast.workspaceId}/push`, { body });
}

describe('the metrics of pulls', () => {
  const count = (answer: string) => `loci_sync_pull_duration_seconds_count{answer="${answer}"}`;
  const reset = (reason: string) => `loci_sync_resets_total{reason="${reason}"}`;

  it('distinguish first pulls, changes and empty pulls, with rows, bytes and audiences', async () => {
    await createBuild(cast).memory({ title: 'Before' });
    let first: RawAnswer | undefined;
    const began = await rises(world, async () => {
      first = await pull(cast.bob);
    });
    const { cookie, patch = [] } = wireOf(first ?? (await pull(cast.bob)));
    expect([began(count('first')), began(reset('new'))]).toEqual([1, 1]);
    expect(began('loci_sync_pull_rows_sum{answer="first"}')).toBe(patch.length - 1);
    expect(began('loci_sync_pull_bytes_sum{answer="first"}')).toBe(Buffer.byteLength(first?.text ?? ''));
    expect(began('loci_sync_reader_audiences_count')).toBe(1);
    expect(began('loci_sync_reader_audiences_sum')).toBeGreaterThan(0);

    const idle = await rises(world, () => pull(cast.bob, cookie));
    expect([idle(count('unchanged')), idle(count('first'))]).toEqual([1, 0]);
    expect(idle('loci_sync_pull_rows_sum{answer="unchanged"}')).toBe(0);
    expect(idle('loci_sync_pull_versions_behind_bucket{le="0"}')).toBe(1);

    await createBuild(cast).memory({ title: 'After' });
    await createBuild(cast).memory({ title: 'And after' });
    const moved = await rises(world, () => pull(cast.bob, cookie));
    expect([moved(count('changes')), moved('loci_sync_pull_rows_sum{answer="changes"}')]).toEqual([1, 2]);
    expect(moved('loci_sync_pull_versions_behind_sum')).toBe(2);
  });

  it('count why a replica starts again', async () => {
    const { db } = world.context;
    const cookie = await cookieOf(cast.bob);
    const owner = { userId: cast.alice.user.id, position: 'owner' } as const;
    const ways: [reason: string, act: () => Promise<unknown>][] = [
      ['asked', () => pull(cast.bob, { order: cookie['order'] })],
      ['unreadable', () => pull(cast.bob, { ...cookie, sig: 'forged' })],
      ['collected', () => pull(cast.bob, cookie)],
      ['reopened', async () => pull(cast.bob, await reopenedAfter(cookieOf(cast.bob)))],
    ];
    const restoredAfter = async (known: Promise<unknown>) => {
      const before = await known;
      await changeEpochs(db);
      return before;
    };
    const reopenedAfter = async (known: Promise<unknown>) => {
      const before = await known;
      await writeInRealm(world.context, cast.workspaceId, systemActor, (tx) =>
        removeMember(tx, owner, cast.bob.user.id),
      );
      const closed = await rises(world, async () => (shut = wireOf(await pull(cast.bob, before)).cookie));
      expect(closed(count('closed'))).toBe(1);
      await join(world, cast.workspaceId, cast.bob, 'member');
      return shut;
    };
    let shut: unknown;
    await createBuild(cast).memory();
    await collectTombstones(db, cast.workspaceId, Number((await cookieOf(cast.alice))['n']));
    for (const [reason, act] of ways) {
      const rise = await rises(world, act);
      expect([reason, rise(reset(reason)), rise(count('reset'))]).toEqual([reason, 1, 1]);
    }
    const ends: [reason: string, act: () => Promise<unknown>][] = [
      ['restored', async () => pull(cast.bob, await restoredAfter(cookieOf(cast.bob)))],
      ['forgotten', () => pull(cast.bob, { order: '999999.x' })],
    ];
    for (const [reason, act] of ends) {
      const rise = await rises(world, act);
      expect([reason, rise(reset(reason)), rise(count('forgotten'))]).toEqual([reason, 1, 1]);
    }
  });
});

describe('the metrics of pushes', () => {
  const became = (outcome: string) => `loci_sync_mutations_total{outcome="${outcome}"}`;
  const tried = (how: string) => `loci_sync_push_transactions_total{try="${how}"}`;

  it('count mutations by what became of them, transactions, and waits for the lock', async () => {
    const three = [create(1, 'one'), { ...create(2, 'two'), args: { title: 7 } }, create(3, 'three')];
    const pushed = await rises(world, () => push(cast.bob, ...three));
    expect([pushed(became('applied')), pushed(became('refused'))]).toEqual([2, 1]);
    expect([pushed(tried('first')), pushed(tried('again'))]).toEqual([1, 1]);
    expect(pushed('loci_sync_lock_wait_seconds_count')).toBe(2);
    expect(pushed('loci_sync_push_duration_seconds_count')).toBe(1);

    const repeated = await rises(world, () => push(cast.bob, ...three));
    expect([repeated(became('repeated')), repeated(became('applied'))]).toEqual([3, 0]);
    expect(repeated('loci_sync_lock_wait_seconds_count')).toBe(0);

    const early = await rises(world, () => push(cast.bob, create(9, 'too early')));
    expect([early(became('early')), early(became('applied'))]).toEqual([1, 0]);

    const unknown = await rises(world, () => push(cast.alice, create(5, 'of a forgotten client')));
    expect(unknown(became('unknown_client'))).toBe(1);
    expect(unknown('loci_sync_resets_total{reason="forgotten"}')).toBe(1);
  });

  it('count what a fault rolled back, once it is set aside too', async () => {
    const { db } = world.context;
    vi.spyOn(world.context.log, 'error').mockImplementation(() => undefined);
    await sql`alter table "memory" add constraint "no_fault" check ("title" <> 'a fault') not valid`.execute(
      db,
    );
    for (let n = 0; n < SYNC.poisonAttempts; n += 1) {
      const failed = await rises(world, () => push(cast.bob, create(1, 'a fault')));
      expect([failed(became('failed')), failed(became('applied'))]).toEqual([1, 0]);
    }
    world.clock.advance(SYNC.poisonSpanMs);
    const aside = await rises(world, () => push(cast.bob, create(1, 'a fault')));
    // It is tried once more before it is set aside.
    expect([aside(became('set_aside')), aside(became('failed'))]).toEqual([1, 1]);
    await sql`alter table "memory" drop constraint "no_fault"`.execute(db);
    vi.restoreAllMocks();
  });
});

describe('the metrics of streams', () => {
  const now = async (series: string) => (await readMetrics(world)).of(series);
  const LAG = 'loci_sync_stream_version_lag_max';

  it('count open streams, the way of a poke, and how far the slowest is behind', async () => {
    const before = await now('loci_sync_streams');
    const abort = new AbortController();
    const response = await fetch(`${world.url}/v1/sync/poke`, {
      headers: { authorization: `Bearer ${cast.bob.token}` },
      signal: abort.signal,
    });
    const heard = readPokes(response);
    expect(await now('loci_sync_streams')).toBe(before + 1);
    const pokes = await now('loci_sync_poke_lag_seconds_count');
    // A poke follows another of its realm after a moment, so that a stream is behind while many write.
    for (let id = 1; (await now(LAG)) === 0; id += 1) {
      const tabs = ['one', 'two', 'three', 'four'];
      await Promise.all(tabs.map((clientID) => push(cast.alice, { ...create(id, 'busy'), clientID })));
    }
    const { n } = await cookieOf(cast.alice);
    await expect.poll(() => heard).toContainEqual({ realm: cast.workspaceId, v: n });
    await expect.poll(() => now(LAG)).toBe(0);
    expect(await now('loci_sync_poke_lag_seconds_count')).toBeGreaterThan(pokes);
    abort.abort();
    await expect.poll(() => now('loci_sync_streams')).toBe(before);
  });
});

/** Collects the pokes of a stream until it ends. */
function readPokes(response: Response): unknown[] {
  const heard: unknown[] = [];
  let text = '';
  const take = (chunk: string) => {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) if (block.startsWith('data: ')) heard.push(JSON.parse(block.slice(6)));
  };
  // The test ends the stream itself.
  response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeTo(new WritableStream({ write: take }))
    .catch(() => undefined);
  return heard;
}

const check = (agent: Agent, body: object) =>
  agent.raw('POST', `/v1/sync/${cast.workspaceId}/check`, { body });

/** The digest of everything that a person may read, as their device would compute it. */
async function sumOf(agent: Agent) {
  const { cookie, patch = [] } = wireOf(await pull(agent));
  const sum = new DigestSum();
  for (const { key = '', value } of patch) if (kindOfKey(key) !== undefined) sum.add(key, value);
  return { v: Number(Object(cookie).n), ...sum.digest };
}

describe('the metrics of drift', () => {
  const checks = (outcome: string) => `loci_sync_checks_total{outcome="${outcome}"}`;

  it('count comparisons that agree, differ, or have no result', async () => {
    vi.spyOn(world.context.log, 'error').mockImplementation(() => undefined);
    const sum = await sumOf(cast.bob);
    const same = await rises(world, () => check(cast.bob, sum));
    expect(same(checks('same'))).toBe(1);
    const other = await rises(world, () => check(cast.bob, { ...sum, sum: '0'.repeat(16) }));
    expect([other(checks('different')), other(checks('same'))]).toEqual([1, 0]);
    const late = await rises(world, () => check(cast.bob, { ...sum, v: sum.v + 1 }));
    expect([late(checks('unknown')), late(checks('same'))]).toEqual([1, 0]);
    vi.restoreAllMocks();
  });

  it('count rows that are in the feed but do not exist', async () => {
    vi.spyOn(world.context.log, 'error').mockImplementation(() => undefined);
    const { id } = await createBuild(cast).memory();
    await world.context.db.transaction().execute(async (trx) => {
      await sql`select set_config('app.sync_version', '1', true)`.execute(trx);
      await sql`delete from "memory" where "id" = ${id}`.execute(trx);
    });
    const rise = await rises(world, () => pull(cast.bob));
    expect(rise('loci_sync_feed_orphans_total')).toBe(1);
    vi.restoreAllMocks();
  });
});

describe('what devices report about themselves', () => {
  const AGE = 'loci_sync_device_pending_age_seconds';
  const SIZE = 'loci_sync_device_storage_bytes';
  const ROWS = 'loci_sync_device_rows';
  const HOSTILE = [-1, 1.5, '5', null, true, [], {}, 'label="x"', 1e300, Number.MAX_SAFE_INTEGER];

  it('is counted when it can be true, and never a reason to refuse', async () => {
    const told = await rises(world, () => pull(cast.bob, null, { pendingMs: 90_000 }));
    expect([told(`${AGE}_count`), told(`${AGE}_sum`)]).toEqual([1, 90]);
    const sum = await sumOf(cast.bob);
    const sized = await rises(world, () => check(cast.bob, { ...sum, storageBytes: 4_000_000 }));
    expect([sized(`${SIZE}_count`), sized(`${SIZE}_sum`)]).toEqual([1, 4_000_000]);
    expect([sized(`${ROWS}_count`), sized(`${ROWS}_sum`)]).toEqual([1, sum.count]);
    const untrue = await rises(world, async () => {
      for (const pendingMs of HOSTILE) {
        expect((await pull(cast.bob, null, { pendingMs })).status).toBe(200);
      }
      for (const storageBytes of HOSTILE) {
        expect((await check(cast.bob, { ...sum, storageBytes })).json).toEqual({ state: 'same' });
      }
    });
    expect([untrue(`${AGE}_count`), untrue(`${SIZE}_count`)]).toEqual([0, 0]);
  });

  it('counts no rows of a device that differs, however many it claims', async () => {
    vi.spyOn(world.context.log, 'error').mockImplementation(() => undefined);
    const sum = await sumOf(cast.bob);
    const claimed = { ...sum, count: Number.MAX_SAFE_INTEGER, storageBytes: 1 };
    const rise = await rises(world, () => check(cast.bob, claimed));
    expect([rise(`${ROWS}_count`), rise(`${SIZE}_count`)]).toEqual([0, 0]);
    vi.restoreAllMocks();
  });
});

describe('labels', () => {
  it('hold words of ours alone, whatever was sent', async () => {
    await pull(cast.bob, { order: 'label="x"', a: { 'secret-audience': [0, null] } });
    await push(cast.bob, { id: 1, name: 'secret.mutation', args: { title: 'secret-title' } });
    await cast.bob.raw('POST', '/v1/sync/secret-realm/pull', { body: { secret: 'label="x"' } });
    const { text } = await readMetrics(world);
    const labels = [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => ({ name, value }));
    const words = new Set(labels.flatMap(({ name, value }) => (name === 'le' ? [] : `${name}=${value}`)));
    const ours = /^(method=[A-Z]+|status=\dxx|(answer|bus|reason|outcome|try)=[a-z_]+)$/;
    expect([...words].filter((word) => !ours.test(word))).toEqual([]);
    expect(text).not.toMatch(/secret|@example/);
    expect(text).not.toContain(cast.workspaceId);
    expect(text).not.toContain(cast.bob.user.id);
  });
});
