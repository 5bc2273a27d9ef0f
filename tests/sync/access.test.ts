/**
 * What reaches which member, on the wire itself: a private thread appears in no response to others, a member who is
 * removed while online loses everything at once, and windows of messages hold at their full size.
 */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import { message } from '#shared/threads/message.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { removeMember } from '#server/workspaces/membership.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import type { Agent } from '#tests/support/agent.ts';
import { openReplicas, type TestReplica } from '#tests/support/replicas.ts';
import { openWorld } from '#tests/support/world.ts';
import { Oracle } from './oracle.ts';
import { expectTruth } from './replica-truth.ts';
import { asPerson } from '#server/sync/readable.ts';
import { describeLong } from '#tests/support/long-test.ts';

let cast: Cast;
const open: TestReplica[] = [];
const world = await openWorld();
const oracle = new Oracle(world.database.url);
beforeEach(async () => {
  cast = await createCast(world);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((replica) => replica.close()));
});
afterAll(async () => {
  await oracle.close();
});

const at = () => world.clock.now().toISOString();

function replicaOf({ token, user }: Agent): TestReplica {
  const who = { servers: [world.url], token, userId: user.id, realmId: cast.workspaceId };
  const [replica] = openReplicas([{ ...who, keepsAnswers: true }]);
  if (replica === undefined) throw new Error('no replica');
  open.push(replica);
  return replica;
}

describe('a private thread', () => {
  it('is named in no response to any other member, online, after absence or new', async () => {
    const [alice, bob, rita] = [replicaOf(cast.alice), replicaOf(cast.bob), replicaOf(cast.rita)];
    for (const replica of [alice, bob, rita]) await replica.settle();
    rita.offline();
    const id = newId('thread');
    const messages = [newId('message'), newId('message')];
    await alice.mutate('thread.create', { id, at: at(), name: 'Mine alone', visibility: 'private' });
    await alice.mutate('thread.open', { id, at: at() });
    for (const message of messages) {
      await alice.mutate('message.create', { id: message, threadId: id, content: 'quiet', at: at() });
      await alice.settle();
      await bob.settle();
    }
    await alice.mutate('thread.update', { id, at: at(), name: 'Still mine' });
    await alice.settle();
    await alice.mutate('thread.remove', { id, at: at() });
    await alice.settle();
    rita.online();
    const late = replicaOf(cast.bob);
    for (const replica of [bob, rita, late]) await replica.settle();
    for (const { answers } of [bob, rita, late]) {
      for (const secret of [id, ...messages, 'Mine alone', 'Still mine']) {
        expect(answers.join('\n')).not.toContain(secret);
      }
    }
    // The same ids are in the owner's responses, which proves that responses were searched.
    expect(alice.answers.join('\n')).toContain(id);
    for (const replica of [alice, bob, rita, late]) await expectTruth(replica, oracle, cast.workspaceId);
  });
});

describe('a member who is removed', () => {
  it('loses every row while online, without asking, and later pushes end as refused', async () => {
    const bob = replicaOf(cast.bob);
    await bob.settle();
    await bob.mutate('memory.create', { id: newId('memory'), at: at(), origin: 'text', title: 'shared' });
    await bob.settle();
    const end = new AbortController();
    const pokes = await fetch(`${world.url}/v1/sync/poke`, {
      headers: { authorization: `Bearer ${cast.bob.token}` },
      signal: end.signal,
    });
    let heard = 0;
    const listening = (async () => {
      for await (const chunk of pokes.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        if (!chunk.includes('"realm":')) continue;
        heard += 1;
        await bob.pull();
      }
    })().catch(() => undefined);
    // The stream follows the workspace as soon as it delivers a write in it.
    const body = { workspaceId: cast.workspaceId, title: 'Do you hear?' };
    await expect
      .poll(async () => (await cast.alice.api('memory.create', { body }), heard))
      .toBeGreaterThan(0);
    expect((await bob.rows('1/mb/')).size).toBe(3);
    await writeInRealm(world.context, cast.workspaceId, systemActor, (tx) =>
      removeMember(tx, { userId: cast.alice.user.id, position: 'owner' }, cast.bob.user.id),
    );
    await expect.poll(async () => (await bob.rows()).size, { interval: 20 }).toBe(0);
    end.abort();
    await listening;
    const before = bob.sent.length;
    await bob.mutate('sync.ack_results', { ids: [] });
    await bob.settle();
    expect(await bob.pending()).toBe(0);
    expect(bob.sent.length - before).toBeLessThan(6);
  });
});

