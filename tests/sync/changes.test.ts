/**
 * Following a workspace by GET /v1/changes: a copy equals what the lists show, whatever happens to rows and to who may see
 * them, for people, keys, and keys that are limited to spaces; and cursors that cannot be used say so.
 */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId, type Id } from '#shared/ids.ts';
import type { MutatorArgs, MutatorName } from '#shared/mutators.ts';
import { runMutation } from '#server/db/run-mutation.ts';
import { collectTombstones } from '#server/sync/retention.ts';
import { createRaw, type Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { ChangeConsumer } from '#tests/support/change-consumer.ts';
import { createKey } from '#tests/support/keys.ts';
import { IS_WHOLE } from '#tests/support/whole-run.ts';
import { openWorld } from '#tests/support/world.ts';
import { Random } from './random.ts';
import { asPerson } from '#server/sync/readable.ts';
import { itLong } from '#tests/support/long-test.ts';

const KINDS = ['memory', 'space', 'thread', 'space_memory'] as const;
const SEEDS = Array.from({ length: IS_WHOLE ? 8 : 1 }, (_, index) => index + 1);
const STEPS = 80;
const LIMIT_MS = 120_000;

const world = await openWorld();

const READ = ['memories:read', 'spaces:read', 'threads:read', 'members:read'] as const;

async function limitedKey(
  cast: Cast,
  spaceIds: readonly Id<'space'>[],
  owner = cast.alice,
): Promise<ChangeConsumer> {
  const { key, secret } = await createKey(world, owner, { workspaceId: cast.workspaceId, scopes: READ });
  await world.context.db
    .updateTable('api_key')
    .set({ spaceIds: [...spaceIds] })
    .where('id', '=', key.id)
    .execute();
  return new ChangeConsumer(createRaw(world, secret), cast.workspaceId);
}

/** One history: people change things, consumers look in between, and at the end everything must be equal. */
class History {
  readonly random: Random;
  readonly cast: Cast;
  readonly memories: Id<'memory'>[] = [];
  readonly spaces: Id<'space'>[] = [];
  readonly threads: Id<'thread'>[] = [];
  readonly trace: string[] = [];

  constructor(random: Random, cast: Cast) {
    this.random = random;
    this.cast = cast;
  }

  /** Runs a mutation as a person; what is refused is no change. */
  async run<N extends MutatorName>(by: Agent, name: N, args: MutatorArgs<N>): Promise<void> {
    world.clock.advance(1_000);
    this.trace.push(`${by === this.cast.alice ? 'alice' : 'bob'} ${name} ${JSON.stringify(args)}`);
    const call = { actor: asPerson(by.user.id), realmId: this.cast.workspaceId, name, args };
    await runMutation(world.context, call).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'AppError') throw error;
      this.trace.push(`  refused: ${error.message}`);
    });
  }

  async step(): Promise<void> {
    const { random, cast } = this;
    const build = createBuild(cast);
    const at = world.clock.now().toISOString();
    const by = random.pick([cast.alice, cast.bob]);
    const memory = random.pick(this.memories);
    const space = random.pick(this.spaces);
    const thread = random.pick(this.threads);
    const actions: (() => Promise<unknown>)[] = [
      async () => this.memories.push((await build.memory({ title: 'New' }, by)).id),
      async () => {
        const id = newId('memory');
        const spaceId = this.spaces[0] ?? null;
        await this.run(by, 'memory.create', { id, at, origin: 'manual_entry', title: 'Here', spaceId });
        this.memories.push(id);
      },
      async () =>
        this.spaces.push((await build.space({ visibility: random.pick(['private', 'workspace']) }, by)).id),
      async () =>
        this.threads.push((await build.thread({ visibility: random.pick(['private', 'workspace']) }, by)).id),
      () => this.run(by, 'memory.update', { id: memory, at, title: `Title ${random.between(0, 99)}` }),
      () => this.run(by, 'memory.remove', { id: memory, at }),
      () => this.run(by, 'memory.restore', { id: memory, at }),
      () => this.run(cast.alice, 'memory.move', { id: memory, at, spaceId: random.pick([null, space]) }),
      () => this.run(cast.alice, 'space_memory.create', { spaceId: space, memoryId: memory, at }),
      () => this.run(by, 'space_memory.create', { spaceId: space, memoryId: memory, at }),
      () => this.run(cast.alice, 'space_memory.remove', { spaceId: space, memoryId: memory, at }),
      () =>
        this.run(by, 'space.update', {
          id: space,
          at,
          visibility: random.pick(['private', 'workspace', 'public']),
        }),
      () => this.run(by, 'space.update', { id: space, at, name: `Name ${random.between(0, 99)}` }),
      // Those that keys are limited to, more often.
      () => this.run(cast.alice, 'space.remove', { id: random.pick(this.spaces.slice(0, 2)), at }),
      () => this.run(cast.alice, 'space.restore', { id: random.pick(this.spaces.slice(0, 2)), at }),
      () => this.run(by, 'space.remove', { id: space, at }),
      () => this.run(by, 'space.restore', { id: space, at }),
      () =>
        this.run(by, 'thread.update', { id: thread, at, visibility: random.pick(['private', 'workspace']) }),
      () => this.run(by, 'thread.remove', { id: thread, at }),
    ];
    await random.pick(actions)();
  }
}

