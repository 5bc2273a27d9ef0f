/** Guests through HTTP, real mail and real replicas: named, mailed, bound to accounts, and gone when the grant is. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GUESTS } from '#shared/spaces/limits.ts';
import { newId } from '#shared/ids.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { enlarge } from '#server/sync/readers/dependants.ts';
import { removeMember } from '#server/workspaces/membership.ts';
import { signUp, signUpAs, unverifyAddress, verifyAddress, type Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, join, type Cast } from '#tests/support/build.ts';
import { ChangeConsumer } from '#tests/support/change-consumer.ts';
import { codeIn } from '#tests/support/mail-secrets.ts';
import { mailsTo, nextMail } from '#tests/support/mails.ts';
import { openReplicas, type TestReplica } from '#tests/support/replicas.ts';
import { openWorld } from '#tests/support/world.ts';

let cast: Cast;
let build: ReturnType<typeof createBuild>;
const open: TestReplica[] = [];
const world = await openWorld({ jobs: true });
beforeEach(async () => {
  cast = await createCast(world);
  build = createBuild(cast);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((replica) => replica.close()));
});

interface Given {
  email?: string;
  userId?: string;
  position?: string;
  level: string;
}

const share = (id: string, grants: readonly Given[], by: Agent = cast.alice, more: object = {}) =>
  by.raw('PATCH', `/v1/${id.startsWith('spc') ? 'spaces' : 'threads'}/${cast.workspaceId}/${id}`, {
    body: { ...more, grants },
  });
const guestly = { visibility: 'private_and_guests' } as const;
const read = async (who: Agent, id: string) =>
  (await who.raw('GET', `/v1/${id.startsWith('spc') ? 'spaces' : 'threads'}/${cast.workspaceId}/${id}`))
    .status;

function replicaOf({ token, user }: Agent): TestReplica {
  const [replica] = openReplicas([
    { servers: [world.url], token, userId: user.id, realmId: cast.workspaceId, keepsAnswers: true },
  ]);
  if (replica === undefined) throw new Error('no replica');
  open.push(replica);
  return replica;
}

describe('naming people', () => {
  it('mails an address once, as text and HTML, and opens at once for the account that has it', async () => {
    const space = await build.space({ name: 'Quay plans', ...guestly });
    const { status, json } = await share(space.id, [
      { email: cast.eve.user.email.toUpperCase(), level: 'read' },
    ]);
    expect([status, Object(json?.result).grants]).toEqual([
      200,
      [
        {
          userId: cast.eve.user.id,
          email: cast.eve.user.email,
          position: null,
          level: 'read',
          created: world.clock.now().toISOString(),
        },
      ],
    ]);
    expect(await read(cast.eve, space.id)).toBe(200);
    // The first one is that of the sign-up.
    const mail = await nextMail(world, cast.eve.user.email, 2);
    expect(mail.subject).toContain('shared a space with you');
    for (const form of [mail.text, mail.html]) {
      expect(form).toContain('Quay plans');
      expect(form).toContain(`/${cast.slug}/spaces/${space.slug}`);
      expect(form).toContain(cast.alice.user.email);
    }
    await share(space.id, []);
    const later = `later-${newId('user').slice(-6)}@example.net`;
    await share(space.id, [
      { email: cast.eve.user.email, level: 'write' },
      { email: later, level: 'read' },
    ]);
    // Its mail was asked for last.
    await nextMail(world, later);
    expect(await mailsTo(world, cast.eve.user.email)).toHaveLength(2);
  });

  it('waits for an account that proves the address, although another claimed it before', async () => {
    const email = `new-${newId('user').slice(-6)}@example.net`;
    const thread = await build.thread({ name: 'Talk', ...guestly });
    await share(thread.id, [{ email, level: 'write' }]);
    expect((await nextMail(world, email)).text).toContain('/signup');
    const claimed = await signUpAs(world, email);
    expect(await read(claimed, thread.id)).toBe(403);
    const code = codeIn(await nextMail(world, email, 2));
    await claimed.api('auth.verify_email', { body: { code } });
    await expect.poll(() => read(claimed, thread.id)).toBe(200);
    const { result } = await claimed.api('workspace.list_shared', {});
    expect(result.map(({ id }) => id)).toEqual([cast.workspaceId]);
    expect((await claimed.api('workspace.list', {})).result).toEqual([]);
    const params = { workspaceId: cast.workspaceId, threadId: thread.id };
    const said = await claimed.api('message.create', { params, body: { content: 'Hello' } });
    expect(said.result.message.createdBy).toBe(claimed.user.id);
  });

  it('refuses grants without a person, to one person twice, to strangers by id, and to the owner', async () => {
    const space = await build.space(guestly);
    const email = 'x@example.net';
    const wrong: Given[][] = [
      [{ level: 'read' }],
      [{ email, userId: cast.bob.user.id, level: 'read' }],
      [{ email: 'no address', level: 'read' }],
      [{ email, level: 'own' }],
      [{ position: 'guest', level: 'read' }],
      [{ userId: 'usr_x', level: 'read' }],
      [{ userId: newId('user'), level: 'read' }],
      [{ userId: cast.eve.user.id, level: 'read' }],
      [{ userId: cast.alice.user.id, level: 'read' }],
      [
        { email, level: 'read' },
        { email: email.toUpperCase(), level: 'write' },
      ],
      Array.from({ length: GUESTS.perPlace + 1 }, (_, n) => ({ email: `a${n}@example.net`, level: 'read' })),
    ];
    for (const grants of wrong) {
      const { status, json } = await share(space.id, grants);
      expect([grants.slice(0, 2), status, json?.success]).toEqual([grants.slice(0, 2), 400, false]);
    }
    expect(Object((await share(space.id, [])).json?.result).grants).toEqual([]);
  });

  it('is for those who may change the thing, and shows its grants to no other', async () => {
    const space = await build.space({ visibility: 'workspace_and_guests' });
    const given = [{ email: cast.eve.user.email, level: 'write' }];
    await share(space.id, given);
    for (const [who, expected] of [
      [cast.bob, 403],
      [cast.rita, 403],
      [cast.eve, 403],
    ] as const) {
      expect((await share(space.id, [], who)).status).toBe(expected);
      const { json } = await who.raw('GET', `/v1/spaces/${cast.workspaceId}/${space.id}`);
      expect(Object(json?.result)).not.toHaveProperty('grants');
    }
    const outsider = await signUp(world, `mallory-${newId('user').slice(-6)}`);
    expect((await share(space.id, [], outsider)).status).toBe(403);
    await unverifyAddress(world, cast.alice);
    expect((await share(space.id, [...given, { email: 'y@example.net', level: 'read' }])).status).toBe(403);
  });
});

describe('a guest', () => {
  it('has a replica of what was granted and of nothing else, and loses it with the grant', async () => {
    const space = await build.space(guestly);
    const other = await build.space({ visibility: 'workspace' });
    const inside = await build.memory({ title: 'Inside', spaceId: space.id });
    const common = await build.memory({ title: 'Common' });
    await build.link(space.id, common.id);
    const elsewhere = await build.memory({ title: 'Elsewhere', spaceId: other.id });
    await share(space.id, [{ email: cast.eve.user.email, level: 'read' }]);
    const eve = replicaOf(cast.eve);
    await eve.settle();
    const keys = [...(await eve.rows()).keys()].filter((key) => !key.startsWith('0/'));
    expect(keys.filter((key) => key.startsWith('1/mb/') || key.startsWith('1/ws/'))).toEqual([]);
    for (const id of [space.id, inside.id, common.id])
      expect(keys.some((key) => key.endsWith(id))).toBe(true);
    for (const id of [other.id, elsewhere.id]) expect(keys.some((key) => key.endsWith(id))).toBe(false);
    await share(space.id, []);
    expect(await read(cast.eve, space.id)).toBe(403);
    await eve.settle();
    expect([...(await eve.rows()).keys()].filter((key) => !key.startsWith('0/'))).toEqual([]);
  });

  it('leaves a share at once, on all devices, and no other share with it', async () => {
    const [first, second] = [await build.space({ name: 'Quay', ...guestly }), await build.space(guestly)];
    const inside = await build.memory({ title: 'Inside', spaceId: first.id });
    for (const { id } of [first, second])
      await share(id, [{ email: cast.eve.user.email, level: id === first.id ? 'write' : 'read' }]);
    const listed = await cast.eve.api('share.list', {});
    const { workspaceId } = cast;
    expect(listed.result.find(({ id }) => id === first.id)).toMatchObject({
      kind: 'space',
      name: 'Quay',
      slug: first.slug,
      workspaceId,
      workspaceSlug: cast.slug,
      level: 'write',
    });
    expect(listed.result).toHaveLength(2);
    const devices = [replicaOf(cast.eve), replicaOf(cast.eve)];
    for (const device of devices) await device.settle();
    await devices[0]?.mutate('grant.leave', { resourceId: first.id, at: world.clock.now().toISOString() });
    for (const device of devices) {
      await device.settle();
      const keys = [...(await device.rows()).keys()];
      for (const id of [first.id, inside.id]) expect(keys.some((key) => key.endsWith(id))).toBe(false);
      expect(keys.some((key) => key.endsWith(second.id))).toBe(true);
    }
    expect([await read(cast.eve, first.id), await read(cast.eve, second.id)]).toEqual([404, 200]);
    const params = { workspaceId, id: second.id };
    expect((await cast.eve.api('share.leave', { params })).result).toBeNull();
    expect((await cast.eve.api('share.list', {})).result).toEqual([]);
    expect(await read(cast.eve, second.id)).toBe(403);
  });

  it('ends only what was given to the caller, and says so when there is nothing', async () => {
    const space = await build.space(guestly);
    await share(space.id, [
      { email: cast.eve.user.email, level: 'read' },
      { userId: cast.bob.user.id, level: 'read' },
    ]);
    const path = (id: string) => `/v1/shares/${cast.workspaceId}/${id}`;
    const outsider = await signUp(world, `nora-${newId('user').slice(-6)}`);
    for (const [who, id, expected] of [
      [outsider, space.id, 403],
      [cast.rita, space.id, 404],
      [cast.alice, space.id, 404],
      [cast.eve, newId('space'), 404],
      [cast.eve, newId('memory'), 404],
      [cast.bob, space.id, 200],
      [cast.bob, space.id, 404],
    ] as const)
      expect([id, (await who.raw('DELETE', path(id))).status]).toEqual([id, expected]);
    const { json } = await cast.alice.raw('GET', `/v1/spaces/${cast.workspaceId}/${space.id}`);
    expect(Object(json?.result).grants).toMatchObject([{ email: cast.eve.user.email }]);
    const both = await Promise.all([1, 2].map(() => cast.eve.raw('DELETE', path(space.id))));
    expect(both.map(({ status }) => status).includes(200)).toBe(true);
    expect(both.every(({ status }) => [200, 403, 404].includes(status))).toBe(true);
  });

  it('keeps other grants when one is withdrawn, and nothing of what they wrote there', async () => {
    const [first, second] = [await build.space(guestly), await build.space(guestly)];
    await share(first.id, [{ email: cast.eve.user.email, level: 'write' }]);
    await share(second.id, [{ email: cast.eve.user.email, level: 'read' }]);
    const own = await build.memory({ title: 'By Eve', spaceId: first.id }, cast.eve);
    await share(first.id, []);
    expect([await read(cast.eve, first.id), await read(cast.eve, second.id)]).toEqual([404, 200]);
    const path = `/v1/memories/${cast.workspaceId}/${own.id}`;
    expect((await cast.eve.raw('GET', path)).status).toBe(404);
    expect((await cast.alice.raw('GET', path)).status).toBe(200);
  });

  it('deletes what is theirs while they may write, and files nothing into another space', async () => {
    const [first, second] = [await build.space(guestly), await build.space(guestly)];
    for (const { id } of [first, second]) await share(id, [{ email: cast.eve.user.email, level: 'write' }]);
    const theirs = await build.memory({ title: 'Theirs', spaceId: first.id }, cast.eve);
    const ours = await build.memory({ title: 'Ours', spaceId: first.id });
    const link = { workspaceId: cast.workspaceId, spaceId: second.id, memoryId: ours.id };
    expect((await cast.eve.raw('POST', '/v1/space_memories', { body: link })).status).toBe(403);
    const path = (id: string) => `/v1/memories/${cast.workspaceId}/${id}`;
    expect((await cast.eve.raw('DELETE', path(ours.id))).status).toBe(403);
    expect((await cast.eve.raw('DELETE', path(theirs.id))).status).toBe(200);
    const nowhere = { workspaceId: cast.workspaceId, title: 'Nowhere' };
    expect((await cast.eve.raw('POST', '/v1/memories', { body: nowhere })).status).toBe(403);
    const found = { workspaceId: cast.workspaceId, name: 'Mine' };
    for (const call of ['/v1/spaces', '/v1/threads'])
      expect((await cast.eve.raw('POST', call, { body: found })).status).toBe(403);
  });

  it('is one no more when the space is deleted, and again when it is restored', async () => {
    const space = await build.space(guestly);
    await share(space.id, [{ email: cast.eve.user.email, level: 'read' }]);
    await cast.alice.api('space.remove', { params: { workspaceId: cast.workspaceId, id: space.id } });
    expect(await read(cast.eve, space.id)).toBe(403);
    const alice = replicaOf(cast.alice);
    await alice.settle();
    await alice.mutate('space.restore', {
      id: space.id,
      at: world.clock.now().toISOString(),
    });
    await expect.poll(() => read(cast.eve, space.id)).toBe(200);
  });

  it('was a member once, and reads nothing of what was theirs then', async () => {
    const mine = await build.memory({ title: 'Bob’s own' }, cast.bob);
    const kept = await build.space({ name: 'Kept', visibility: 'private' }, cast.bob);
    await writeInRealm(world.context, cast.workspaceId, systemActor, (tx) =>
      removeMember(tx, { userId: cast.alice.user.id, position: 'owner' }, cast.bob.user.id),
    );
    const space = await build.space(guestly);
    await share(space.id, [{ email: cast.bob.user.email, level: 'write' }]);
    expect([await read(cast.bob, space.id), await read(cast.bob, kept.id)]).toEqual([200, 404]);
    const path = `/v1/memories/${cast.workspaceId}/${mine.id}`;
    expect((await cast.bob.raw('GET', path)).status).toBe(404);
    await join(world, cast.workspaceId, cast.bob, 'member');
    expect((await cast.bob.raw('GET', path)).status).toBe(200);
    expect((await cast.bob.api('workspace.list_shared', {})).result).toEqual([]);
  });

  it('loses every grant with the membership', async () => {
    const space = await build.space({ visibility: 'custom' });
    await share(space.id, [{ userId: cast.bob.user.id, level: 'read' }]);
    expect(await read(cast.bob, space.id)).toBe(200);
    await writeInRealm(world.context, cast.workspaceId, systemActor, (tx) =>
      removeMember(tx, { userId: cast.alice.user.id, position: 'owner' }, cast.bob.user.id),
    );
    expect(await read(cast.bob, space.id)).toBe(403);
    const { json } = await cast.alice.raw('GET', `/v1/spaces/${cast.workspaceId}/${space.id}`);
    expect(Object(json?.result).grants).toEqual([]);
  });
});

describe('a workspace with a domain', () => {
  it('is internal to proven addresses at it, and to no mail provider or claim', async () => {
    const host = `${newId('user').slice(-8)}.example`;
    await world.context.db
      .updateTable('user')
      .set({ domain: host, personal: false })
      .where('id', '=', cast.alice.user.id)
      .execute();
    const params = { workspaceId: cast.workspaceId };
    await cast.alice.api('workspace.update', { params, body: { domain: host } });
    const space = await build.space({ visibility: 'internal' });
    const claimed = await signUpAs(world, `dan@${host}`);
    expect(await read(claimed, space.id)).toBe(403);
    const code = codeIn(await nextMail(world, claimed.user.email));
    await claimed.api('auth.verify_email', { body: { code } });
    await expect.poll(() => read(claimed, space.id)).toBe(200);
    expect(
      (await claimed.raw('POST', '/v1/memories', { body: { ...params, title: 'x', spaceId: space.id } }))
        .status,
    ).toBe(403);
    await cast.alice.api('workspace.update', { params, body: { domain: null } });
    expect(await read(claimed, space.id)).toBe(403);
  });
});

describe('a large space', () => {
  it('is opened to guests and closed again without a trace', async () => {
    const space = await build.space({ visibility: 'workspace' });
    const memories = [];
    for (const title of ['One', 'Two']) {
      const memory = await build.memory({ title });
      await build.link(space.id, memory.id);
      memories.push(memory);
    }
    await writeInRealm(world.context, cast.workspaceId, systemActor, (tx) =>
      enlarge(tx, cast.workspaceId, space.id),
    );
    const grants = [{ email: cast.eve.user.email, level: 'read' }];
    await share(space.id, grants, cast.alice, { visibility: 'workspace_and_guests' });
    for (const { id } of memories)
      expect((await cast.eve.raw('GET', `/v1/memories/${cast.workspaceId}/${id}`)).status).toBe(200);
    await share(space.id, grants, cast.alice, { visibility: 'workspace' });
    for (const { id } of memories) {
      expect((await cast.eve.raw('GET', `/v1/memories/${cast.workspaceId}/${id}`)).status).toBe(403);
      expect((await cast.bob.raw('GET', `/v1/memories/${cast.workspaceId}/${id}`)).status).toBe(200);
    }
    await verifyAddress(world, cast.eve);
  });
});

describe('following changes', () => {
  it('brings a guest what is shared, also when that changes or is taken back, and no member', async () => {
    const kinds = ['memory', 'space', 'thread', 'space_memory'] as const;
    const [one, two] = [await build.space(guestly), await build.space(guestly)];
    const hidden = await build.space({ name: 'Hidden', visibility: 'workspace' });
    await build.memory({ title: 'Of members' });
    const memory = await build.memory({ title: 'Tide table', spaceId: one.id });
    const given = [{ email: cast.eve.user.email, level: 'read' }];
    await share(one.id, given);
    await share(two.id, given);
    const consumer = new ChangeConsumer(cast.eve.raw, cast.workspaceId);
    const expectTruth = async () => {
      await consumer.follow(3);
      expect(consumer.shown()).toEqual(await consumer.truth(kinds));
      expect([...consumer.copy.keys()].filter((key) => key.startsWith('workspace_member'))).toEqual([]);
    };
    await expectTruth();
    expect(Object.keys(consumer.shown())).toEqual(
      [
        `memory ${memory.id}`,
        `space ${one.id}`,
        `space_memory ${one.id}/${memory.id}`,
        `space ${two.id}`,
      ].toSorted(),
    );
    expect(consumer.copy.has(`space ${hidden.id}`)).toBe(false);
    await cast.alice.api('memory.update', {
      params: { workspaceId: cast.workspaceId, id: memory.id },
      body: { title: 'Tide tables' },
    });
    await share(hidden.id, given, cast.alice, { visibility: 'workspace_and_guests' });
    await expectTruth();
    expect(consumer.copy.get(`memory ${memory.id}`)).toMatchObject({ title: 'Tide tables' });
    expect(consumer.copy.has(`space ${hidden.id}`)).toBe(true);
    await share(one.id, []);
    await expectTruth();
    expect(consumer.copy.has(`memory ${memory.id}`)).toBe(false);
    await share(two.id, []);
    await share(hidden.id, []);
    expect((await consumer.ask(3)).status, 'a stranger again').toBe(403);
  });

  it('tells a former member nothing of the members', async () => {
    const space = await build.space(guestly);
    const consumer = new ChangeConsumer(cast.bob.raw, cast.workspaceId);
    await consumer.follow(100);
    expect(consumer.copy.has(`workspace_member ${cast.alice.user.id}`)).toBe(true);
    await writeInRealm(world.context, cast.workspaceId, systemActor, (tx) =>
      removeMember(tx, { userId: cast.alice.user.id, position: 'owner' }, cast.bob.user.id),
    );
    await share(space.id, [{ email: cast.bob.user.email, level: 'read' }]);
    await consumer.follow(100);
    expect([...consumer.copy.keys()]).toEqual([`space ${space.id}`]);
  });
});
