/**
 * Real replicas and two servers behind a network that drops, duplicates, delays and cuts: nothing acknowledged is lost,
 * nothing is applied twice, order and causality hold, and all replicas end up equal. The seed is printed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Effects } from '#server/db/effect.ts';
import { SEED } from '#tests/support/seed.ts';
import { createCast, join } from '#tests/support/build.ts';
import { signUp } from '#tests/support/agent.ts';
import { openReplicas, type TestReplica, type Weather } from '#tests/support/replicas.ts';
import { openWorld } from '#tests/support/world.ts';
import { Oracle } from './oracle.ts';
import { Random } from './random.ts';
import { expectTruth } from './replica-truth.ts';

/** Fewer than a window of messages holds, so that every token stays in the replicas. */
const TOKENS_PER_CLIENT = 24;
const REFUSED = 'please refuse this';

const tokenSchema = z.object({ client: z.number(), n: z.number(), saw: z.record(z.string(), z.number()) });
type Token = z.infer<typeof tokenSchema>;

const world = await openWorld();
const second = await openWorld({ database: world.database });
const oracle = new Oracle(world.database.url);
const cast = await createCast(world);
await sql`create table "applied" ("n" serial primary key, "content" text not null)`.execute(world.context.db);
for (const { context } of [world, second]) Object.assign(context.effects, countingEffects());
afterAll(async () => {
  await oracle.close();
  await second.close();
});

/** Counts every application of a message, and refuses those whose text requests it. */
function countingEffects(): Effects {
  return {
    'message.create': {
      async after({ tx, args }) {
        await sql`insert into "applied" ("content") values (${args.content})`.execute(tx.trx);
      },
    },
    'memory.update': {
      async before({ args }) {
        if (args.title === REFUSED) throw new AppError('conflict', 'as you wish');
      },
    },
  };
}

const at = () => world.clock.now().toISOString();

function badWeather(random: Random): Partial<Weather> {
  return random.pick<Partial<Weather>>([
    { dropRequest: 0.4 },
    { dropResponse: 0.4 },
    { duplicate: 0.5 },
    { truncate: 0.3 },
    { serverError: 0.5 },
    { unauthorized: 0.3 },
    { delayMs: 60 },
    { offline: true },
    { dropRequest: 0.15, dropResponse: 0.15, duplicate: 0.15, delayMs: 20 },
    {},
  ]);
}

/** One client with what it did, and the checks that hold at every moment. */
class Player {
  readonly replica: TestReplica;
  readonly index: number;
  readonly threadId: Id<'thread'>;
  readonly spaceId: Id<'space'>;
  written = 0;
  refused = 0;

  constructor(given: { replica: TestReplica; index: number; threadId: Id<'thread'>; spaceId: Id<'space'> }) {
    this.replica = given.replica;
    this.index = given.index;
    this.threadId = given.threadId;
    this.spaceId = given.spaceId;
  }

  async tokens(): Promise<Token[]> {
    const rows = await this.replica.rows(`7/g/${this.threadId}/`);
    return [...rows.values()].map((row) =>
      tokenSchema.parse(JSON.parse(z.object({ content: z.string() }).parse(row).content)),
    );
  }

  async say(): Promise<void> {
    const saw: Record<string, number> = {};
    for (const { client, n } of await this.tokens()) saw[client] = Math.max(saw[client] ?? 0, n);
    this.written += 1;
    const content = JSON.stringify({ client: this.index, n: this.written, saw } satisfies Token);
    const message = { id: newId('message'), threadId: this.threadId, content, at: at() };
    await this.replica.mutate('message.create', message);
  }

  async capture(random: Random): Promise<void> {
    const id = newId('memory');
    const pair = { id, at: at(), origin: 'text' as const, title: 'pair', spaceId: this.spaceId };
    await this.replica.mutate('memory.create', pair);
    if (!random.chance(0.3)) return;
    await this.replica.mutate('memory.update', { id, at: at(), title: REFUSED });
    this.refused += 1;
  }

  /** Reads once and checks 3, 4, 6 and 7 on what it sees. */
  async look(): Promise<void> {
    const state = await this.replica.state();
    const tokens = await this.tokens();
    const has = new Set(tokens.map(({ client, n }) => `${client} ${n}`));
    for (let n = 1; n <= this.written; n++)
      expect(has, 'own writes stay readable').toContain(`${this.index} ${n}`);
    if (!state?.done) return;
    for (const { client, n, saw } of tokens) {
      if (n > 1) expect(has, 'tokens of one client come in order').toContain(`${client} ${n - 1}`);
      for (const [other, seen] of Object.entries(saw)) {
        expect(has, 'no person sees an answer without its cause').toContain(`${other} ${seen}`);
      }
    }
    await this.checkPairs();
  }