describe('a copy', () => {
  it.each(SEEDS)(
    'equals what the lists show at the end of a random history, seed %i',
    async (seed) => {
      const cast = await createCast(world);
      const build = createBuild(cast);
      const history = new History(new Random(seed), cast);
      const { random } = history;
      for (let n = 0; n < 3; n += 1) {
        history.memories.push((await build.memory({ title: `First ${n}` })).id);
        history.spaces.push((await build.space({ name: `Space ${n}` })).id);
        history.threads.push((await build.thread({ visibility: 'workspace' })).id);
      }
      const { secret } = await createKey(world, cast.bob, { workspaceId: cast.workspaceId, scopes: READ });
      const [first, second] = history.spaces;
      const consumers = [
        { who: new ChangeConsumer(cast.alice.raw, cast.workspaceId), kinds: KINDS },
        { who: new ChangeConsumer(cast.rita.raw, cast.workspaceId), kinds: KINDS },
        { who: new ChangeConsumer(createRaw(world, secret), cast.workspaceId), kinds: KINDS },
        {
          who: await limitedKey(cast, first ? [first] : []),
          kinds: ['memory', 'space', 'space_memory'] as const,
        },
        {
          who: await limitedKey(cast, second && first ? [first, second] : []),
          kinds: ['memory', 'space', 'space_memory'] as const,
        },
      ];
      for (let step = 0; step < STEPS; step += 1) {
        await history.step();
        const { who } = random.pick(consumers);
        if (random.chance(0.3)) await who.step(random.between(1, 6));
        if (random.chance(0.1)) {
          const { who: one, kinds } = random.pick(consumers);
          await one.follow(random.between(1, 6));
          expect(one.shown(), `on the way\n${history.trace.join('\n')}`).toEqual(await one.truth(kinds));
        }
      }
      for (const [index, { who, kinds }] of consumers.entries()) {
        await who.follow(random.between(1, 4));
        expect(who.shown(), `consumer ${index}\n${history.trace.join('\n')}`).toEqual(await who.truth(kinds));
        // Nothing more is said while nothing changes.
        const { cursor } = who;
        const quiet = await who.ask(10);
        expect(quiet.json?.result).toEqual({ changes: [], cursor, hasMore: false });
      }
    },
    LIMIT_MS,
  );

  itLong('of a large space appears and goes with its visibility', async () => {
    const cast = await createCast(world);
    const build = createBuild(cast);
    const space = await build.space({ visibility: 'private' });
    for (let n = 0; n < 260; n += 1) await build.memory({ title: `Note ${n}`, spaceId: space.id });
    const consumer = new ChangeConsumer(cast.rita.raw, cast.workspaceId);
    await consumer.follow(50);
    expect(Object.keys(consumer.shown())).toEqual([]);
    const params = { workspaceId: cast.workspaceId, id: space.id };
    await cast.alice.api('space.update', { params, body: { visibility: 'workspace' } });
    await consumer.follow(50);
    expect(consumer.shown()).toEqual(await consumer.truth(KINDS));
    expect(Object.keys(consumer.shown())).toHaveLength(1 + 2 * 260);
    await cast.alice.api('space.update', { params, body: { visibility: 'private' } });
    await consumer.follow(50);
    expect(Object.keys(consumer.shown())).toEqual([]);
  });

  it.each(['trash', 'sight'])('of a limited key follows a chosen space out of %s and back', async (what) => {
    const cast = await createCast(world);
    const build = createBuild(cast);
    const { workspaceId, alice, bob } = cast;
    const space = await build.space({ visibility: 'workspace' });
    const filed = await build.memory({ title: 'Of the workspace' });
    await build.memory({ title: 'At home', spaceId: space.id });
    await alice.api('space_memory.create', { body: { workspaceId, spaceId: space.id, memoryId: filed.id } });
    const change = (isBack: boolean) => {
      const at = world.clock.now().toISOString();
      const target = { id: space.id, at };
      const actor = asPerson(alice.user.id);
      const call = { actor, realmId: workspaceId };
      if (what === 'trash')
        return runMutation(world.context, {
          ...call,
          name: isBack ? 'space.restore' : 'space.remove',
          args: target,
        });
      const visibility = isBack ? 'workspace' : 'private';
      return runMutation(world.context, { ...call, name: 'space.update', args: { ...target, visibility } });
    };
    const owner = what === 'trash' ? alice : bob;
    const kinds = ['memory', 'space', 'space_memory'] as const;
    const steady = await limitedKey(cast, [space.id], owner);
    await steady.follow(2);
    expect(Object.keys(steady.shown())).toHaveLength(5);
    await change(false);
    await steady.follow(2);
    expect(steady.shown()).toEqual(await steady.truth(kinds));
    const late = await limitedKey(cast, [space.id], owner);
    await late.follow(2);
    await change(true);
    for (const consumer of [steady, late]) {
      await consumer.follow(2);
      expect(Object.keys(consumer.shown())).toHaveLength(5);
      expect(consumer.shown()).toEqual(await consumer.truth(kinds));
    }
  });

  it('of a limited key is not told of changes outside of its spaces', async () => {
    const cast = await createCast(world);
    const build = createBuild(cast);
    const [mine, other] = [await build.space(), await build.space()];
    const outside = await build.memory({ title: 'Outside', spaceId: other.id });
    const consumer = await limitedKey(cast, [mine.id]);
    await consumer.follow(10);
    const params = { workspaceId: cast.workspaceId, id: outside.id };
    await cast.alice.api('memory.update', { params, body: { title: 'Still outside' } });
    await cast.alice.api('memory.remove', { params });
    const { json } = await consumer.ask(100);
    expect(json?.result).toMatchObject({ changes: [] });
  });
});

