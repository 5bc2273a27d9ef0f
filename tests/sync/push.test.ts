/** The push below HTTP: order, repetition, refusals, poison and hostile input. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { PushedMutation } from '#shared/sync/protocol.ts';
import { cleanUp } from '#server/sync/retention-schedule.ts';
import { push, type PushAnswer } from '#server/sync/push.ts';
import { isServed } from '#server/sync/schema-versions.ts';
import { createSyncWorld, type SyncWorld } from '#tests/support/sync-world.ts';

let world: SyncWorld;
let bob: Id<'user'>;
let rita: Id<'user'>;
let ws: Id<'workspace'>;
let group = 0;
beforeAll(async () => {
  world = await createSyncWorld();
  bob = await world.user('bob');
  rita = await world.user('rita');
  ws = await world.workspace(bob);
  await world.join(ws, rita, 'read-only');
});
beforeEach(() => {
  group += 1;
});
afterAll(() => world.database.drop());

const mutation = (id: number, name: string, args: unknown, clientID = `c${group}`): PushedMutation => ({
  clientID,
  id,
  name,
  args,
  timestamp: 0,
});
const create = (
  n: number,
  id: Id<'memory'> = newId('memory'),
  title: unknown = 'note',
  clientID = `c${group}`,
): PushedMutation =>
  mutation(n, 'memory.create', { id, at: world.at(), origin: 'manual_entry', title }, clientID);

function pushed(
  mutations: readonly PushedMutation[],
  userId = bob,
  clientGroupId = `g${group}`,
): Promise<PushAnswer> {
  return push(world.host, { userId, realmId: ws, clientGroupId, schemaVersion: '1' }, mutations);
}

async function lastId(clientID = `c${group}`): Promise<number | undefined> {
  const { rows } = await sql<{ last: number }>`
    select "lastMutationId" as "last" from "sync_client" where "id" = ${clientID}`.execute(world.database.db);
  return rows[0]?.last;
}

async function titleOf(id: string): Promise<string | null | undefined> {
  const { rows } = await sql<{
    title: string | null;
  }>`select "title" from "memory" where "id" = ${id}`.execute(world.database.db);
  return rows[0]?.title;
}

describe('a mutation that repeats another after a crash', () => {
  const replayOf = (id: number, clientID = `c${group}`) => [{ clientID, id }];

  it('is done when the server has taken the first one, even from another group', async () => {
    const id = newId('memory');
    await pushed([create(1, id, 'mine'), mutation(2, 'memory.update', { id, at: world.at(), title: 'two' })]);
    await pushed([mutation(3, 'memory.update', { id, at: world.at(), title: 'three' })]);
    const again = mutation(1, 'memory.update', { id, at: world.at(), title: 'two' }, `again${group}`);
    const answer = await pushed([{ ...again, replayOf: replayOf(2) }], bob, `other${group}`);
    expect(answer.results).toEqual([]);
    expect(await titleOf(id)).toBe('three');
    expect(await lastId(`again${group}`)).toBe(1);
  });

  it('is carried out when the server has not, and is refused like any other', async () => {
    const id = newId('memory');
    await pushed([create(1, id, 'mine')]);
    const again = mutation(1, 'memory.update', { id, at: world.at(), title: 'two' }, `again${group}`);
    const bad = mutation(2, 'memory.update', { id: newId('memory'), at: world.at() }, `again${group}`);
    const answer = await pushed([
      { ...again, replayOf: replayOf(2) },
      { ...bad, replayOf: [...replayOf(3), ...replayOf(9, 'unknown')] },
    ]);
    expect(await titleOf(id)).toBe('two');
    expect(answer.results).toMatchObject([{ mutationID: 2, code: 'not_found' }]);
  });

  it('cannot be hidden behind the mutation of another person or workspace', async () => {
    await pushed([create(1)], rita, `rita${group}`);
    const elsewhere = await world.workspace(bob);
    const from = { userId: bob, realmId: elsewhere, clientGroupId: `else${group}`, schemaVersion: '1' };
    await push(world.host, from, [create(1, newId('memory'), 'else', `else${group}`)]);
    const [one, two] = [newId('memory'), newId('memory')];
    await pushed([
      { ...create(1, one, 'one', `mine${group}`), replayOf: replayOf(1) },
      { ...create(2, two, 'two', `mine${group}`), replayOf: replayOf(1, `else${group}`) },
    ]);
    expect([await titleOf(one), await titleOf(two)]).toEqual(['one', 'two']);
  });
});

describe('a push', () => {
  it('processes mutations in order and repeats none', async () => {
    const id = newId('memory');
    const batch = [create(1, id, 'one'), mutation(2, 'memory.update', { id, at: world.at(), title: 'two' })];
    await pushed(batch);
    await pushed([mutation(3, 'memory.update', { id, at: world.at(), title: 'three' })]);
    await pushed(batch);
    expect([await titleOf(id), await lastId()]).toEqual(['three', 3]);
  });

  it('of two tabs at once applies each mutation once', async () => {
    const ids = Array.from({ length: 10 }, () => newId('memory'));
    const batch = ids.map((id, index) => create(index + 1, id, `t${index}`));
    const other = batch.map((one) => ({ ...one, clientID: `d${group}` }));
    const before = world.commits.length;
    await Promise.all([pushed(batch), pushed(batch.slice(3)), pushed([...other, ...batch])]);
    expect([await lastId(), await lastId(`d${group}`)]).toEqual([10, 10]);
    expect(world.commits.length - before).toBeLessThanOrEqual(40);
    for (const [index, id] of ids.entries()) expect(await titleOf(id)).toBe(`t${index}`);
  });

  it('with a gap applies nothing beyond it, and says how far the server is', async () => {
    const [first, second, third] = [newId('memory'), newId('memory'), newId('memory')];
    const refusal = { error: 'ClientStateNotFound', lastMutationIDs: { [`c${group}`]: 1 } };
    expect(await pushed([create(1, first), create(3, third)])).toEqual({ refusal, results: [] });
    expect([await lastId(), await titleOf(third)]).toEqual([1, undefined]);
    await pushed([create(2, second), create(3, third)]);
    expect([await lastId(), await titleOf(third)]).toEqual([3, 'note']);
  });

  it('from a client that was forgotten is refused as such', async () => {
    expect(await pushed([create(7)])).toMatchObject({ refusal: { error: 'ClientStateNotFound' } });
    expect(await lastId()).toBeUndefined();
  });

  it('that is refused has no effect, stores one result, and does not stop the others', async () => {
    const [wrong, right] = [newId('memory'), newId('memory')];
    const { results } = await pushed([
      create(1, wrong, 7),
      mutation(2, 'no.such_thing', {}),
      create(3, right),
    ]);
    expect(results.map(({ mutationID, code }) => [mutationID, code])).toEqual([
      [1, 'invalid'],
      [2, 'bad_request'],
    ]);
    expect([await titleOf(wrong), await titleOf(right), await lastId()]).toEqual([undefined, 'note', 3]);
    const { rows } = await sql<{ count: number }>`
      select count(*) as "count" from "sync_mutation_result" where "clientId" = ${`c${group}`}`.execute(
      world.database.db,
    );
    expect(rows).toEqual([{ count: 2 }]);
  });

  it('does not put an old title in the place of a later one, and gives its text back to its author', async () => {
    const id = newId('memory');
    const retitle = (n: number, title: string, base: string, clientID?: string) =>
      mutation(n, 'memory.update', { id, at: world.at(), title, base: { title: base } }, clientID);
    await pushed([create(1, id, 'first')]);
    const old = retitle(1, 'from weeks ago', 'first', `away${group}`);
    await pushed([retitle(2, 'second', 'first')]);
    const { results } = await pushed([old], bob, `away${group}`);
    expect(results).toMatchObject([{ code: 'conflict', args: { title: 'from weeks ago' } }]);
    expect(await titleOf(id)).toBe('second');
  });

  it('of a read-only member changes nothing but its own marks', async () => {
    const { results } = await pushed([create(1)], rita);
    expect(results).toMatchObject([{ code: 'forbidden' }]);
  });

  it('cannot reach the rows of another workspace through ids', async () => {
    const eve = await world.user('eve');
    const hers = await world.workspace(eve);
    const [space, foreign] = [newId('space'), newId('memory')];
    await world.mutate(eve, hers, 'space.create', { id: space, at: world.at(), name: 'Hers', slug: 'hers' });
    await world.mutate(eve, hers, 'memory.create', {
      id: foreign,
      at: world.at(),
      origin: 'api',
      title: 'hers',
    });
    const mine = newId('memory');
    const { results } = await pushed([
      mutation(1, 'memory.update', { id: foreign, at: world.at(), title: 'stolen' }),
      mutation(2, 'memory.create', { id: mine, at: world.at(), origin: 'api', title: 'x', spaceId: space }),
      create(3, mine),
      mutation(4, 'space_memory.create', { spaceId: space, memoryId: mine, at: world.at() }),
      create(5, foreign),
      mutation(6, 'memory.remove', { id: foreign, at: world.at() }),
    ]);
    expect(results.map(({ mutationID, code }) => [mutationID, code])).toEqual([
      [1, 'not_found'],
      [2, 'not_found'],
      [4, 'not_found'],
      [5, 'conflict'],
      [6, 'not_found'],
    ]);
    expect(await titleOf(foreign)).toBe('hers');
  });

  it('ignores a client’s owners, times and workspaces', async () => {
    const id = newId('memory');
    const forged = {
      ownerId: rita,
      createdBy: rita,
      workspaceId: newId('workspace'),
      created: '2001-01-01T00:00:00.000Z',
    };
    const args = { id, at: '2999-01-01T00:00:00.000Z', origin: 'api', title: 'x', ...forged };
    await pushed([mutation(1, 'memory.create', args)]);
    const { rows } = await sql`
      select "ownerId", "createdBy", "workspaceId", "created" from "memory" where "id" = ${id}`.execute(
      world.database.db,
    );
    expect(rows).toEqual([{ ownerId: bob, createdBy: bob, workspaceId: ws, created: world.at() }]);
  });

  it.each([
    ['a NUL in a text', { title: 'a\u0000b' }],
    ['a lone surrogate', { title: '\ud800' }],
    ['a NUL in a field name', { 'a\u0000b': 1, title: 7 }],
    ['no arguments', null],
    ['a list', [1, 2, 3]],
    ['a number', 1e308],
    ['a prototype', JSON.parse('{"__proto__": {"title": "x"}}')],
    ['a text that is too long', { title: 'x'.repeat(400_000) }],
    ['more than a mutation may hold', { title: 'x'.repeat(SYNC.argsMaxBytes) }],
    ['bottomless nesting', JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`)],
    ['a word of SQL', { title: "'); drop table memory; --", id: "x' or '1'='1" }],
  ])('takes %s as a refusal, not as a fault', async (_what, args) => {
    const given =
      args !== null && typeof args === 'object' && !Array.isArray(args)
        ? { id: newId('memory'), at: world.at(), origin: 'api', ...args }
        : args;
    const { results } = await pushed([mutation(1, 'memory.create', given), create(2)]);
    expect(results).toHaveLength(1);
    expect(['invalid', 'too_large']).toContain(results[0]?.code);
    expect(await lastId()).toBe(2);
  });

  it('survives names that no mutator has', async () => {
    const names = ['constructor', '__proto__', 'toString', 'memory.create\u0000', '\ud800', ''];
    const { results } = await pushed(names.map((name, index) => mutation(index + 1, name, {})));
    expect(results.map(({ code }) => code)).toEqual(names.map(() => 'bad_request'));
  });

  it('for the wrong kind of realm is refused', async () => {
    const { results } = await pushed([
      mutation(1, 'notification.remove', { id: newId('notification'), at: world.at() }),
    ]);
    expect(results).toMatchObject([{ code: 'bad_request' }]);
  });
});

describe('a mutation that fails by our fault', () => {
  const title = 'poison';
  beforeAll(async () => {
    await sql`alter table "memory" add constraint "no_poison" check ("title" <> 'poison') not valid`.execute(
      world.database.db,
    );
  });

  it('is retried in its place, and set aside after enough attempts over enough time', async () => {
    const after = newId('memory');
    const batch = [create(1, newId('memory'), title), create(2, after)];
    const tried = () => pushed(batch).catch((error: unknown) => error);
    for (let n = 0; n < SYNC.poisonAttempts; n++) {
      expect(await tried()).toMatchObject({ code: 'unavailable' });
    }
    expect([await lastId(), await titleOf(after)]).toEqual([undefined, undefined]);
    expect(await tried()).toBeInstanceOf(AppError);
    world.tick(SYNC.poisonSpanMs);
    expect(await tried()).toMatchObject({ results: [{ code: 'internal', mutationID: 1 }] });
    expect([await lastId(), await titleOf(after)]).toEqual([2, 'note']);
  });

  it('is tried once more after an absence, and taken when the fault is gone', async () => {
    const id = newId('memory');
    const batch = [create(1, id, 'cured')];
    const check = (on: boolean) =>
      sql`alter table "memory" ${sql.raw(on ? `add constraint "no_cure" check ("title" <> 'cured') not valid` : 'drop constraint "no_cure"')}`.execute(
        world.database.db,
      );
    await check(true);
    for (let n = 0; n < SYNC.poisonAttempts; n++) {
      await expect(pushed(batch)).rejects.toMatchObject({ code: 'unavailable' });
    }
    await check(false);
    world.tick(SYNC.poisonSpanMs * 3);
    expect(await pushed(batch)).toEqual({ results: [] });
    expect(await titleOf(id)).toBe('cured');
  });

  it.each([
    ['a lock time-out', '55P03'],
    ['a cancelled statement', '57014'],
    ['a lost connection', '08006'],
    ['a server that shuts down', '57P01'],
    ['a full disk', '53100'],
    ['too many connections', '53300'],
    ['an error of the disk', '58030'],
    ['a deadlock', '40P01'],
    ['a read-only database', '25006'],
  ])('is never set aside for %s', async (_what, state) => {
    const db = world.database.db;
    await sql`
      create or replace function "trouble"() returns trigger language plpgsql as ${sql.lit(
        `begin if new."title" = 'unlucky' then raise exception 'trouble' using errcode = '${state}'; end if; return new; end`,
      )}`.execute(db);
    await sql`create or replace trigger "trouble" before insert on "memory" for each row execute function "trouble"()`.execute(
      db,
    );
    const id = newId('memory');
    const batch = [create(1, id, 'unlucky')];
    for (let n = 0; n <= SYNC.poisonAttempts; n++) {
      await expect(pushed(batch)).rejects.toMatchObject({ code: 'unavailable' });
      world.tick(SYNC.poisonSpanMs);
    }
    await sql`drop trigger "trouble" on "memory"`.execute(db);
    expect(await pushed(batch)).toEqual({ results: [] });
    expect(await titleOf(id)).toBe('unlucky');
  });
});

describe('replica schemas', () => {
  const versions = { '1': '2026-03-01T00:00:00.000Z', '2': null };
  const after = (days: number) => new Date(Date.parse(versions['1']) + days * 86_400_000);

  it('that were replaced may pull for thirty days and push for ninety (V1, V3)', () => {
    expect(isServed('2', 'pull', after(500), versions)).toBe(true);
    expect([29, 31].map((days) => isServed('1', 'pull', after(days), versions))).toEqual([true, false]);
    expect([89, 91].map((days) => isServed('1', 'push', after(days), versions))).toEqual([true, false]);
    expect(isServed('constructor', 'push', after(0), versions)).toBe(false);
  });
});

describe('the clean-up', () => {
  it('forgets tombstones, groups, results and trash after their days, and no sooner', async () => {
    const id = newId('memory');
    await pushed([create(1, id), create(2, newId('memory'), 7)]);
    await world.mutate(bob, ws, 'memory.remove', { id, at: world.at() });
    const host = { ...world.host, clock: world.host.clock };
    const count = async (table: string, where: string) =>
      (
        await sql<{
          count: number;
        }>`select count(*) as "count" from ${sql.table(table)} where ${sql.raw(where)}`.execute(
          world.database.db,
        )
      ).rows[0]?.count;
    const days = async (n: number) => {
      world.tick(n * 86_400_000);
      await cleanUp(host);
    };
    await days(0);
    await days(29);
    expect(await titleOf(id)).toBe('note');
    expect(await count('sync_mutation_result', `"clientId" = 'c${group}'`)).toBe(1);
    await days(2);
    expect(await titleOf(id)).toBeUndefined();
    expect(await count('sync_mutation_result', `"clientId" = 'c${group}'`)).toBe(0);
    expect(await count('sync_entry', `"entityId" = '${id}' and not "live"`)).toBe(1);
    await days(32);
    expect(await count('sync_entry', `"entityId" = '${id}'`)).toBe(0);
    expect(await count('sync_realm', `"realmId" = '${ws}' and "minVersion" > 0`)).toBe(1);
    expect(await count('sync_client_group', `"id" = 'g${group}'`)).toBe(1);
    await days(40);
    expect(await count('sync_client_group', `"id" = 'g${group}'`)).toBe(0);
  });

  it('keeps a deleted private space as long as something was captured into it', async () => {
    const [home, note] = [newId('space'), newId('memory')];
    await world.mutate(bob, ws, 'space.create', {
      id: home,
      at: world.at(),
      name: 'H',
      slug: 'home-kept',
      visibility: 'private' as const,
    });
    await world.mutate(bob, ws, 'memory.create', {
      id: note,
      at: world.at(),
      origin: 'api',
      title: 'n',
      spaceId: home,
    });
    await world.mutate(bob, ws, 'space.remove', { id: home, at: world.at() });
    world.tick(40 * 86_400_000);
    await cleanUp(world.host);
    const { rows } = await sql<{ audienceId: string }>`
      select "audienceId" from "sync_entry" where "entityId" = ${note} and "live"`.execute(world.database.db);
    expect(rows).toEqual([{ audienceId: `u:${bob}@${ws}` }]);
  });
});
