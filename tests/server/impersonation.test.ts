/** Staff who act as another person: how they come in, what stays closed to them, and what the person learns of it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { IMPERSONATION, SESSION } from '#shared/accounts/limits.ts';
import { SYNC } from '#shared/sync/limits.ts';
import { newId } from '#shared/ids.ts';
import { createJobHandlers } from '#server/job-handlers.ts';
import { createCleanUpTasks } from '#server/clean-up-tasks.ts';
import { createRaw, TEST_PASSWORD, unverifyAddress, type Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { cause } from '#tests/support/notices.ts';
import {
  createStaff,
  fieldOf,
  impersonate,
  OTHER_STAFF_EMAIL,
  REASON,
  requestCode,
  STAFF_ENV,
  redeemCode,
} from '#tests/support/staff.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld({ env: STAFF_ENV });
const staff = await createStaff(world);

/** The clock moves in these tests, and a code needs a fresh session. */
const confirm = () => staff.api('auth.confirm', { body: { password: TEST_PASSWORD } });

const auditOf = async ({ alice, workspaceId }: Cast, action: string) =>
  (await alice.api('audit.list', { params: { workspaceId }, query: { action, perPage: 100 } })).result;

const noticesOf = async ({ api }: Agent) =>
  (await api('notification.list', { query: { triggerId: 'impersonation.ended' } })).result;

describe('a code', () => {
  it('is for staff alone: everyone else gets the same refusal, whatever they name', async () => {
    const { alice, bob } = await createCast(world);
    const answers = [
      await requestCode(alice, bob.user.email),
      await requestCode(alice, 'unknown-address@example.com'),
      await requestCode(bob, alice.user.email),
    ];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(403);
    expect((await requestCode({ raw: createRaw(world) }, alice.user.email)).status).toBe(401);
    expect((await alice.api('staff.whoami', {})).result).toEqual({ staff: false });
    expect((await staff.api('staff.whoami', {})).result).toEqual({ staff: true });
  });

  it('needs a proven address of staff, a fresh password and a reason', async () => {
    const { alice } = await createCast(world);
    const { email } = alice.user;
    await unverifyAddress(world, staff);
    expect((await requestCode(staff, email)).status).toBe(403);
    await world.context.db
      .updateTable('user')
      .set({ emailVerified: true })
      .where('id', '=', staff.user.id)
      .execute();
    for (const reason of ['', 'too short', ' '.repeat(20), 'x'.repeat(IMPERSONATION.reasonMax + 1)]) {
      expect((await requestCode(staff, email, reason)).status).toBe(400);
    }
    expect((await requestCode(staff, 'unknown@example.com')).status).toBe(404);
    world.clock.advance(SESSION.confirmedMs + 1);
    expect((await requestCode(staff, email)).json?.error?.code).toBe('confirmation_required');
    await confirm();
    expect((await requestCode(staff, email)).status).toBe(201);
  });

  it('is never for staff, nor for oneself', async () => {
    const colleague = await createStaff(world, OTHER_STAFF_EMAIL);
    expect((await requestCode(staff, colleague.user.email)).status).toBe(403);
    expect((await requestCode(staff, staff.user.email)).status).toBe(403);
  });

  it('works once, also for two at the same moment', async () => {
    const { alice } = await createCast(world);
    await confirm();
    const code = fieldOf((await requestCode(staff, alice.user.email)).json?.result, 'code');
    expect(code).toHaveLength(64);
    const answers = await Promise.all([
      redeemCode(world, code),
      redeemCode(world, code),
      redeemCode(world, code),
    ]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 401, 401,
    ]);
    const again = await redeemCode(world, code);
    expect([again.status, again.text]).toEqual([401, (await redeemCode(world, 'x'.repeat(64))).text]);
  });

  it('does not work late, nor once staff are staff no longer', async () => {
    const { alice } = await createCast(world);
    await confirm();
    const codeFor = async () => fieldOf((await requestCode(staff, alice.user.email)).json?.result, 'code');
    const [late, former] = [await codeFor(), await codeFor()];
    await unverifyAddress(world, staff);
    expect((await redeemCode(world, former)).status).toBe(401);
    await world.context.db
      .updateTable('user')
      .set({ emailVerified: true })
      .where('id', '=', staff.user.id)
      .execute();
    world.clock.advance(IMPERSONATION.codeMs);
    expect((await redeemCode(world, late)).status).toBe(401);
    expect((await redeemCode(world, '')).status).toBe(400);
    expect((await redeemCode(world, '\u0000'.repeat(64))).status).toBe(401);
  });

  it('is stored nowhere as it is', async () => {
    const { alice } = await createCast(world);
    await confirm();
    const code = fieldOf((await requestCode(staff, alice.user.email)).json?.result, 'code');
    const rows = await world.context.db.selectFrom('impersonation_code').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(code);
  });
});

