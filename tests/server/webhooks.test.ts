/**
 * Webhooks against a real receiver: what is sent and how it is signed, tries after failures, the log, sending again, and
 * the end after days of failure. Attempts after the first are made by calling the job, because the queue's delays are real.
 */
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runMutation } from '#server/db/run-mutation.ts';
import type { ServerTx } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { JOBS } from '#server/jobs/jobs.ts';
import { createJobHandlers } from '#server/job-handlers.ts';
import { replaceAnswer, writeAnswer } from '#server/threads/answers.ts';
import { sweepWebhooks } from '#server/webhooks/collect.ts';
import { WEBHOOKS } from '#shared/webhooks/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { WebhookEvent } from '#shared/webhooks/webhook.ts';
import { createMember } from '#tests/support/victim.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createReceiver, type Receiver } from '#tests/support/webhook-receiver.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';
import { asPerson } from '#server/sync/readable.ts';

const DAY_MS = 86_400_000;

let cast: Cast;
let receiver: Receiver;
const world = await openWorld({ env: { EGRESS: 'private' } });
beforeEach(async () => {
  cast = await createCast(world);
  receiver = await createReceiver();
});
afterEach(() => receiver.close());

async function createHook(fields: { events?: WebhookEvent[] } = {}, by = cast.alice) {
  const { result } = await by.api('webhook.create', {
    params: { workspaceId: cast.workspaceId },
    body: { url: receiver.url, ...fields },
  });
  return result;
}

async function deliveriesOf(webhookId: Id<'webhook'>) {
  const params = { workspaceId: cast.workspaceId, webhookId };
  return (await cast.alice.api('webhook_delivery.list', { params, query: { perPage: 100 } })).result;
}

/** What the queue does: gathers the changes, then makes one attempt at each delivery that waits. */
async function work(webhookId: Id<'webhook'>): Promise<void> {
  const { workspaceId } = cast;
  const handlers = createJobHandlers(world.context);
  await handlers['webhook.collect'].run({ workspaceId });
  for (const { id, status } of await deliveriesOf(webhookId)) {
    if (status === 'pending') await handlers['webhook.deliver'].run({ workspaceId, deliveryId: id });
  }
}