describe('a cursor', () => {
  it('of another person, key, workspace or without an owner is refused with the way to begin again', async () => {
    const cast = await createCast(world);
    await createBuild(cast).memory();
    const [hers, his] = [cast.alice, cast.bob].map(({ raw }) => new ChangeConsumer(raw, cast.workspaceId));
    if (!hers || !his) throw new Error('two consumers were made');
    await hers.follow(10);
    const own = hers.cursor ?? '';
    const others = [
      // The first letter of the signature: of the last one some bits count for nothing.
      own.replace(/(?<=\.)./, (first) => (first === 'A' ? 'B' : 'A')),
      'x',
      'a.b',
      `${own}.c`,
      '',
      '..',
    ];
    for (const cursor of others) {
      const { status, json } = await hers.ask(10, cursor);
      expect([cursor, status, json?.error?.detail]).toEqual([
        cursor,
        400,
        'cursor: it was not made for this workspace and this key or session; begin again without a cursor',
      ]);
    }
    expect((await his.ask(10, own)).status).toBe(400);
    const second = await cast.alice.api('workspace.create', { body: { name: 'Second' } });
    expect((await new ChangeConsumer(cast.alice.raw, second.result.id).ask(10, own)).status).toBe(400);
    const limited = await limitedKey(cast, []);
    expect((await limited.ask(10, own)).status).toBe(400);
    // A cursor of another session of the same person is as good.
    expect((await hers.ask(10, own)).status).toBe(200);
  });

  it('that is too old gets 410, and beginning again without one works', async () => {
    const cast = await createCast(world);
    const build = createBuild(cast);
    const consumer = new ChangeConsumer(cast.alice.raw, cast.workspaceId);
    const { id } = await build.memory();
    await consumer.follow(10);
    await cast.alice.api('memory.remove', { params: { workspaceId: cast.workspaceId, id } });
    const { version } = await world.context.db
      .selectFrom('sync_realm')
      .select('version')
      .where('realmId', '=', cast.workspaceId)
      .executeTakeFirstOrThrow();
    await collectTombstones(world.context.db, cast.workspaceId, version);
    const { status, json } = await consumer.ask(10);
    expect([status, json?.error]).toEqual([
      410,
      {
        message: 'Gone',
        detail: 'cursor: it is too old or from before a restore; begin again without a cursor',
        code: 'gone',
      },
    ]);
    const again = new ChangeConsumer(cast.alice.raw, cast.workspaceId);
    await again.follow(10);
    expect(again.shown()).toEqual(await again.truth(KINDS));
  });

  it('that is recent enough brings what has left a chosen space, and no departure is stored for longer', async () => {
    const cast = await createCast(world);
    const build = createBuild(cast);
    const [space, other] = [await build.space(), await build.space()];
    const [early, late] = [
      await build.memory({ spaceId: space.id }),
      await build.memory({ spaceId: space.id }),
    ];
    const move = ({ id }: { id: Id<'memory'> }) =>
      cast.alice.api('memory.update', {
        params: { workspaceId: cast.workspaceId, id },
        body: { spaceId: other.id },
      });
    const consumer = await limitedKey(cast, [space.id]);
    await move(early);
    // A list that begins names no memory that this key has never had.
    expect(JSON.stringify((await consumer.ask(10)).json)).not.toContain(early.id);
    await consumer.follow(10);
    const { db } = world.context;
    const { version } = await db
      .selectFrom('sync_realm')
      .select('version')
      .where('realmId', '=', cast.workspaceId)
      .executeTakeFirstOrThrow();
    await move(late);
    for (let days = 0; days < 2; days += 1) await collectTombstones(db, cast.workspaceId, version);
    const stored = await sql`
      select "memoryId" from "memory_departure" where "workspaceId" = ${cast.workspaceId}`.execute(db);
    expect(stored.rows).toEqual([{ memoryId: late.id }]);
    const { json } = await consumer.ask(10);
    expect(json?.result).toMatchObject({
      changes: [
        { action: 'delete', kind: 'memory', id: late.id },
        { action: 'delete', kind: 'space_memory' },
      ],
    });
  });

  it('from now on brings nothing that exists, and tells new rows from changed ones', async () => {
    const cast = await createCast(world);
    const build = createBuild(cast);
    const old = await build.memory({ title: 'Old' });
    const { workspaceId, alice } = cast;
    const list = async (query: { from?: 'now'; cursor?: string }) =>
      (await alice.api('change.list', { params: { workspaceId }, query })).result;
    const begin = await list({ from: 'now' });
    expect(begin).toEqual({ changes: [], cursor: expect.any(String), hasMore: false });
    await alice.api('memory.update', { params: { workspaceId, id: old.id }, body: { title: 'Older' } });
    const { id } = await build.memory({ title: 'New' });
    const { changes } = await list({ cursor: begin.cursor });
    expect(new Map(changes.map((change) => [change.id, 'isNew' in change && change.isNew]))).toEqual(
      new Map([
        [old.id, false],
        [id, true],
      ]),
    );
  });

  it('is no use to a removed member, and scopes decide which kinds are told', async () => {
    const cast = await createCast(world);
    const build = createBuild(cast);
    await build.memory();
    await build.thread({ visibility: 'workspace' });
    const { secret } = await createKey(world, cast.alice, {
      workspaceId: cast.workspaceId,
      scopes: ['memories:read'],
    });
    const narrow = new ChangeConsumer(createRaw(world, secret), cast.workspaceId);
    await narrow.follow(10);
    expect(new Set([...narrow.copy.keys()].map((key) => key.split(' ')[0]))).toEqual(new Set(['memory']));
    const his = new ChangeConsumer(cast.bob.raw, cast.workspaceId);
    await his.follow(10);
    const params = { workspaceId: cast.workspaceId, id: cast.bob.user.id };
    await cast.alice.api('workspace_member.remove', { params });
    expect((await his.ask(10)).status).toBe(403);
  });

  it.each(['0', '1001', 'x', '-1'])('with the limit %s gets 400 with its name', async (limit) => {
    const cast = await createCast(world);
    const { status, json } = await cast.alice.raw('GET', `/v1/changes/${cast.workspaceId}?limit=${limit}`);
    expect([status, json?.error?.detail.startsWith('limit')]).toEqual([400, true]);
  });
});