describe('a session of staff as another person', () => {
  let cast: Cast;
  let acting: Agent;
  beforeAll(async () => {
    cast = await createCast(world);
    await confirm();
    acting = await impersonate(world, staff, cast.alice);
  });

  it('reads and edits as the person', async () => {
    const memory = await createBuild(cast).memory({ title: 'Before' });
    expect((await acting.api('auth.whoami', {})).result.id).toBe(cast.alice.user.id);
    const { result } = await acting.api('memory.update', {
      params: { workspaceId: cast.workspaceId, id: memory.id },
      body: { title: 'After' },
    });
    expect(result.title).toBe('After');
  });

  const refused: readonly [
    what: string,
    method: string,
    path: (cast: Cast) => string,
    body?: (cast: Cast) => unknown,
  ][] = [
    [
      'a further impersonation',
      'POST',
      () => '/v1/auth/impersonate',
      ({ bob }) => ({ email: bob.user.email, reason: REASON }),
    ],
    ['another address', 'PATCH', () => '/v1/auth/me', () => ({ email: 'mine@example.com' })],
    [
      'another password',
      'PATCH',
      () => '/v1/auth/me',
      () => ({ password: 'a new long password', currentPassword: TEST_PASSWORD }),
    ],
    ['giving the password', 'POST', () => '/v1/auth/confirm', () => ({ password: TEST_PASSWORD })],
    ['cancelling a change of the address', 'DELETE', () => '/v1/auth/email-change'],
    ['deleting the account', 'DELETE', () => '/v1/auth/me'],
    ['a copy of the account', 'GET', () => '/v1/auth/export'],
    ['deleting the workspace', 'DELETE', ({ workspaceId }) => `/v1/workspaces/${workspaceId}`],
    ['restoring a workspace', 'POST', ({ workspaceId }) => `/v1/workspaces/${workspaceId}/restore`],
    [
      'handing on the workspace',
      'POST',
      ({ workspaceId }) => `/v1/workspaces/${workspaceId}/transfer`,
      ({ bob }) => ({ userId: bob.user.id }),
    ],
    [
      'a position',
      'PATCH',
      ({ workspaceId, bob }) => `/v1/workspace_members/${workspaceId}/${bob.user.id}`,
      () => ({ position: 'admin' }),
    ],
    [
      'removing a member',
      'DELETE',
      ({ workspaceId, bob }) => `/v1/workspace_members/${workspaceId}/${bob.user.id}`,
    ],
    [
      'an invitation',
      'POST',
      () => '/v1/invites',
      ({ workspaceId }) => ({ workspaceId, email: 'x@example.com', position: 'member' }),
    ],
    [
      'an API key',
      'POST',
      () => '/v1/api_keys',
      ({ workspaceId }) => ({ workspaceId, name: 'Key', scopes: ['profile'] }),
    ],
    [
      'an OAuth client',
      'POST',
      () => '/v1/oauth_clients',
      ({ workspaceId }) => ({
        workspaceId,
        name: 'App',
        redirectUris: ['https://app.example/x'],
        confidential: false,
      }),
    ],
    [
      'a consent',
      'POST',
      () => '/v1/oauth/authorize',
      ({ workspaceId }) => ({ decision: 'allow', workspaceId }),
    ],
    [
      'disconnecting an app',
      'DELETE',
      ({ workspaceId }) => `/v1/connected_apps/${workspaceId}/${newId('oauth_client')}`,
    ],
    ['the audit log as a file', 'GET', ({ workspaceId }) => `/v1/audit/${workspaceId}/export`],
    ['notification settings', 'PUT', () => '/v1/auth/notifications', () => ({})],
    [
      'push messages',
      'POST',
      () => '/v1/push/subscriptions',
      () => ({
        endpoint: 'https://push.example/x',
        keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
      }),
    ],
    ['reports', 'GET', () => '/v1/reports'],
  ];

  it.each(refused)('is refused %s', async (_what, method, path, body) => {
    const { status, json } = await acting.raw(method, path(cast), { body: body?.(cast) });
    expect([status, json?.error?.code]).toEqual([403, 'forbidden']);
  });

  it('leaves marks of what was seen, and other sessions, to the person', async () => {
    await cause(world, cast.alice);
    const [row] = (await acting.api('notification.list', {})).result;
    const path = `/v1/notifications/${row?.id}`;
    expect((await acting.raw('PUT', path, { body: { seen: true } })).status).toBe(403);
    expect((await acting.raw('DELETE', path)).status).toBe(403);
    expect((await cast.alice.raw('GET', path)).json?.result).toMatchObject({ seen: false });
    const own = (await cast.alice.api('session.list', {})).result.find(({ current }) => current);
    expect((await acting.raw('DELETE', `/v1/sessions/${own?.id}`)).status).toBe(403);
  });

  it('may not push marks of notifications either', async () => {
    const [row] = (await acting.api('notification.list', {})).result;
    const push = ({ raw }: Agent, who: string) =>
      raw('POST', `/v1/sync/${cast.alice.user.id}/push`, {
        body: {
          pushVersion: 1,
          clientGroupID: `group-of-${who}`,
          schemaVersion: SYNC.schemaVersion,
          profileID: 'profile',
          mutations: [
            {
              id: 1,
              clientID: `client-of-${who}`,
              name: 'notification.update',
              args: { id: row?.id, seen: true, at: world.clock.now().toISOString() },
              timestamp: 0,
            },
          ],
        },
      });
    const isSeen = async () => (await cast.alice.raw('GET', `/v1/notifications/${row?.id}`)).json?.result;
    expect((await push(acting, 'staff')).status).toBe(200);
    expect(await isSeen()).toMatchObject({ seen: false });
    expect((await push(cast.alice, 'alice')).status).toBe(200);
    expect(await isSeen()).toMatchObject({ seen: true });
  });

  it('is shown to the person without a name, while it runs', async () => {
    const { json, text } = await cast.alice.raw('GET', '/v1/sessions');
    expect(json?.result).toEqual(
      expect.arrayContaining([expect.objectContaining({ impersonator: 'staff', current: false })]),
    );
    expect(text).not.toContain(staff.user.id);
  });

  it('is in the audit log with start, reads and edits, and never by name', async () => {
    expect(await auditOf(cast, 'impersonation.started')).toMatchObject([
      { impersonated: true, actorId: cast.alice.user.id, details: { reason: REASON } },
    ]);
    const edits = await auditOf(cast, 'impersonation.edit');
    expect(edits).toMatchObject([{ impersonated: true, details: { mutation: 'memory.update' } }]);
    const calls = (await auditOf(cast, 'impersonation.call')).map(({ details }) => details['call']);
    expect(calls).toEqual(expect.arrayContaining(['auth.whoami', 'memory.update', 'notification.list']));
    const { text } = await cast.alice.raw('GET', `/v1/audit/${cast.workspaceId}?perPage=100`);
    expect(text).not.toContain(staff.user.id);
    expect(text).not.toContain(staff.user.email);
    const stored = await world.context.db
      .selectFrom('audit_event')
      .select('impersonatorId')
      .where('workspaceId', '=', cast.workspaceId)
      .where('action', '=', 'impersonation.edit')
      .execute();
    expect(stored).toEqual([{ impersonatorId: staff.user.id }]);
  });

  it('ends with a notice that says why, once', async () => {
    expect(await noticesOf(cast.alice)).toEqual([]);
    expect((await acting.raw('POST', '/v1/auth/logout')).status).toBe(200);
    expect((await acting.raw('GET', '/v1/auth/whoami')).status).toBe(401);
    const tasks = createCleanUpTasks(world.context);
    for (const task of tasks) await task(world.clock.now());
    expect(await noticesOf(cast.alice)).toMatchObject([
      { category: 'security', priority: 'high', body: `Reason: ${REASON}`, metadata: { count: 1 } },
    ]);
    expect(await auditOf(cast, 'impersonation.ended')).toHaveLength(1);
  });
});