describe('a delivery', () => {
  it('is signed as the Standard Webhooks library expects, and by no other secret', async () => {
    // The library compares the time of the attempt with that of the day.
    world.clock.set(new Date());
    cast = await createCast(world);
    const hook = await createHook();
    const memory = await createBuild(cast).memory({ title: 'Signed' });
    await work(hook.id);
    const [first] = receiver.received;
    if (!first) throw new Error('nothing came');
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
        name,
        String(first.headers[name]),
      ]),
    );
    const verified = new Webhook(hook.secret).verify(first.body, headers);
    expect(verified).toMatchObject({
      type: 'memory.created',
      data: { id: memory.id, row: { title: 'Signed' } },
    });
    expect(first.headers['content-type']).toBe('application/json');
    const { result } = await cast.alice.api('webhook.renew_secret', {
      params: { workspaceId: cast.workspaceId, id: hook.id },
    });
    expect(() => new Webhook(result.secret).verify(first.body, headers)).toThrow();
    expect(() => new Webhook(hook.secret).verify(first.body.replace('Signed', 'Forged'), headers)).toThrow();
  });

  it('comes for each change from now on, with what is gone, and of chosen events only', async () => {
    const build = createBuild(cast);
    const old = await build.memory({ title: 'Before' });
    const [all, some] = [await createHook(), await createHook({ events: ['memory.deleted'] })];
    const { workspaceId } = cast;
    const fresh = await build.memory({ title: 'After' });
    await work(all.id);
    await cast.alice.api('memory.remove', { params: { workspaceId, id: old.id } });
    await work(all.id);
    const types = receiver.events().map(({ type, data }) => [type, data['id']]);
    expect(types).toEqual([
      ['memory.created', fresh.id],
      ['memory.deleted', old.id],
    ]);
    receiver.received.length = 0;
    await work(some.id);
    expect(receiver.events().map(({ type, data }) => [type, data['id']])).toEqual([
      ['memory.deleted', old.id],
    ]);
  });

  it('brings answers that were written or written again, of threads that the owner reads', async () => {
    const { workspaceId, bob } = cast;
    const build = createBuild(cast);
    const [open, hidden] = [
      await build.thread({ name: 'Open', visibility: 'workspace' }, bob),
      await build.thread({ name: 'Hidden', visibility: 'private' }, bob),
    ];
    const hook = await createHook({ events: ['message.answered'] });
    const queued: { workspaceId: Id<'workspace'>; messageId: Id<'message'> }[] = [];
    const enqueue: typeof world.context.jobs.enqueue = async (db, name, payload, options) => {
      if (name === 'webhook.answered') queued.push(JOBS['webhook.answered'].payload.parse(payload));
      return world.context.jobs.enqueue(db, name, payload, options);
    };
    const context = { ...world.context, jobs: { ...world.context.jobs, enqueue } };
    const write = <T>(run: (tx: ServerTx) => Promise<T>) =>
      writeInRealm(context, workspaceId, asPerson(bob.user.id), run);
    const answer = (threadId: Id<'thread'>) =>
      write((tx) => writeAnswer(tx, { threadId, content: 'High water is at noon.' }));
    const deliver = async () => {
      const handlers = createJobHandlers(world.context);
      for (const job of queued.splice(0)) await handlers['webhook.answered'].run(job);
      await work(hook.id);
      return receiver.events().map(({ type, data }) => [type, data['row']]);
    };
    const { value: id } = await answer(open.id);
    await answer(hidden.id);
    const row = { id, threadId: open.id, role: 'assistant', content: 'High water is at noon.' };
    expect(await deliver()).toEqual([['message.answered', expect.objectContaining(row)]]);
    const content = 'It is at one.';
    await write((tx) => replaceAnswer(tx, { id, threadId: open.id, content, citations: [] }));
    expect((await deliver()).at(-1)).toEqual([
      'message.answered',
      expect.objectContaining({ ...row, content }),
    ]);
    expect(receiver.received).toHaveLength(2);
  });

  it('tells what is new to the owner of the webhook from what has changed', async () => {
    const { workspaceId, alice, bob } = cast;
    const build = createBuild(cast);
    const [hidden, home] = [
      await build.space({ name: 'Of Bob', visibility: 'private' }, bob),
      await build.space({ name: 'Of all', visibility: 'workspace' }),
    ];
    const bobs = await build.memory({ title: 'Of Bob', spaceId: hidden.id }, bob);
    const hook = await createHook();
    const events = async () => {
      receiver.received.length = 0;
      await work(hook.id);
      return receiver
        .events()
        .flatMap(({ type, data }) => (type.startsWith('memory.') ? [[type, data['id']]] : []));
    };
    const { id } = await build.memory({ title: 'A note' });
    const change = (body: { title?: string; spaceId?: Id<'space'> }) =>
      alice.api('memory.update', { params: { workspaceId, id }, body });
    await change({ title: 'Changed at once' });
    expect(await events()).toEqual([['memory.created', id]]);
    await change({ title: 'Changed later' });
    expect(await events()).toEqual([['memory.updated', id]]);
    await change({ spaceId: home.id });
    expect(await events()).toEqual([['memory.updated', id]]);
    await alice.api('memory.remove', { params: { workspaceId, id } });
    expect(await events()).toEqual([['memory.deleted', id]]);
    await runMutation(world.context, {
      actor: asPerson(alice.user.id),
      realmId: workspaceId,
      name: 'memory.restore',
      args: { id, at: world.clock.now().toISOString() },
    });
    // In the trash it is still among the rows that its readers have.
    expect(await events()).toEqual([['memory.updated', id]]);
    await bob.api('space.update', {
      params: { workspaceId, id: hidden.id },
      body: { visibility: 'workspace' },
    });
    expect(await events()).toEqual([['memory.created', bobs.id]]);
    await bob.api('memory.update', { params: { workspaceId, id: bobs.id }, body: { title: 'Still of Bob' } });
    expect(await events()).toEqual([['memory.updated', bobs.id]]);
  });

  it('says nothing that the owner of the webhook cannot see', async () => {
    const hook = await createHook();
    await createBuild(cast).space({ name: 'Private of Bob', visibility: 'private' }, cast.bob);
    await createBuild(cast).memory({ title: 'For all' });
    await work(hook.id);
    expect(receiver.events().map(({ type }) => type)).toEqual(['memory.created']);
    expect(JSON.stringify(receiver.received)).not.toContain('Private of Bob');
  });
});

