/** What goes for good when its time has come: accounts, closed workspaces, and bookkeeping of requests. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createCleanUpTasks } from '#server/clean-up-tasks.ts';
import { cleanUp } from '#server/sync/retention-schedule.ts';
import { forgetResults } from '#server/sync/retention.ts';
import { newId } from '#shared/ids.ts';
import { createBuild, createCast, join, type Cast } from '#tests/support/build.ts';
import { signUp, TEST_PASSWORD } from '#tests/support/agent.ts';
import { openWorld } from '#tests/support/world.ts';

const DAY_MS = 86_400_000;

let cast: Cast;
const world = await openWorld();

/** Sessions do not outlive the days that pass here, so people are asked about in the database. */
async function passDays(days: number): Promise<void> {
  world.clock.advance(days * DAY_MS);
  await cleanUp(world.context, createCleanUpTasks(world.context));
}

async function rowsIn(table: string, where: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as "count" from ${sql.table(table)} where ${sql.raw(where)}`.execute(world.context.db);
  return rows[0]?.count ?? -1;
}

describe('an account that was asked to go', () => {
  it('stays fourteen days, then nothing tells who it was, and what was shared stays', async () => {
    cast = await createCast(world);
    const { bob, alice, workspaceId } = cast;
    const own = (await bob.api('workspace.create', { body: { name: 'Bob alone' } })).result;
    await bob.api('memory.create', { body: { workspaceId: own.id, title: 'only his' } });
    const shared = (await bob.api('memory.create', { body: { workspaceId, title: 'shared by bob' } })).result;
    const hidden = await createBuild(cast).space({ name: 'His', visibility: 'private' }, bob);
    await bob.api('auth.remove', {});
    await passDays(13);
    expect(await rowsIn('user', `"id" = '${bob.user.id}' and "email" = '${bob.user.email}'`)).toBe(1);
    await passDays(2);
    expect(await rowsIn('user', `"id" = '${bob.user.id}' and "forename" = 'Deleted'`)).toBe(1);
    expect(await rowsIn('user', `"email" = '${bob.user.email}'`)).toBe(0);
    for (const table of ['session', 'user_password', 'workspace_member', 'account_deletion']) {
      expect([table, await rowsIn(table, `"userId" = '${bob.user.id}'`)]).toEqual([table, 0]);
    }
    expect(await rowsIn('sync_audience_member', `"userId" = '${bob.user.id}'`)).toBe(0);
    expect(await rowsIn('workspace', `"id" = '${own.id}'`)).toBe(0);
    for (const table of ['memory', 'sync_entry', 'sync_realm']) {
      const column = table === 'memory' ? 'workspaceId' : 'realmId';
      expect([table, await rowsIn(table, `"${column}" = '${own.id}'`)]).toEqual([table, 0]);
    }
    expect(await rowsIn('memory', `"id" = '${shared.id}' and "ownerId" = '${bob.user.id}'`)).toBe(1);
    expect(await rowsIn('space', `"id" = '${hidden.id}' and "ownerId" = '${alice.user.id}'`)).toBe(1);
    const login = await bob.raw('POST', '/v1/auth/login', {
      body: { email: bob.user.email, password: TEST_PASSWORD },
    });
    expect(login.status).toBe(401);
  });

  it('stays when its owner signed in again', async () => {
    const zoe = await signUp(world, 'zoe');
    await zoe.api('auth.remove', {});
    await passDays(10);
    const body = { email: zoe.user.email, password: TEST_PASSWORD };
    expect((await zoe.raw('POST', '/v1/auth/login', { body })).status).toBe(200);
    await passDays(10);
    expect(await rowsIn('user', `"email" = '${zoe.user.email}'`)).toBe(1);
  });
});

describe('the workspace of an owner who goes', () => {
  const positionOf = async (workspaceId: string, userId: string) =>
    rowsIn(
      'workspace_member',
      `"workspaceId" = '${workspaceId}' and "userId" = '${userId}' and "position" = 'owner'`,
    );
  const alone = async (name: string) => {
    const owner = await signUp(world, name);
    const { result } = await owner.api('workspace.create', { body: { name: `Of ${name}` } });
    return { owner, workspaceId: result.id };
  };

  it('passes to the admin who has been there for longest', async () => {
    const { owner, workspaceId } = await alone('ines');
    await owner.api('auth.remove', {});
    const [early, late] = [await signUp(world, 'early'), await signUp(world, 'late')];
    await join(world, workspaceId, early, 'admin');
    world.clock.advance(1_000);
    await join(world, workspaceId, late, 'admin');
    await passDays(15);
    expect(await positionOf(workspaceId, early.user.id)).toBe(1);
    expect(await rowsIn('workspace', `"id" = '${workspaceId}' and "ownerId" = '${early.user.id}'`)).toBe(1);
    expect(await rowsIn('user', `"email" = '${owner.user.email}'`)).toBe(0);
  });

  it('is closed when it has no admin to take over', async () => {
    const { owner, workspaceId } = await alone('jan');
    await owner.api('auth.remove', {});
    await join(world, workspaceId, await signUp(world, 'reader'), 'member');
    await passDays(15);
    expect(await rowsIn('workspace', `"id" = '${workspaceId}' and "deletedAt" is not null`)).toBe(1);
    expect(await rowsIn('user', `"email" = '${owner.user.email}'`)).toBe(0);
    expect(await rowsIn('account_deletion', `"userId" = '${owner.user.id}'`)).toBe(0);
  });

  it('holds the other owner, who counts for none while the first is going', async () => {
    const { owner, workspaceId } = await alone('kim');
    const second = await signUp(world, 'second');
    await join(world, workspaceId, second, 'owner');
    await join(world, workspaceId, await signUp(world, 'third'), 'member');
    await owner.api('auth.remove', {});
    expect((await second.raw('DELETE', '/v1/auth/me')).status).toBe(409);
    const params = { workspaceId, id: second.user.id };
    const leaving = second.api('workspace_member.remove', { params });
    await expect(leaving).rejects.toMatchObject({ status: 409 });
  });
});

describe('a closed workspace', () => {
  it('stays fourteen days, then its rows, its feed and its place in the lists of members are gone', async () => {
    cast = await createCast(world);
    const { alice, bob, workspaceId } = cast;
    const build = createBuild(cast);
    const space = await build.space({ name: 'Shared' });
    const memory = await build.memory({ spaceId: space.id });
    await build.thread({ name: 'Talk' });
    await alice.api('workspace.remove', { params: { workspaceId } });
    await passDays(13);
    expect(await rowsIn('memory', `"id" = '${memory.id}'`)).toBe(1);
    await passDays(2);
    for (const [table, column] of [
      ...(['memory', 'space', 'thread', 'space_memory', 'workspace_member'] as const).map(
        (name) => [name, 'workspaceId'] as const,
      ),
      ...(['sync_entry', 'sync_audience_member', 'sync_realm'] as const).map(
        (name) => [name, 'realmId'] as const,
      ),
    ]) {
      expect([table, await rowsIn(table, `"${column}" = '${workspaceId}'`)]).toEqual([table, 0]);
    }
    expect(await rowsIn('workspace', `"id" = '${workspaceId}'`)).toBe(0);
    // Replicas of the account hear that the workspace has left their list.
    expect(
      await rowsIn(
        'sync_entry',
        `"realmId" = '${bob.user.id}' and "entityId" = '${workspaceId}' and not "live"`,
      ),
    ).toBe(1);
    // The workspace of another person is untouched.
    expect(await rowsIn('workspace', `"id" = '${cast.evesWorkspaceId}'`)).toBe(1);
  });
});

describe('bookkeeping of requests', () => {
  it('goes when it has run out: kept answers, counters and sessions', async () => {
    const nora = await signUp(world, 'nora');
    await nora.api('workspace.create', { body: { id: newId('workspace'), name: 'Nora' } });
    const kept = () => rowsIn('idempotency_key', `"caller" = '${nora.user.id}'`);
    expect(await kept()).toBe(1);
    await sql`insert into "rate_limit" ("key", "points", "expire") values ('old', 1, 1)`.execute(
      world.context.db,
    );
    await passDays(0.5);
    expect(await kept()).toBe(1);
    expect(await rowsIn('rate_limit', `"key" = 'old'`)).toBe(0);
    await passDays(1);
    expect(await kept()).toBe(0);
    expect(await rowsIn('session', `"userId" = '${nora.user.id}'`)).toBe(1);
    await passDays(91);
    expect(await rowsIn('session', `"userId" = '${nora.user.id}'`)).toBe(0);
  });
});

describe('unread results of refused changes', () => {
  it('go in pieces, each with a version of its own, so that others write in between', async () => {
    const { alice, workspaceId } = await createCast(world);
    const { db } = world.context;
    await sql`
      insert into "sync_mutation_result" ("clientId", "mutationId", "userId", "realmId", "name", "code", "message", "created")
      select 'old', n, ${alice.user.id}, ${workspaceId}, 'memory.create', 'forbidden', 'No', '2020-01-01'
      from generate_series(1, 5000) as n`.execute(db);
    const version = async () => {
      const { rows } = await sql<{ version: number }>`
        select "version" from "sync_realm" where "realmId" = ${workspaceId}`.execute(db);
      return rows[0]?.version ?? 0;
    };
    const before = await version();
    await forgetResults(world.context, world.clock.now());
    expect(await rowsIn('sync_mutation_result', `"realmId" = '${workspaceId}'`)).toBe(0);
    expect((await version()) - before).toBe(10);
  });
});