describe('a client group', () => {
  it('that begins with the cookie of another one is sent nothing again', async () => {
    const first = replicaOf(cast.bob);
    await first.settle();
    await first.mutate('memory.create', { id: newId('memory'), at: at(), origin: 'text', title: 'known' });
    await first.settle();
    const pull = (clientGroupID: string, cookie: unknown) =>
      cast.bob.raw('POST', `/v1/sync/${cast.workspaceId}/pull`, {
        body: {
          pullVersion: 1,
          schemaVersion: SYNC.schemaVersion,
          profileID: 'p',
          clientGroupID,
          cookie,
        },
      });
    const whole = await pull('old-app', null);
    const { cookie } = JSON.parse(whole.text);
    // An app with one more mutator forks a group, which inherits the cookie and brings no clients along.
    const forked = await pull('new-app', cookie);
    expect(JSON.parse(forked.text)).toEqual({ cookie, lastMutationIDChanges: {}, patch: [] });
  });
});

describeLong('windows of messages', () => {
  it('hold the newest two hundred of the hundred threads that were opened last', async () => {
    const { alice, bob, workspaceId } = cast;
    const threads = Array.from({ length: SYNC.windowThreads + 1 }, () => newId('thread'));
    const start = world.clock.now().getTime();
    for (const [index, id] of threads.entries()) {
      const created = new Date(start - 1_000_000 + index).toISOString();
      await writeInRealm(world.context, workspaceId, asPerson(bob.user.id), async (tx) => {
        await tx.insert('thread', {
          id,
          workspaceId,
          ownerId: alice.user.id,
          createdBy: alice.user.id,
          lastEditedBy: alice.user.id,
          name: `Talk ${index}`,
          summary: null,
          origin: 'web',
          visibility: 'workspace',
          publicUntil: null,
          created,
          updated: created,
          deletedAt: null,
        });
        await tx.openThread(id, created);
        await tx.insertMany('message', messagesOf(id, workspaceId, start));
      });
    }
    const live = await sql<{ threads: number; messages: number; most: number }>`
      select count(*) as "threads", sum(n) as "messages", max(n) as "most" from (
        select count(*) as n from "sync_audience_member" m
        join "sync_entry" e on e."audienceId" = m."audienceId" and e."live"
        where m."userId" = ${bob.user.id} and m."audienceId" like 'm:%' group by m."audienceId") as windows`.execute(
      world.context.db,
    );
    const [most, all] = [SYNC.windowMessages, SYNC.windowThreads * SYNC.windowMessages];
    expect(live.rows.map((row) => Object.values(row).map(Number))).toEqual([[SYNC.windowThreads, all, most]]);
    const replica = replicaOf(bob);
    await replica.settle(60_000);
    expect((await replica.rows('7/g/')).size).toBe(all);
    // The thread that was opened first has left the window.
    expect((await replica.rows(`7/g/${threads[0]}/`)).size).toBe(0);
    await expectTruth(replica, oracle, workspaceId);
  });
});

/** One message more than a window holds. */
function messagesOf(threadId: Id<'thread'>, workspaceId: Id<'workspace'>, start: number) {
  return Array.from({ length: SYNC.windowMessages + 1 }, (_, n) => ({
    id: newId('message'),
    workspaceId,
    threadId,
    role: 'user' as const,
    content: `word ${n}`,
    ...message.defaults,
    createdBy: cast.alice.user.id,
    createdAt: new Date(start - 5e5 + n).toISOString(),
  }));
}
