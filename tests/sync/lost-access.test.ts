/**
 * Offline changes of a person who has lost access to the workspace since: refused, and the refusal with its text
 * reaches the person whatever happens to requests and responses.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { MutationResult, PullResponse, PushedMutation } from '#shared/sync/protocol.ts';
import { actorIn } from '#server/db/run-mutation.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { cookieSecret } from '#server/sync/secret.ts';
import { pull, renderPull } from '#server/sync/pull.ts';
import { push } from '#server/sync/push.ts';
import { cleanUp } from '#server/sync/retention-schedule.ts';
import { removeMember } from '#server/workspaces/membership.ts';
import { createSharedWorkspace, type SyncWorld } from '#tests/support/sync-world.ts';

let world: SyncWorld;
let alice: Id<'user'>;
let bob: Id<'user'>;
let ws: Id<'workspace'>;
let group: string;

beforeAll(async () => {
  ({ world, alice, bob, ws } = await createSharedWorkspace());
});
beforeEach(() => {
  group = newId('memory').slice(4);
});
afterAll(() => world.database.drop());

const mutation = (id: number, name: string, args: unknown, clientID = `c${group}`): PushedMutation => ({
  clientID,
  id,
  name,
  args,
  timestamp: 0,
});
const create = (id: number, title: string) =>
  mutation(id, 'memory.create', { id: newId('memory'), at: world.at(), origin: 'manual_entry', title });

const pushed = (mutations: PushedMutation[], userId: Id<'user'> = bob, realmId: string = ws) =>
  push(world.host, { userId, realmId, clientGroupId: group, schemaVersion: '1' }, mutations);

async function pulled(
  userId: string,
  realmId: string,
  { cookie = null, clientGroupId = group }: { cookie?: unknown; clientGroupId?: string } = {},
): Promise<PullResponse & { error?: string }> {
  const options = { secret: await cookieSecret(world.database.db), onDrift: () => undefined };
  const answer = await pull(world.database.pullDb, { userId, realmId, clientGroupId, cookie }, options);
  return JSON.parse('error' in answer ? JSON.stringify(answer) : renderPull(answer));
}

async function refusals(userId: string): Promise<MutationResult[]> {
  const { patch } = await pulled(userId, userId, { clientGroupId: newId('memory').slice(4) });
  return patch.flatMap((operation) =>
    operation.op === 'put' && operation.key.startsWith('0/err/') ? [operation.value as MutationResult] : [],
  );
}

async function remove(userId: Id<'user'>): Promise<void> {
  await writeInRealm(world.host, ws, systemActor, async (tx) =>
    removeMember(tx, await actorIn(tx, alice), userId),
  );
}

async function versionOf(realmId: string): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    select "version" from "sync_realm" where "realmId" = ${realmId}`.execute(world.database.db);
  return rows[0]?.version;
}

describe('offline work of a person who was removed', () => {
  let carl: Id<'user'>;
  beforeEach(async () => {
    carl = await world.user('carl');
    await world.join(ws, carl, 'member');
  });

  it('is refused once, with its words, in the account realm, and confirmed in the closed one', async () => {
    await pushed([create(1, 'Before')], carl);
    const open = await pulled(carl, ws);
    await remove(carl);
    const before = await versionOf(ws);
    const batch = [
      create(2, 'Typed in a tunnel'),
      mutation(3, 'thread.open', { id: newId('thread'), at: world.at() }),
    ];
    const answer = await pushed(batch, carl);
    expect(answer.results).toMatchObject([{ code: 'forbidden', workspaceId: ws, mutationID: 2 }]);
    // The response was lost, and the device sends everything again.
    expect(await pushed(batch, carl)).toEqual({ results: [] });
    const closed = await pulled(carl, ws, { cookie: open.cookie });
    expect(closed.patch).toEqual([
      { op: 'clear' },
      { op: 'put', key: '0/ctl/access', value: { revoked: true } },
    ]);
    expect(closed.lastMutationIDChanges).toEqual({ [`c${group}`]: 3 });
    expect(await refusals(carl)).toMatchObject([
      { name: 'memory.create', args: { title: 'Typed in a tunnel' }, code: 'forbidden', workspaceId: ws },
    ]);
    // Nothing of it touches the workspace or its members.
    expect(await versionOf(ws)).toBe(before);
  });

  it('goes on being refused and confirmed when the closed realm was pulled first', async () => {
    await remove(carl);
    const first = await pulled(carl, ws);
    const second = await pulled(carl, ws, { cookie: first.cookie });
    expect([second.cookie, second.patch]).toEqual([first.cookie, []]);
    for (const id of [1, 2]) await pushed([create(id, `Note ${id}`)], carl);
    const third = await pulled(carl, ws, { cookie: second.cookie });
    expect(third.lastMutationIDChanges).toEqual({ [`c${group}`]: 2 });
    await pushed([create(3, 'Note 3')], carl);
    const fourth = await pulled(carl, ws, { cookie: third.cookie });
    expect(fourth.lastMutationIDChanges).toEqual({ [`c${group}`]: 3 });
    expect((await pulled(carl, ws, { cookie: fourth.cookie })).patch).toEqual([]);
    expect(new Set((await refusals(carl)).map(({ mutationID }) => mutationID))).toEqual(new Set([1, 2, 3]));
  });

  it('reaches the person when it was refused before access was lost, and is acknowledged there', async () => {
    await pushed([mutation(1, 'memory.create', { id: newId('memory'), title: 'Not a note' })], carl);
    await remove(carl);
    const [found] = await refusals(carl);
    expect(found).toMatchObject({ code: 'invalid', args: { title: 'Not a note' }, workspaceId: ws });
    await world.mutate(carl, carl, 'sync.ack_results', { ids: [`c${group}/1`] });
    expect(await refusals(carl)).toEqual([]);
  });

  it('is confirmed after the person was let in again', async () => {
    await pushed([create(1, 'Before')], carl);
    const open = await pulled(carl, ws);
    await remove(carl);
    await pushed([create(2, 'Refused')], carl);
    await world.join(ws, carl, 'member');
    expect((await pulled(carl, ws, { cookie: open.cookie })).lastMutationIDChanges).toEqual({
      [`c${group}`]: 2,
    });
    await pushed([create(3, 'Taken')], carl);
    expect((await refusals(carl)).map(({ mutationID }) => mutationID)).toEqual([2]);
  });

  it('is neither lost nor done twice when the removal comes between two of its requests', async () => {
    const batch = Array.from({ length: 60 }, (_, index) => create(index + 1, `Note ${index + 1}`));
    const [answer] = await Promise.all([pushed(batch, carl), remove(carl)]);
    const { rows } = await sql<{ title: string }>`
      select "title" from "memory" where "ownerId" = ${carl} or "createdBy" = ${carl}`.execute(
      world.database.db,
    );
    expect(answer.results).toHaveLength((await refusals(carl)).length);
    expect(rows.length + answer.results.length).toBe(60);
  });
});

describe('two people with one client group', () => {
  it('that is new: one has it, the other has to start again, and both continue', async () => {
    const dora = await world.user('dora');
    const hers = await world.workspace(dora);
    const answers = await Promise.allSettled([
      pushed([create(1, 'of Bob')]),
      pushed([create(1, 'of Dora')], dora, hers),
    ]);
    const taken = answers.filter(({ status }) => status === 'fulfilled');
    expect(taken.length).toBeGreaterThan(0);
    const { rows } = await sql<{ userId: string }>`
      select "userId" from "sync_client_group" where "id" = ${group}`.execute(world.database.db);
    const [winner, loser] = rows[0]?.userId === bob ? [bob, dora] : [dora, bob];
    const realmOf = (userId: string) => (userId === bob ? ws : hers);
    const again = await pushed([create(1, 'Again')], loser, realmOf(loser));
    expect(again.refusal).toEqual({ error: 'ClientStateNotFound', lastMutationIDs: {} });
    expect((await pulled(loser, realmOf(loser))).error).toBe('ClientStateNotFound');
    expect(await pushed([create(2, 'More')], winner, realmOf(winner))).toEqual({ results: [] });
    group = newId('memory').slice(4);
    expect(await pushed([create(1, 'Under a new name')], loser, realmOf(loser))).toEqual({ results: [] });
  });

  it('loses none of its clients to a batch of another that names them', async () => {
    await pushed([create(1, 'of Bob')]);
    const [client, dora] = [`c${group}`, await world.user('dora')];
    const hers = await world.workspace(dora);
    group = newId('memory').slice(4);
    const foreign = [mutation(2, 'memory.create', {}, client)];
    expect(await pushed(foreign, dora, hers)).toEqual({
      refusal: { error: 'ClientStateNotFound', lastMutationIDs: {} },
      results: [],
    });
    const { rows } = await sql`select "lastMutationId" from "sync_client" where "id" = ${client}`.execute(
      world.database.db,
    );
    expect(rows).toEqual([{ lastMutationId: 1 }]);
  });
});

describe('clients of a living group', () => {
  it('are deleted after their retention, and one that comes back has to start again', async () => {
    await pushed([create(1, 'one'), create(2, 'two')]);
    world.tick((SYNC.groupDays - 1) * 86_400_000);
    const other = mutation(1, 'memory.create', create(1, 'of another tab').args, `d${group}`);
    await pushed([other]);
    await cleanUp(world.host);
    expect(await pushed([create(2, 'two')])).toEqual({ results: [] });
    world.tick(2 * 86_400_000);
    await cleanUp(world.host);
    const clients = await sql<{ id: string }>`
      select "id" from "sync_client" where "clientGroupId" = ${group}`.execute(world.database.db);
    expect(clients.rows).toEqual([{ id: `d${group}` }]);
    // Repeated or new: nothing is carried out under a name whose history is gone.
    for (const batch of [[create(2, 'two')], [create(3, 'three')]]) {
      const refusal = { error: 'ClientStateNotFound', lastMutationIDs: { [`d${group}`]: 1 } };
      expect(await pushed(batch)).toEqual({ refusal, results: [] });
    }
    expect(await pushed([mutation(2, 'memory.create', create(2, 'goes on').args, `d${group}`)])).toEqual({
      results: [],
    });
  });
});

describe('a cookie whose signature is damaged', () => {
  it.each([
    ['shortened', (sig: string) => sig.slice(1)],
    ['of other letters', (sig: string) => `${sig.startsWith('A') ? 'B' : 'A'}${sig.slice(1)}`],
    ['of letters that take more bytes', (sig: string) => 'ä'.repeat(sig.length)],
    ['of a character outside the first plane', (sig: string) => `😀${sig.slice(2)}`],
    ['empty', () => ''],
  ])('is a fresh start: %s', async (_what, damage) => {
    const { cookie } = await pulled(bob, ws);
    const sealed = cookie as { sig: string };
    const { patch } = await pulled(bob, ws, { cookie: { ...sealed, sig: damage(sealed.sig) } });
    expect(patch[0]).toEqual({ op: 'clear' });
    expect(patch.length).toBeGreaterThan(2);
  });
});