describe('a failed delivery', () => {
  it('is tried again later and later, then given up; the log tells how', async () => {
    const hook = await createHook();
    receiver.answer(500);
    await createBuild(cast).memory();
    await work(hook.id);
    for (const [index, seconds] of WEBHOOKS.retrySeconds.entries()) {
      const [delivery] = await deliveriesOf(hook.id);
      expect(delivery).toMatchObject({ status: 'pending', attempts: index + 1, httpStatus: 500 });
      expect(delivery?.nextAt).toBe(new Date(world.clock.now().getTime() + seconds * 1_000).toISOString());
      world.clock.advance(seconds * 1_000);
      await work(hook.id);
    }
    const [last] = await deliveriesOf(hook.id);
    expect(last).toMatchObject({ status: 'failed', nextAt: null, error: 'The receiver answered 500' });
    expect(receiver.received).toHaveLength(1 + WEBHOOKS.retrySeconds.length);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([last?.id]),
    );
  });

  it('can be sent again with the same id, by those who may', async () => {
    const hook = await createHook();
    receiver.answer(410);
    await createBuild(cast).memory();
    await work(hook.id);
    const [failed] = await deliveriesOf(hook.id);
    const { workspaceId } = cast;
    const params = { workspaceId, webhookId: hook.id, id: failed?.id ?? ('delivery_' as const) };
    const path = `/v1/webhooks/${workspaceId}/${hook.id}/deliveries/${params.id}/replay`;
    // 410 says that the address is gone for good.
    expect((await cast.alice.raw('POST', path)).status).toBe(409);
    await cast.alice.api('webhook.update', { params: { workspaceId, id: hook.id }, body: { enabled: true } });
    receiver.answer(204);
    expect((await cast.bob.raw('POST', path)).status).toBe(403);
    expect((await cast.alice.raw('POST', path)).status).toBe(202);
    await work(hook.id);
    expect(await deliveriesOf(hook.id)).toMatchObject([{ id: params.id, status: 'delivered', attempts: 1 }]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids)).toEqual(new Set([params.id]));
  });

  it('for days disables the webhook and tells its owner; a success in between begins anew', async () => {
    const hook = await createHook();
    const params = { workspaceId: cast.workspaceId, id: hook.id };
    const build = createBuild(cast);
    const fail = async (days: number) => {
      receiver.answer(503);
      world.clock.advance(days * DAY_MS);
      await build.memory();
      await work(hook.id);
      return (await cast.alice.api('webhook.get', { params })).result;
    };
    expect((await fail(0)).enabled).toBe(true);
    expect((await fail(WEBHOOKS.disabledAfterDays - 1)).enabled).toBe(true);
    receiver.answer(200);
    await build.memory();
    await work(hook.id);
    expect((await cast.alice.api('webhook.get', { params })).result.failingSince).toBeNull();
    expect((await fail(2)).enabled).toBe(true);
    const ended = await fail(WEBHOOKS.disabledAfterDays);
    expect(ended).toMatchObject({ enabled: false, disabledReason: 'Nothing could be delivered for 5 days' });
    const notices = (await cast.alice.api('notification.list', {})).result;
    expect(notices.filter(({ triggerId }) => triggerId === 'webhook.disabled')).toHaveLength(1);
    const count = receiver.received.length;
    await build.memory();
    await work(hook.id);
    expect(receiver.received).toHaveLength(count);
  });

  it('by a redirect or a closed port is a failure too, and no redirect is followed', async () => {
    const hook = await createHook();
    const other = await createReceiver();
    receiver.answer(302, { location: other.url });
    await createBuild(cast).memory();
    await work(hook.id);
    expect(await deliveriesOf(hook.id)).toMatchObject([{ status: 'pending', httpStatus: 302 }]);
    expect(other.received).toEqual([]);
    other.close();
    receiver.close();
    await work(hook.id);
    expect(await deliveriesOf(hook.id)).toMatchObject([
      { status: 'pending', httpStatus: null, error: 'The connection was refused or broke off' },
    ]);
  });
});

