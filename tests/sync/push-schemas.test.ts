/** Pushes of apps that were away for long, and how long a statement of a push may take. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId, type Id } from '#shared/ids.ts';
import type { PushedMutation } from '#shared/sync/protocol.ts';
import { push, type PushAnswer } from '#server/sync/push.ts';
import { withPatience } from '#tests/support/patience.ts';
import { createSyncWorld, type SyncWorld } from '#tests/support/sync-world.ts';
import { describeLong } from '#tests/support/long-test.ts';

let world: SyncWorld;
let bob: Id<'user'>;
let ws: Id<'workspace'>;
let group = 0;
beforeAll(async () => {
  world = await createSyncWorld();
  bob = await world.user('bob');
  ws = await world.workspace(bob);
});
beforeEach(() => {
  group += 1;
});
afterAll(() => world.database.drop());

const mutation = (id: number, name: string, args: unknown): PushedMutation => ({
  clientID: `c${group}`,
  id,
  name,
  args,
  timestamp: 0,
});
const create = (n: number, id: Id<'memory'>, title = 'note'): PushedMutation =>
  mutation(n, 'memory.create', { id, at: world.at(), origin: 'manual_entry', title });
const pushed = (mutations: readonly PushedMutation[]): Promise<PushAnswer> =>
  push(world.host, { userId: bob, realmId: ws, clientGroupId: `g${group}`, schemaVersion: '1' }, mutations);

async function lastId(): Promise<number | undefined> {
  const { rows } = await sql<{ last: number }>`
    select "lastMutationId" as "last" from "sync_client" where "id" = ${`c${group}`}`.execute(
    world.database.db,
  );
  return rows[0]?.last;
}

async function titleOf(id: string): Promise<string | null | undefined> {
  const { rows } = await sql<{ title: string | null }>`
    select "title" from "memory" where "id" = ${id}`.execute(world.database.db);
  return rows[0]?.title;
}

describe('a push of a replaced schema', () => {
  const schemaSteps = {
    order: ['0', '0.5', '1'],
    changed: {
      '0': { 'note.add': (args: unknown) => ({ name: 'memory.add', args }) },
      '0.5': {
        'memory.add': (args: unknown) => ({
          name: 'memory.create',
          args: { origin: 'manual_entry', ...z.looseObject({}).parse(args) },
        }),
      },
    },
  };
  const pushedUnder = (schemaVersion: string, mutations: readonly PushedMutation[]) =>
    push(
      { ...world.host, schemaSteps },
      { userId: bob, realmId: ws, clientGroupId: `g${group}`, schemaVersion },
      mutations,
    );

  it('is taken in the old words, through every schema in between, and once (V1, V3)', async () => {
    const [first, second] = [newId('memory'), newId('memory')];
    const old = (n: number, id: string, name: string) =>
      mutation(n, name, { id, at: world.at(), title: name });
    const batch = [old(1, first, 'note.add'), old(2, second, 'memory.create')];
    const { results } = await pushedUnder('0', batch);
    await pushedUnder('0', batch);
    // What did not change between the schemas is parsed as it is: it lacks its origin.
    expect(results).toMatchObject([{ mutationID: 2, code: 'invalid' }]);
    expect([await titleOf(first), await lastId()]).toEqual(['note.add', 2]);
  });

  it('in words that no upcaster and no mutator has is refused, and the next goes on', async () => {
    const id = newId('memory');
    const { results } = await pushedUnder('0', [mutation(1, 'note.burn', {}), create(2, id)]);
    expect(results).toMatchObject([{ mutationID: 1, code: 'bad_request', name: 'note.burn' }]);
    expect(await titleOf(id)).toBe('note');
  });

  it('does not reach mutations of the current one', async () => {
    const { results } = await pushedUnder('1', [
      mutation(1, 'note.add', { id: newId('memory'), at: world.at() }),
    ]);
    expect(results).toMatchObject([{ code: 'bad_request' }]);
  });
});

describeLong('the time of a push', () => {
  withPatience(1);

  it('is limited to three seconds a statement, after which the replica tries again', async () => {
    await sql`
      create function "dawdle"() returns trigger language plpgsql as $$
      begin
        if new."title" = 'dawdle' then perform pg_sleep(600); end if;
        return new;
      end $$`.execute(world.database.db);
    await sql`
      create trigger "dawdle" before insert on "memory" for each row execute function "dawdle"()`.execute(
      world.database.db,
    );
    const after = newId('memory');
    await expect(pushed([create(1, newId('memory'), 'dawdle'), create(2, after)])).rejects.toMatchObject({
      code: 'unavailable',
      retryAfter: 1,
    });
    // A statement that took too long is the database's trouble and no failure of the change.
    const { rows } = await sql`
      select 1 from "sync_mutation_attempt" where "clientId" = ${`c${group}`}`.execute(world.database.db);
    expect(rows).toEqual([]);
    expect(await titleOf(after)).toBeUndefined();
    // Unlimited, it would take ten minutes.
  });
});
