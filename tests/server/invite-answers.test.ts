/** Answering invitations, with and without an account, and what ends them. */
import { describe, expect, it } from 'vitest';
import { INVITE } from '#shared/workspaces/limits.ts';
import { newId } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import { createCleanUpTasks } from '#server/clean-up-tasks.ts';
import { cleanUp } from '#server/sync/retention-schedule.ts';
import { createApi, createRaw, TEST_PASSWORD, verifyAddress } from '#tests/support/agent.ts';
import { createCast, join } from '#tests/support/build.ts';
import {
  answerInvite,
  createGuest,
  createInvitingCast,
  freshName,
  invite,
  inviteStatus,
  openInvite,
  positionIn,
  revokeInvite,
} from '#tests/support/invites.ts';
import { inviteIn } from '#tests/support/mail-secrets.ts';
import { nextMail } from '#tests/support/mails.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const world = await openWorld({ jobs: true });
const cast = await createInvitingCast(world);

describe('accepting', () => {
  it('makes a person with an account a member, once, however often and fast they accept', async () => {
    const guest = await createGuest(world);
    const id = await invite(cast, guest.user.email, 'read-only');
    expect((await openInvite(guest, id)).json?.result).toMatchObject({
      id,
      workspaceName: expect.stringContaining('Acme'),
      position: 'read-only',
      status: 'pending',
      senderName: 'Member',
      senderEmail: cast.alice.user.email,
    });
    const answers = await Promise.all([1, 2, 3].map(() => answerInvite(guest, id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[0]?.json?.result).toMatchObject({
      status: 'accepted',
      acceptedAt: world.clock.now().toISOString(),
    });
    const { result } = await cast.alice.api('workspace_member.list', {
      params: { workspaceId: cast.workspaceId },
      query: { userId: guest.user.id },
    });
    expect(result).toMatchObject([{ position: 'read-only', invitedBy: cast.alice.user.id }]);
    expect((await guest.api('workspace.list', {})).result.map((row) => row.id)).toEqual([cast.workspaceId]);
    const notices = await cast.alice.api('notification.list', { query: { triggerId: 'invite.accepted' } });
    expect(notices.result[0]).toMatchObject({
      title: expect.stringContaining(`${guest.user.email} joined Acme`),
      metadata: { link: `/${cast.slug}/settings/members`, count: 1 },
    });
  });

  it('by the link of the mail proves the address of an account that was made for it', async () => {
    const email = `${freshName()}@example.com`;
    const id = await invite(cast, email, 'admin');
    const { token } = inviteIn(await nextMail(world, email));
    const squatter = await createApi(world)('auth.signup', { body: { email, password: TEST_PASSWORD } });
    const { result } = await createApi(world)('auth.signup', {
      body: { email, password: 'an even quieter harbour', invite: id },
    });
    const guest = { user: result.user, raw: createRaw(world, result.token) };
    expect((await openInvite(guest, id)).status).toBe(403);
    expect((await openInvite(guest, id, { token: 'x'.repeat(43) })).status).toBe(403);
    expect((await openInvite(guest, id, { token })).json?.result).toMatchObject({ position: 'admin' });
    const body = { status: 'accepted', token };
    const both = await Promise.all([answerInvite(guest, id, body), answerInvite(guest, id, body)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await guest.raw('GET', '/v1/auth/whoami')).json?.result).toMatchObject({ emailVerified: true });
    expect(await positionIn(cast, guest)).toBe('admin');
    // Who only claimed the address has lost the account that did.
    const loser = createRaw(world, squatter.result.token);
    expect((await loser('GET', '/v1/auth/whoami')).status).toBe(401);
  });

  it('needs the account of the address, whatever else the caller knows', async () => {
    const email = `${freshName()}@example.com`;
    const id = await invite(cast, email);
    const { token } = inviteIn(await nextMail(world, email));
    const { eve, bob, alice } = cast;
    for (const who of [eve, bob, alice]) {
      const replies = [
        await answerInvite(who, id, { status: 'accepted', token }),
        await answerInvite(who, id, { status: 'revoked', token }),
        await openInvite(who, id, { token }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([403, 403, 403]);
      expect(replies.map(({ text }) => text).join()).not.toContain('Acme');
    }
    // Owners and admins see ids in the list, so an id alone proves no address.
    const pretender = await createApi(world)('auth.signup', { body: { email, password: TEST_PASSWORD } });
    const raw = createRaw(world, pretender.result.token);
    expect((await answerInvite({ raw }, id)).status).toBe(403);
    expect(
      (await createRaw(world)('PUT', `/v1/invites/${id}`, { body: { status: 'accepted' } })).status,
    ).toBe(401);
    expect(await inviteStatus(cast, id)).toBe('pending');
    const unknown = newId('invite');
    expect([(await answerInvite(eve, unknown)).status, (await openInvite(eve, unknown)).status]).toEqual([
      404, 404,
    ]);
  });

  it.each([
    { status: 'pending' },
    { status: 'expired' },
    { status: 'owner' },
    {},
    { status: ['accepted'] },
    { status: 'accepted', token: '' },
    { status: 'accepted', token: 'x'.repeat(201) },
  ])('refuses %j', async (body) => {
    const guest = await createGuest(world);
    const id = await invite(cast, guest.user.email);
    expect((await answerInvite(guest, id, body)).status).toBe(400);
    expect(await inviteStatus(cast, id)).toBe('pending');
  });

  it('ignores a position that the answer names', async () => {
    const guest = await createGuest(world);
    const id = await invite(cast, guest.user.email, 'read-only');
    expect((await answerInvite(guest, id, { status: 'accepted', position: 'owner' })).status).toBe(200);
    expect(await positionIn(cast, guest)).toBe('read-only');
  });

  it('is impossible once revoked, declined, or accepted and left again', async () => {
    const [revoked, declined, left] = [
      await createGuest(world),
      await createGuest(world),
      await createGuest(world),
    ];
    const ids = [
      await invite(cast, revoked.user.email),
      await invite(cast, declined.user.email),
      await invite(cast, left.user.email),
    ] as const;
    expect((await revokeInvite(cast.alice, ids[0], cast.workspaceId)).status).toBe(200);
    expect((await answerInvite(declined, ids[1], { status: 'revoked' })).json?.result).toMatchObject({
      status: 'revoked',
    });
    expect((await answerInvite(left, ids[2])).status).toBe(200);
    const member = `/v1/workspace_members/${cast.workspaceId}/${left.user.id}`;
    expect((await left.raw('DELETE', member)).status).toBe(200);
    const details = [];
    for (const [index, who] of [revoked, declined, left].entries()) {
      const { status, json } = await answerInvite(who, ids[index] ?? '');
      details.push([status, json?.error?.detail]);
      expect((await answerInvite(who, ids[index] ?? '', { status: 'revoked' })).status).toBe(409);
      expect((await revokeInvite(cast.alice, ids[index] ?? '', cast.workspaceId)).status).toBe(409);
    }
    expect(details).toEqual([
      [409, 'This invitation was revoked'],
      [409, 'This invitation was revoked'],
      [409, 'This invitation was accepted'],
    ]);
    expect([
      await positionIn(cast, revoked),
      await positionIn(cast, declined),
      await positionIn(cast, left),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it('and revoking at once have one winner', async () => {
    const guest = await createGuest(world);
    const id = await invite(cast, guest.user.email);
    const [accepted, revoked] = await Promise.all([
      answerInvite(guest, id),
      revokeInvite(cast.alice, id, cast.workspaceId),
    ]);
    expect(new Set([accepted.status, revoked.status])).toEqual(new Set([200, 409]));
    expect(await positionIn(cast, guest)).toBe(accepted.status === 200 ? 'member' : undefined);
  });

  it('by a person who became a member another way keeps their position', async () => {
    const guest = await createGuest(world);
    const id = await invite(cast, guest.user.email, 'read-only');
    await join(world, cast.workspaceId, guest, 'admin');
    expect((await answerInvite(guest, id)).status).toBe(200);
    expect(await positionIn(cast, guest)).toBe('admin');
  });

  it('is impossible while the workspace is deleted', async () => {
    const own = await createInvitingCast(world);
    const guest = await createGuest(world);
    const id = await invite(own, guest.user.email, 'member');
    const params = { workspaceId: own.workspaceId };
    await own.alice.api('workspace.remove', { params });
    expect([(await answerInvite(guest, id)).status, (await openInvite(guest, id)).status]).toEqual([
      409, 404,
    ]);
    await own.alice.api('workspace.restore', { params });
    expect((await answerInvite(guest, id)).status).toBe(200);
  });
});

describe('an invitation without an answer', () => {
  it('is over after seven days, on read and by the hourly job, and forgotten later', async () => {
    const calm = await createWorld();
    const own = await createCast(calm);
    await Promise.all([own.alice, own.eve].map((who) => verifyAddress(calm, who)));
    const guest = own.eve;
    const id = await invite(own, guest.user.email, 'member');
    calm.clock.advance(INVITE.days * DAY_MS - 1);
    expect(await inviteStatus(own, id)).toBe('pending');
    calm.clock.advance(1);
    const late = await answerInvite(guest, id);
    expect([late.status, late.json?.error?.detail]).toEqual([409, 'This invitation has expired']);
    expect((await answerInvite(guest, id, { status: 'revoked' })).status).toBe(409);
    expect((await openInvite(guest, id)).json?.result).toMatchObject({ status: 'expired' });
    expect((await revokeInvite(own.alice, id, own.workspaceId)).status).toBe(409);
    const second = await invite(own, guest.user.email, 'member');
    calm.clock.advance(INVITE.days * DAY_MS);
    await cleanUp(calm.context, createCleanUpTasks(calm.context));
    const stored = await calm.context.db
      .selectFrom('invite')
      .select(['status', 'tokenHash'])
      .where('id', '=', second)
      .execute();
    expect(stored).toEqual([{ status: 'expired', tokenHash: null }]);
    calm.clock.advance((INVITE.keepDays + 1) * DAY_MS);
    await cleanUp(calm.context, createCleanUpTasks(calm.context));
    const left = await calm.context.db
      .selectFrom('invite')
      .select('id')
      .where('id', 'in', [id, second])
      .execute();
    expect(left).toEqual([]);
    await calm.close();
  });
});

describe('what a member has sent', () => {
  it('is revoked when they leave, and as far as a lower position could not send it', async () => {
    const own = await createInvitingCast(world);
    const { alice, workspaceId } = own;
    const second = await createGuest(world);
    await join(world, workspaceId, second, 'owner');
    const sent = async (position: Exclude<Position, 'owner'>) =>
      invite({ alice: second, workspaceId }, `${freshName()}@example.com`, position);
    const ids = [await sent('admin'), await sent('member'), await sent('read-only')] as const;
    const statuses = () => Promise.all(ids.map((id) => inviteStatus(own, id)));
    const params = { workspaceId, id: second.user.id };
    await alice.api('workspace_member.update', { params, body: { position: 'admin' } });
    expect(await statuses()).toEqual(['revoked', 'pending', 'pending']);
    await second.api('workspace_member.remove', { params });
    expect(await statuses()).toEqual(['revoked', 'revoked', 'revoked']);
  });
});

describe('signing up where an invitation is needed', () => {
  it('works for the invited address with its invitation alone', async () => {
    const email = `${freshName()}@example.com`;
    const id = await invite(cast, email);
    const gated = await createWorld({ env: { SIGNUP_MODE: 'invite' }, database: world.database });
    const closed = await createWorld({ env: { SIGNUP_MODE: 'closed' }, database: world.database });
    const signup = async (body: { email: string; invite?: string }, where = gated) =>
      (await createRaw(where)('POST', '/v1/auth/signup', { body: { password: TEST_PASSWORD, ...body } }))
        .status;
    const isInvited = async (given: string) =>
      (await createApi(gated)('auth.options', { query: { invite: given } })).result.invited;
    expect([await isInvited(id), await isInvited(newId('invite')), await isInvited('made up')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([
      await signup({ email }),
      await signup({ email, invite: newId('invite') }),
      await signup({ email: `other-${email}`, invite: id }),
      await signup({ email, invite: 'inv_x' }),
      await signup({ email, invite: id }, closed),
      await signup({ email: email.toUpperCase(), invite: id }),
    ]).toEqual([403, 403, 403, 403, 403, 201]);
    await revokeInvite(cast.alice, id, cast.workspaceId);
    expect(await signup({ email, invite: id })).toBe(403);
    expect(await isInvited(id)).toBe(false);
    const late = await invite(cast, `late-${email}`);
    gated.clock.advance(INVITE.days * DAY_MS + HOUR_MS);
    expect(await signup({ email: `late-${email}`, invite: late })).toBe(403);
    expect(await isInvited(late)).toBe(false);
    await gated.close();
    await closed.close();
  });
});
