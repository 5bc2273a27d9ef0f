/** Writes of people that wait for the same workspace share a transaction: each is kept, refused and seen by itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actorIn, applyMutation } from '#server/db/run-mutation.ts';
import type { ServerTx } from '#server/db/server-tx.ts';
import { writeTogether } from '#server/db/transaction.ts';
import { changePosition } from '#server/workspaces/membership.ts';
import { newId, type Id } from '#shared/ids.ts';
import { createSharedWorkspace, type SyncWorld } from '#tests/support/sync-world.ts';

let world: SyncWorld;
let alice: Id<'user'>;
let bob: Id<'user'>;
let ws: Id<'workspace'>;
beforeAll(async () => {
  ({ world, alice, bob, ws } = await createSharedWorkspace());
});
afterAll(() => world.database.drop());

const together = <T>(userId: Id<'user'>, write: (tx: ServerTx) => Promise<T>) =>
  writeTogether(world.host, ws, { userId }, write);

const create = (userId: Id<'user'>, id: Id<'memory'>) =>
  together(userId, (tx) =>
    applyMutation(world.host.effects, tx, userId, {
      name: 'memory.create',
      args: { id, at: world.at(), origin: 'manual_entry', title: id },
    }),
  );

async function stored(ids: readonly Id<'memory'>[]): Promise<string[]> {
  const rows = await world.database.db.selectFrom('memory').select('id').where('id', 'in', ids).execute();
  return rows.map(({ id }) => id);
}

/**
 * A write that holds the workspace until it is let go, and one that waits for it in the database: two have their turn at
 * once, and only what comes after both of them waits together.
 */
function hold() {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: holding, resolve: started } = Promise.withResolvers<void>();
  const first = together(alice, async () => {
    started();
    await held;
  });
  const second = holding.then(() => together(alice, () => Promise.resolve()));
  const writing = Promise.all([first, second]).then(([written]) => written);
  return { holding, letGo, writing };
}

describe('writes that wait for the same workspace', () => {
  it('are all kept, share versions, and are announced', async () => {
    const { holding, letGo, writing } = hold();
    await holding;
    const ids = Array.from({ length: 30 }, () => newId('memory'));
    const writes = ids.map((id, index) => create(index % 2 === 0 ? alice : bob, id));
    letGo();
    const { version: before } = await writing;
    const versions = (await Promise.all(writes)).map(({ version }) => version);
    expect((await stored(ids)).toSorted()).toEqual(ids.toSorted());
    expect(Math.min(...versions)).toBe(before + 1);
    expect(new Set(versions).size).toBeLessThan(ids.length / 2);
    const announced = world.commits.map((commit) => commit.get(ws) ?? 0);
    expect(Math.max(...announced)).toBe(Math.max(...versions));
  });

  it('are refused one by one: the others are kept, and each is told its own reason', async () => {
    const { holding, letGo, writing } = hold();
    await holding;
    const [taken, free] = [newId('memory'), newId('memory')];
    const stranger = await world.user('eve');
    // Looked after from the start: one may be refused before the first is done.
    const writes = Promise.allSettled([
      create(bob, taken),
      create(stranger, newId('memory')),
      together(bob, async (tx) => {
        await tx.update('workspace', ws, { name: 'Half done' });
        throw new Error('a fault of ours');
      }),
      create(alice, free),
    ]);
    letGo();
    await writing;
    const outcomes = (await writes).map((outcome) =>
      outcome.status === 'fulfilled' ? 'kept' : String(outcome.reason),
    );
    expect(outcomes).toEqual([
      'kept',
      expect.stringContaining('not a member'),
      expect.stringContaining('a fault of ours'),
      'kept',
    ]);
    expect((await stored([taken, free])).toSorted()).toEqual([taken, free].toSorted());
    const workspace = await world.database.db
      .selectFrom('workspace')
      .select('name')
      .where('id', '=', ws)
      .executeTakeFirstOrThrow();
    expect(workspace.name).not.toBe('Half done');
  });

  it('know what an earlier one of the same transaction changed about positions', async () => {
    const { holding, letGo, writing } = hold();
    await holding;
    const position = () => together(bob, async (tx) => (await actorIn(tx, bob)).position);
    const seen = [
      position(),
      together(alice, async (tx) =>
        changePosition(tx, await actorIn(tx, alice), { userId: bob, position: 'read-only' }),
      ),
      position(),
    ];
    letGo();
    await writing;
    const [before, , after] = (await Promise.all(seen)).map(({ value }) => value);
    expect([before, after]).toEqual(['member', 'read-only']);
  });

  it('run what follows a commit once each, and only of what was committed', async () => {
    const { holding, letGo, writing } = hold();
    await holding;
    const told: string[] = [];
    const tell = (name: string, fails = false) =>
      together(alice, async (tx) => {
        tx.afterCommit(() => void told.push(name));
        if (fails) throw new Error('no');
      });
    const writes = Promise.allSettled([tell('one'), tell('two', true), tell('three')]);
    letGo();
    await writing;
    await writes;
    expect(told.toSorted()).toEqual(['one', 'three']);
  });
});
