/**
 * Writers and pullers at the same time: commits overlap and a pull falls between any two of them. What the lock of a
 * realm is for shows only here, so here is also the proof that versions without it lose rows.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SYNC } from '#shared/sync/limits.ts';
import type { Id } from '#shared/ids.ts';
import { SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import { syncState } from '#shared/sync/protocol.ts';
import { columnTypes } from '#server/db/column-types.ts';
import { applyMutation, type MutationHost } from '#server/db/run-mutation.ts';
import type { Tables } from '#server/db/tables.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { pull, renderPull } from '#server/sync/pull.ts';
import { cookieSecret } from '#server/sync/secret.ts';
import { SEED } from '#tests/support/seed.ts';
import { createSyncWorld, type SyncWorld } from '#tests/support/sync-world.ts';
import { IS_WHOLE } from '#tests/support/whole-run.ts';
import { differenceOf } from './fuzz-replica.ts';
import { canonical, Oracle } from './oracle.ts';
import { Random, randomId } from './random.ts';
import { asPerson } from '#server/sync/readable.ts';

const SEEDS = IS_WHOLE ? 3 : 2;
const WRITERS = 4;
const WRITES = 40;
const SLOWEST_COMMIT_MS = 12;

let world: SyncWorld;
let oracle: Oracle;
const pools: Pool[] = [];
beforeAll(async () => {
  world = await createSyncWorld();
  oracle = new Oracle(world.database.url);
  await sql`create sequence "loose_version" start 1000`.execute(world.database.db);
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await oracle.close();
  await world.database.drop();
});

interface Commits {
  random: Random;
  /** Versions come from a sequence and writers do not wait for each other, which the design forbids. */
  loose: boolean;
}

/** Connections whose commits take a random while. */
function slowCommits({ random, loose }: Commits): MutationHost['writeDb'] {
  const pool = new Pool({
    connectionString: world.database.url,
    max: WRITERS,
    options: '-c timezone=UTC',
    types: columnTypes,
  });
  // A pool has ended before its connections have, and the drop of the database may be faster than they are.
  pool.on('error', () => undefined);
  pools.push(pool);
  const slow = (client: PoolClient): PoolClient => {
    let realm: { realmId: string; version: string } | undefined;
    const query = async (text: string, values: unknown[]) => {
      if (text === 'commit') {
        await pause(random.between(0, SLOWEST_COMMIT_MS));
        if (realm) {
          await client.query(
            'update "sync_realm" set "version" = greatest("version", $1) where "realmId" = $2',
            [realm.version, realm.realmId],
          );
        }
        realm = undefined;
      }
      if (!loose || !text.includes('insert into "sync_realm" as realm')) return client.query(text, values);
      const locked = await client.query(
        `select id as "realmId", nextval('loose_version') as "version", set_config('app.sync_version', '1', true)
         from unnest($1::text[]) as id`,
        [values[0]],
      );
      realm = locked.rows[0];
      return locked;
    };
    return new Proxy(client, {
      get: (target, property) => (property === 'query' ? query : Reflect.get(target, property, target)),
    });
  };
  return new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => slow(await pool.connect()),
        end: () => pool.end(),
        options: pool.options,
      },
    }),
  });
}

const answer = z.object({
  cookie: z.looseObject({ order: z.string() }),
  patch: z.array(z.object({ op: z.string(), key: z.string().optional(), value: z.unknown().optional() })),
});

/** A replica that applies what it receives; it is compared with the oracle when all writers are done. */
class LooseReplica {
  readonly rows = new Map<string, string>();
  readonly #who: { userId: string; realmId: string; clientGroupId: string };
  #cookie: unknown = null;
  #order = '';

  constructor(who: { userId: string; realmId: string; clientGroupId: string }) {
    this.#who = who;
  }