describe('who may have webhooks', () => {
  it('are owners and admins with a session', async () => {
    const { workspaceId, bob, rita, eve } = cast;
    const path = `/v1/webhooks/${workspaceId}`;
    const body = { url: receiver.url };
    for (const { raw } of [bob, rita, eve]) {
      expect((await raw('POST', path, { body })).status).toBe(403);
      expect((await raw('GET', path)).status).toBe(403);
    }
    const admin = await createMember(world, cast, 'admin');
    expect((await admin.raw('POST', path, { body })).status).toBe(201);
    expect((await admin.raw('GET', path)).text).not.toContain('whsec_');
  });

  it('ends with the position of the owner', async () => {
    const admin = await createMember(world, cast, 'admin');
    const hook = await createHook({}, admin);
    const { workspaceId, alice } = cast;
    await alice.api('workspace_member.update', {
      params: { workspaceId, id: admin.user.id },
      body: { position: 'member' },
    });
    await createBuild(cast).memory();
    await work(hook.id);
    expect(receiver.received).toEqual([]);
    const { result } = await alice.api('webhook.get', { params: { workspaceId, id: hook.id } });
    expect(result).toMatchObject({ enabled: false, disabledReason: 'Its owner is not a member any more' });
  });

  it('passes to the person who changes the address, and nothing of the former owner goes there', async () => {
    const admin = await createMember(world, cast, 'admin');
    const hook = await createHook();
    const { workspaceId } = cast;
    await createBuild(cast).space({ name: 'Private of Alice', visibility: 'private' });
    const handlers = createJobHandlers(world.context);
    await handlers['webhook.collect'].run({ workspaceId });
    const other = await createReceiver();
    const { result } = await admin.api('webhook.update', {
      params: { workspaceId, id: hook.id },
      body: { url: other.url },
    });
    expect(result.ownerId).toBe(admin.user.id);
    await work(hook.id);
    expect([other.received, receiver.received]).toEqual([[], []]);
    const [old] = await deliveriesOf(hook.id);
    const path = `/v1/webhooks/${workspaceId}/${hook.id}/deliveries/${old?.id ?? ''}/replay`;
    expect((await admin.raw('POST', path)).status).toBe(409);
    other.close();
  });
});

it.each([
  'http://127.0.0.1:8080/x',
  'http://localhost/x',
  'http://[::1]/x',
  'http://169.254.169.254/latest',
  'http://user:pass@example.com/',
  'http://example.com:8443/',
  'ftp://example.com/',
  'javascript:alert(1)',
  'x',
  '',
])('the address %s is refused, or never reached, where only public ones may be', async (url) => {
  const guarded = await createWorld({ database: world.database, env: { EGRESS: 'public' } });
  try {
    const answer = await fetch(`${guarded.url}/v1/webhooks/${cast.workspaceId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cast.alice.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    });
    // A name is looked up when something is sent, because what it means may change.
    if (answer.status === 201) {
      await expect(guarded.context.egress.post(url, { headers: {}, body: Buffer.from('') })).rejects.toThrow(
        'blocked',
      );
    } else expect(answer.status).toBe(400);
  } finally {
    await guarded.close();
  }
});

it('are ten at most, also when they are made at once', async () => {
  const params = { workspaceId: cast.workspaceId };
  const make = () => cast.alice.api('webhook.create', { params, body: { url: receiver.url } });
  const made = await Promise.allSettled(Array.from({ length: 15 }, make));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(WEBHOOKS.perWorkspace);
});

it('the queue sends what changed by itself, and a sweep finds what a dead process left', async () => {
  const working = await createWorld({ env: { EGRESS: 'private' }, jobs: true });
  try {
    const own = await createCast(working);
    const { workspaceId, alice } = own;
    await alice.api('webhook.create', { params: { workspaceId }, body: { url: receiver.url } });
    await createBuild(own).memory({ title: 'By itself' });
    await receiver.wait(1);
    // A process that dies after its commit sends no notice.
    const silent = { ...working.context, pokes: { committed: () => undefined } };
    await runMutation(silent, {
      actor: asPerson(alice.user.id),
      realmId: workspaceId,
      name: 'memory.create',
      args: {
        id: newId('memory'),
        at: working.clock.now().toISOString(),
        origin: 'manual_entry',
        title: 'Left behind',
      },
    });
    await sweepWebhooks(working.context, working.clock.now());
    await receiver.wait(2);
    expect(receiver.events().map(({ data }) => Object(data['row']).title)).toEqual([
      'By itself',
      'Left behind',
    ]);
  } finally {
    await working.close();
  }
});
