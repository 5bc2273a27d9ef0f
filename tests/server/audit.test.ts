/** The audit log: what gets into it, in which transaction, who reads it, and that no secret ever stands in it. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AuditAction } from '#shared/audit/audit-event.ts';
import { AUDIT } from '#shared/workspaces/limits.ts';
import { newId } from '#shared/ids.ts';
import { createCleanUpTasks } from '#server/clean-up-tasks.ts';
import { recordAudit } from '#server/audit/service.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { settleAddress } from '#server/workspaces/guests.ts';
import type { GrantInput } from '#shared/spaces/grant.ts';
import { createRaw, signUpAs, TEST_PASSWORD, verifyAddress, type Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, join, type Cast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { openWorld } from '#tests/support/world.ts';
import { asPerson } from '#server/sync/readable.ts';

const world = await openWorld();

async function logOf({ alice, workspaceId }: Cast, query: Record<string, string> = {}) {
  const search = new URLSearchParams({ perPage: '100', ...query });
  const { json } = await alice.raw('GET', `/v1/audit/${workspaceId}?${search.toString()}`);
  return alice
    .api('audit.list', { params: { workspaceId }, query: { perPage: 100, ...query } })
    .then(({ result }) => {
      expect(json?.result).toEqual(result);
      return result;
    });
}

const actionsIn = async (cast: Cast) => (await logOf(cast)).map(({ action }) => action).toReversed();

describe('the audit log', () => {
  it('tells of people: invitations, positions, removal, leaving and transfer', async () => {
    const cast = await createCast(world);
    const { alice, bob, rita, eve, workspaceId } = cast;
    const member = { workspaceId, id: bob.user.id };
    const invited = await alice.api('invite.create', {
      body: { workspaceId, email: eve.user.email, position: 'member' },
    });
    await eve.api('invite.answer', { params: { id: invited.result.id }, body: { status: 'accepted' } });
    await alice.api('workspace_member.update', { params: member, body: { position: 'admin' } });
    await alice.api('workspace_member.remove', { params: { workspaceId, id: rita.user.id } });
    await eve.api('workspace_member.remove', { params: { workspaceId, id: eve.user.id } });
    await alice.api('workspace.transfer', { params: { workspaceId }, body: { userId: bob.user.id } });
    await bob.api('workspace_member.update', {
      params: { workspaceId, id: alice.user.id },
      body: { position: 'owner' },
    });
    const log = await logOf(cast);
    expect(log.map(({ action }) => action).toReversed()).toEqual([
      'invite.created',
      'member.joined',
      'member.position',
      'member.removed',
      'member.left',
      'member.position',
      'member.position',
      'workspace.transferred',
      'member.position',
    ]);
    expect(log.find(({ action }) => action === 'member.removed')).toMatchObject({
      actorId: alice.user.id,
      actorName: alice.user.email,
      impersonated: false,
      via: 'session',
      targetKind: 'user',
      targetId: rita.user.id,
      targetName: rita.user.email,
      details: { position: 'read-only' },
      address: '127.0.0.1',
    });
    expect(JSON.stringify(log)).not.toContain(invited.result.id);
  });

  it('tells of each grant that is given, accepted, changed, taken or left', async () => {
    const cast = await createCast(world);
    const { alice, bob, eve, workspaceId } = cast;
    const build = createBuild(cast);
    const space = await build.space({ name: 'Quay plans', visibility: 'custom' });
    const thread = await build.thread({ name: 'Talk', visibility: 'private_and_guests' });
    const give = (grants: GrantInput[]) =>
      alice.api('space.update', { params: { workspaceId, id: space.id }, body: { grants } });
    const eves = { email: eve.user.email, level: 'read' } as const;
    const bobs = { userId: bob.user.id, level: 'read' } as const;
    await give([eves, bobs, { position: 'read-only', level: 'read' }]);
    await give([eves, bobs]);
    await give([{ ...eves, level: 'write' }, bobs]);
    await give([{ ...eves, level: 'write' }, bobs]);
    const refused = await eve.raw('PATCH', `/v1/spaces/${workspaceId}/${space.id}`, { body: { grants: [] } });
    expect(refused.status).toBe(403);
    await alice.api('thread.update', {
      params: { workspaceId, id: thread.id },
      body: { grants: [{ email: 'later@example.org', level: 'write' }] },
    });
    const later = await signUpAs(world, 'later@example.org');
    await verifyAddress(world, later);
    await settleAddress(world.context, later.user.id);
    await settleAddress(world.context, later.user.id);
    await eve.api('share.leave', { params: { workspaceId, id: space.id } });
    await alice.api('workspace_member.remove', { params: { workspaceId, id: bob.user.id } });
    const log = (await logOf(cast)).toReversed().filter(({ action }) => action.startsWith('grant.'));
    const events = log.map(({ action, actorId, targetName, details }) => [
      action,
      actorId,
      targetName,
      details,
    ]);
    const named = { holder: eve.user.email };
    // Those of one call have no order.
    const given = events.slice(0, 3);
    for (const [holder, level] of [
      [eve.user.email, 'read'],
      [bob.user.email, 'read'],
      ['read-only', 'read'],
    ])
      expect(given).toContainEqual(['grant.created', alice.user.id, 'Quay plans', { holder, level }]);
    expect(events.slice(3)).toEqual([
      ['grant.removed', alice.user.id, 'Quay plans', { holder: 'read-only', level: 'read' }],
      ['grant.changed', alice.user.id, 'Quay plans', { ...named, from: 'read', to: 'write' }],
      ['grant.created', alice.user.id, 'Talk', { holder: 'later@example.org', level: 'write' }],
      ['grant.accepted', later.user.id, 'Talk', { holder: 'later@example.org', level: 'write' }],
      ['grant.left', eve.user.id, 'Quay plans', { ...named, level: 'write' }],
      ['grant.removed', alice.user.id, 'Quay plans', { holder: bob.user.email, level: 'read' }],
    ]);
    expect(log[0]).toMatchObject({ targetKind: 'space', targetId: space.id });
  });

  it('tells of sharing and deleting, over REST and over sync alike', async () => {
    const cast = await createCast(world);
    const { alice, workspaceId } = cast;
    const build = createBuild(cast);
    const [space, thread, memory] = [
      await build.space({ name: 'Recipes' }),
      await build.thread({ name: 'Plans' }),
      await build.memory({ title: 'Bread' }),
    ];
    await alice.api('space.update', {
      params: { workspaceId, id: space.id },
      body: { visibility: 'public' },
    });
    await alice.api('space.update', {
      params: { workspaceId, id: space.id },
      body: { visibility: 'public' },
    });
    await alice.api('space.update', { params: { workspaceId, id: space.id }, body: { color: 'lake' } });
    await alice.api('thread.update', {
      params: { workspaceId, id: thread.id },
      body: { visibility: 'unlisted' },
    });
    await build.space({ name: 'Born public', visibility: 'public' });
    await alice.api('memory.remove', { params: { workspaceId, id: memory.id } });
    await alice.api('thread.remove', { params: { workspaceId, id: thread.id } });
    const mutation = {
      id: 1,
      clientID: `client-${space.id}`,
      name: 'space.remove',
      args: { id: space.id, at: world.clock.now().toISOString() },
      timestamp: 0,
    };
    const pushed = await alice.raw('POST', `/v1/sync/${workspaceId}/push`, {
      body: {
        pushVersion: 1,
        clientGroupID: `g-${space.id}`,
        schemaVersion: '1',
        profileID: 'p',
        mutations: [mutation],
      },
    });
    expect(pushed.status).toBe(200);
    const log = (await logOf(cast)).toReversed();
    expect(log.map(({ action, targetName, details }) => [action, targetName, details])).toEqual([
      ['space.visibility', 'Recipes', { from: 'workspace', to: 'public' }],
      ['thread.visibility', 'Plans', { from: 'private', to: 'unlisted' }],
      ['space.visibility', 'Born public', { from: null, to: 'public' }],
      ['memory.removed', 'Bread', {}],
      ['thread.removed', 'Plans', {}],
      ['space.removed', 'Recipes', {}],
    ]);
    expect(log.at(-1)).toMatchObject({ via: 'session', actorId: alice.user.id, address: '127.0.0.1' });
  });

  it('tells of keys, exports, the end of workspaces and what a key did, and never a secret', async () => {
    const cast = await createCast(world);
    const { alice, workspaceId } = cast;
    const build = createBuild(cast);
    const { key, secret, raw } = await createKey(world, alice, {
      workspaceId,
      scopes: ['memories:read', 'memories:write'],
    });
    const memory = await build.memory();
    expect((await raw('DELETE', `/v1/memories/${workspaceId}/${memory.id}`)).status).toBe(200);
    const thread = await build.thread();
    await alice.api('message.export', {
      body: { workspaceId, threadId: thread.id, destination: 'download' },
    });
    await alice.api('auth.export', {});
    await alice.api('audit.export', { params: { workspaceId }, query: { format: 'csv' } });
    await alice.api('api_key.remove', { params: { workspaceId, id: key.id } });
    await alice.api('workspace.remove', { params: { workspaceId } });
    await alice.api('workspace.restore', { params: { workspaceId } });
    const expected: AuditAction[] = [
      'api_key.created',
      'memory.removed',
      'thread.exported',
      'account.exported',
      'audit.exported',
      'api_key.revoked',
      'workspace.removed',
      'workspace.restored',
    ];
    expect(await actionsIn(cast)).toEqual(expected);
    expect((await logOf(cast, { action: 'memory.removed' }))[0]).toMatchObject({ via: 'api_key' });
    const { rows } = await sql<{
      text: string;
    }>`select event::text as "text" from "audit_event" event`.execute(world.context.db);
    const text = rows.map((row) => row.text).join('\n');
    for (const hidden of [secret, alice.token, TEST_PASSWORD, 'tokenHash', 'sk_'])
      expect(text).not.toContain(hidden);
  });

  it('tells of failed log-ins in every workspace of the person, and of none to unknown addresses', async () => {
    const cast = await createCast(world);
    const { alice, bob, workspaceId } = cast;
    const second = (await bob.api('workspace.create', { body: { name: 'Bob’s own' } })).result;
    const logIn = (email: string) =>
      createRaw(world)('POST', '/v1/auth/login', { body: { email, password: 'a wrong password' } });
    const [known, unknown] = [await logIn(bob.user.email), await logIn('unknown-address@example.com')];
    expect([known.status, known.text]).toEqual([401, unknown.text]);
    const event = { action: 'login.failed', actorId: bob.user.id, via: 'system', address: '127.0.0.1' };
    expect(await logOf(cast)).toMatchObject([event]);
    const own = await bob.api('audit.list', { params: { workspaceId: second.id } });
    expect(own.result).toMatchObject([event]);
    expect((await alice.raw('GET', `/v1/audit/${workspaceId}`)).text).not.toContain('unknown-address');
  });

  it('says nothing of what was refused or rolled back', async () => {
    const cast = await createCast(world);
    const { rita, workspaceId, alice } = cast;
    const space = await createBuild(cast).space();
    const path = `/v1/spaces/${workspaceId}/${space.id}`;
    expect((await rita.raw('PATCH', path, { body: { visibility: 'public' } })).status).toBe(403);
    expect((await rita.raw('DELETE', path)).status).toBe(403);
    await expect(
      writeInRealm(world.context, workspaceId, asPerson(alice.user.id), async (tx) => {
        await recordAudit(tx, workspaceId, { action: 'workspace.removed', actorId: alice.user.id });
        throw new Error('after all not');
      }),
    ).rejects.toThrow('after all not');
    expect(await logOf(cast)).toEqual([]);
  });

  it('is never changed, and forgotten after a year', async () => {
    const cast = await createCast(world);
    const { db } = world.context;
    await cast.alice.api('auth.export', {});
    await expect(db.updateTable('audit_event').set({ action: 'member.left' }).execute()).rejects.toThrow(
      'never changed',
    );
    const tasks = createCleanUpTasks(world.context);
    const later = (days: number) => new Date(world.clock.now().getTime() + days * 86_400_000);
    const left = () =>
      db.selectFrom('audit_event').select('id').where('workspaceId', '=', cast.workspaceId).execute();
    const forget = async (now: Date) => {
      for (const task of tasks) await task(now);
    };
    await forget(later(AUDIT.keepDays));
    expect(await left()).toHaveLength(1);
    await forget(later(AUDIT.keepDays + 1));
    expect(await left()).toHaveLength(0);
  });
});

describe('reading the log', () => {
  let cast: Cast;
  beforeAll(async () => {
    cast = await createCast(world);
    const { alice, bob, workspaceId } = cast;
    const build = createBuild(cast);
    for (const title of ['=HYPERLINK("http://evil.example")', 'Two, with "quotes"', '@three\nlines']) {
      const { id } = await build.memory({ title });
      world.clock.advance(1_000);
      await alice.api('memory.remove', { params: { workspaceId, id } });
    }
    const own = await build.memory({ title: 'Bob’s' }, bob);
    await bob.api('memory.remove', { params: { workspaceId, id: own.id } });
  });

  it.each(['', '/export'])('is for owners: 403 for every other member and for strangers%s', async (path) => {
    const { alice, bob, rita, eve, workspaceId } = cast;
    const admin: Agent = eve;
    const of = (id: string) => `/v1/audit/${id}${path}`;
    const stranger = await eve.raw('GET', of(workspaceId));
    expect([stranger.status, stranger.text]).toEqual([
      403,
      (await eve.raw('GET', of(newId('workspace')))).text,
    ]);
    for (const { raw } of [bob, rita]) expect((await raw('GET', of(workspaceId))).status).toBe(403);
    const own = await createCast(world);
    await join(world, own.workspaceId, admin, 'admin');
    expect((await admin.raw('GET', of(own.workspaceId))).status).toBe(403);
    expect((await createRaw(world)('GET', of(workspaceId))).status).toBe(401);
    const key = await createKey(world, alice, { workspaceId, scopes: ['workspaces:read'] });
    expect((await key.raw('GET', of(workspaceId))).status).toBe(403);
  });

  it('filters by action, person, kind and time, in pages', async () => {
    const { bob, alice, workspaceId } = cast;
    const removed = { action: 'memory.removed' };
    expect(await logOf(cast, removed)).toHaveLength(4);
    expect(await logOf(cast, { ...removed, actorId: bob.user.id })).toMatchObject([{ targetName: 'Bob’s' }]);
    expect(await logOf(cast, { targetKind: 'space' })).toEqual([]);
    expect(await logOf(cast, { action: 'memory.removed,api_key.created', via: 'session' })).toHaveLength(6);
    expect(await logOf(cast, { impersonated: 'true' })).toEqual([]);
    const [, second] = (await logOf(cast, removed)).toReversed();
    expect(await logOf(cast, { ...removed, created: `..${second?.created}` })).toHaveLength(2);
    const page = await alice.raw('GET', `/v1/audit/${workspaceId}?action=memory.removed&perPage=3&page=2`);
    expect(page.json).toMatchObject({ result: [{}], meta: { total: 4 } });
    for (const query of ['orderBy=address', 'perPage=101', 'created=yesterday', 'actorId=1', 'format=xml'])
      expect([query, (await alice.raw('GET', `/v1/audit/${workspaceId}/export?${query}`)).status]).toEqual([
        query,
        400,
      ]);
  });

  it('as a file has every event that passes the filters, and no cell that a spreadsheet runs', async () => {
    const { alice, workspaceId } = cast;
    const file = (query: string) =>
      alice.raw('GET', `/v1/audit/${workspaceId}/export?action=memory.removed&${query}`);
    const csv = await file('format=csv');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
    expect(csv.text).toMatch(/^created,action,actorId,/);
    expect(csv.text).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    expect(csv.text).toContain('"Two, with ""quotes"""');
    expect(csv.text).toContain(`"'@three\nlines"`);
    const json = await file('format=json&perPage=1');
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const events: unknown = JSON.parse(json.text);
    expect(events).toEqual(await logOf(cast, { action: 'memory.removed' }));
    const none = await file('format=json&targetId=nothing');
    expect(JSON.parse(none.text)).toEqual([]);
  });
});