  async pull(random: Random): Promise<boolean> {
    const limits = { ...SYNC, firstPageRows: random.between(1, 20), pageRows: random.between(1, 20) };
    const given = await pull(
      world.database.pullDb,
      { ...this.#who, cookie: this.#cookie },
      {
        secret: await cookieSecret(world.database.db),
        limits: { ...limits, deltaLimit: random.between(1, 10) },
        onDrift: (what) => {
          throw new Error(`drift: ${what}`);
        },
      },
    );
    if ('error' in given) throw new Error(given.error);
    const { cookie, patch } = answer.parse(JSON.parse(renderPull(given)));
    const isSame = cookie.order === this.#order;
    expect(cookie.order >= this.#order && (!isSame || patch.length === 0)).toBe(true);
    this.#cookie = cookie;
    this.#order = cookie.order;
    for (const { op, key = '', value } of patch) {
      if (op === 'clear') this.rows.clear();
      else if (op === 'del') this.rows.delete(key);
      else this.rows.set(key, canonical(value));
    }
    return syncState.parse(JSON.parse(this.rows.get(SYNC_STATE_KEY) ?? 'null')).done;
  }
}

interface Stage {
  host: MutationHost;
  ws: Id<'workspace'>;
  people: Id<'user'>[];
  nonce: string;
}

async function stageOf(seed: number, loose: boolean): Promise<Stage> {
  const random = new Random(seed);
  const people = await Promise.all(['ann', 'ben', 'cem'].map((name) => world.user(name)));
  const [owner, ...others] = people;
  if (!owner) throw new Error('no owner');
  const ws = await world.workspace(owner);
  for (const userId of others) await world.join(ws, userId, 'admin');
  const host = { ...world.host, writeDb: slowCommits({ random, loose }) };
  return { host, ws, people, nonce: ws.slice(-8) };
}

async function write({ host, ws, people, nonce }: Stage, random: Random): Promise<void> {
  const mine: Id<'memory'>[] = [];
  const run = (name: string, args: object) => {
    const userId = random.pick(people);
    const raw = { name, args: { at: world.at(), id: random.maybe(mine), ...args } };
    return writeInRealm(host, ws, asPerson(userId), (tx) => applyMutation(host.effects, tx, userId, raw));
  };
  for (let n = 0; n < WRITES; n++) {
    if (mine.length === 0 || random.chance(0.5)) {
      const id = randomId(random, 'memory', nonce);
      await run('memory.create', { id, origin: 'api', title: `t ${n}` });
      mine.push(id);
    } else await run('memory.update', { title: `edit ${random.between(1, 999)}` });
  }
}

/** Plays one seed; in words the first difference that is left when all is quiet. */
async function play(seed: number, loose: boolean): Promise<string | undefined> {
  const stage = await stageOf(seed, loose);
  const replicas = [...stage.people, ...stage.people].map((userId, n) => ({
    userId,
    replica: new LooseReplica({ userId, realmId: stage.ws, clientGroupId: `g-${seed}-${loose}-${n}` }),
  }));
  let writing = true;
  const writers = Promise.all(
    Array.from({ length: WRITERS }, (_, n) => write(stage, new Random(seed * 100 + n))),
  ).finally(() => {
    writing = false;
  });
  const pullers = replicas.map(async ({ replica }, n) => {
    const random = new Random(seed * 1_000 + n);
    while (writing) {
      await replica.pull(random);
      await pause(random.between(0, 4));
    }
    while (!(await replica.pull(random)));
  });
  await Promise.all([writers, ...pullers]);
  for (const { userId, replica } of replicas) {
    const difference = differenceOf(replica.rows, await oracle.view(userId, stage.ws));
    if (difference !== undefined) return difference;
  }
  return undefined;
}

describe('four writers and six pullers at once', () => {
  it('leave every replica with exactly the truth (C2, C6)', async () => {
    console.info(`seeds ${SEED} to ${SEED + SEEDS - 1}; SEED=${SEED} plays them again`);
    for (let seed = SEED; seed < SEED + SEEDS; seed++)
      expect(await play(seed, false), `seed ${seed}`).toBeUndefined();
  });

  it.each(IS_WHOLE ? ['a sequence instead of the lock'] : [])(
    'lose rows when versions come from %s, and the fuzz sees it',
    async () => {
      let found: string | undefined;
      for (let seed = 1; seed <= 10 && found === undefined; seed++) found = await play(seed, true);
      expect(found).toMatch(/is missing|instead of/);
    },
  );
});