describe('the end of such a session', () => {
  it('comes after half an hour, however much it is used, and the job or the clean-up tells of it', async () => {
    const { alice, bob } = await createCast(world);
    await confirm();
    const [first, second] = [await impersonate(world, staff, alice), await impersonate(world, staff, bob)];
    for (let minute = 0; minute < 5; minute += 1) {
      world.clock.advance((IMPERSONATION.sessionMs - 1_000) / 5);
      expect((await first.raw('GET', '/v1/auth/whoami')).status).toBe(200);
    }
    world.clock.advance(1_000);
    expect((await first.raw('GET', '/v1/auth/whoami')).status).toBe(401);
    expect((await second.raw('GET', '/v1/auth/whoami')).status).toBe(401);
    const open = await world.context.db
      .selectFrom('impersonation')
      .select('sessionId')
      .where('userId', '=', alice.user.id)
      .execute();
    for (const { sessionId } of open) {
      await createJobHandlers(world.context)['impersonation.end'].run({ sessionId });
      await createJobHandlers(world.context)['impersonation.end'].run({ sessionId });
    }
    expect(await noticesOf(alice)).toHaveLength(1);
    expect(await noticesOf(bob)).toHaveLength(0);
    for (const task of createCleanUpTasks(world.context)) await task(world.clock.now());
    expect(await noticesOf(bob)).toHaveLength(1);
  });

  it('can be the person’s own doing', async () => {
    const { alice } = await createCast(world);
    await confirm();
    const acting = await impersonate(world, staff, alice);
    const found = (await alice.api('session.list', {})).result.find(({ impersonator }) => impersonator);
    expect((await alice.raw('DELETE', `/v1/sessions/${found?.id}`)).status).toBe(200);
    expect((await acting.raw('GET', '/v1/auth/whoami')).status).toBe(401);
    expect(await noticesOf(alice)).toHaveLength(1);
  });
});