  async checkPairs(): Promise<void> {
    // One read transaction, so that both halves are of the same moment.
    const [memories, links] = await this.replica.replicache.query(async (tx) => [
      await tx.scan({ prefix: '4/m/' }).keys().toArray(),
      await tx
        .scan({ prefix: `5/sm/${this.spaceId}/` })
        .keys()
        .toArray(),
    ]);
    const ids = (keys: readonly string[] = []) =>
      keys.map((key) => key.slice(key.lastIndexOf('/') + 1)).sort();
    expect(ids(links), 'a memory and its link come together').toEqual(ids(memories));
  }
}

async function play(player: Player, random: Random): Promise<void> {
  while (player.written < TOKENS_PER_CLIENT) {
    if (random.chance(0.15)) Object.assign(player.replica.weather, { offline: false }, badWeather(random));
    await random.pick([
      () => player.say(),
      () => player.say(),
      () => player.capture(random),
      () => player.look(),
    ])();
    if (random.chance(0.3)) void player.replica.pull();
    await pause(random.between(0, 25));
  }
}

it(`nothing is lost, doubled or torn while the network fails, and queues empty soon after (F11, seed ${SEED})`, async () => {
  const random = new Random(SEED);
  const carol = await signUp(world, 'carol');
  await join(world, cast.workspaceId, carol, 'admin');
  const [threadId, spaceId] = [newId('thread'), newId('space')];
  const people = [cast.alice, cast.bob, cast.bob, carol];
  const replicas = openReplicas(
    people.map((agent) => ({
      servers: [world.url, second.url],
      token: agent.token,
      userId: agent.user.id,
      realmId: cast.workspaceId,
      random: () => random.next(),
    })),
  );
  const players = replicas.map((replica, index) => new Player({ replica, index, threadId, spaceId }));
  try {
    await Promise.all(replicas.map((replica) => replica.settle()));
    const [first] = replicas;
    await first?.mutate('thread.create', { id: threadId, at: at(), name: 'All', visibility: 'workspace' });
    await first?.mutate('space.create', {
      id: spaceId,
      at: at(),
      name: 'Team',
      slug: 'team-space',
      visibility: 'workspace',
    });
    await first?.settle();
    await Promise.all(replicas.map((replica) => replica.settle()));
    await Promise.all(replicas.map((replica) => replica.mutate('thread.open', { id: threadId, at: at() })));

    await Promise.all(players.map((player) => play(player, random)));

    for (const replica of replicas) replica.online();
    const healed = performance.now();
    await Promise.all(replicas.map((replica) => replica.settle(30_000)));
    expect(performance.now() - healed, 'queues are empty soon after the network heals').toBeLessThan(30_000);
    await Promise.all(replicas.map((replica) => replica.settle()));
    for (const player of players) await player.look();
    for (const { replica } of players) await expectTruth(replica, oracle, cast.workspaceId);
    await checkServer(players);
    for (const { replica } of players) checkMonotonic(replica);
  } finally {
    await Promise.all(replicas.map((replica) => replica.close()));
  }
});

/** 1, 2, 3 and 12 on the server's own record. */
async function checkServer(players: readonly Player[]): Promise<void> {
  const { rows } = await sql<{ content: string }>`select "content" from "applied" order by "n"`.execute(
    world.context.db,
  );
  const applied = rows.map(({ content }) => tokenSchema.parse(JSON.parse(content)));
  for (const player of players) {
    const mine = applied.filter(({ client }) => client === player.index).map(({ n }) => n);
    expect(mine, 'each token is applied once, in the order of its client').toEqual(
      Array.from({ length: player.written }, (_, index) => index + 1),
    );
  }
  const refused = players.reduce((sum, player) => sum + player.refused, 0);
  const results = await sql<{
    count: number;
  }>`select count(*) as "count" from "sync_mutation_result"`.execute(world.context.db);
  expect(results.rows, 'each refused mutation has one result').toEqual([{ count: refused }]);
}

function checkMonotonic(replica: TestReplica): void {
  const versions = replica.states.map(({ v }) => v);
  expect(versions, 'versions never fall').toEqual([...versions].sort((a, b) => a - b));
}
