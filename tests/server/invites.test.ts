/** Sending invitations through HTTP and real mail: who may, how often, and who sees them. */
import { describe, expect, it } from 'vitest';
import { INVITE } from '#shared/workspaces/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import {
  createApi,
  createRaw,
  signUp,
  TEST_PASSWORD,
  unverifyAddress,
  verifyAddress,
  type Agent,
} from '#tests/support/agent.ts';
import { createCast } from '#tests/support/build.ts';
import {
  answerInvite,
  createAdmin,
  createGuest,
  createInvitingCast,
  freshName,
  invite,
  inviteStatus,
  openInvite,
  revokeInvite,
  trySend,
} from '#tests/support/invites.ts';
import { inviteIn } from '#tests/support/mail-secrets.ts';
import { mailsTo, nextMail } from '#tests/support/mails.ts';
import { openWorld } from '#tests/support/world.ts';

const DAY_MS = 86_400_000;
const world = await openWorld({ jobs: true });
const cast = await createInvitingCast(world);

describe('an invitation', () => {
  it('is mailed as text and HTML with a link whose secret is stored nowhere', async () => {
    const email = `${freshName()}@example.com`;
    const { status, json } = await trySend(cast.alice, cast.workspaceId, { email, position: 'read-only' });
    const sent = Object(json?.result);
    const expiresAt = new Date(world.clock.now().getTime() + INVITE.days * DAY_MS).toISOString();
    expect(status).toBe(201);
    expect(sent).toMatchObject({
      email,
      position: 'read-only',
      status: 'pending',
      expiresAt,
      acceptedAt: null,
      createdBy: cast.alice.user.id,
    });
    const mail = await nextMail(world, email);
    const { page, id, token, email: named } = inviteIn(mail);
    expect([page, id, named]).toEqual(['/signup', sent.id, email]);
    expect(token).toMatch(/^[\w-]{43}$/);
    for (const form of [mail.text, mail.html]) {
      expect(form).toContain('Acme');
      expect(form).toContain('with read-only access');
      expect(form).toContain('8 July 2026');
      expect(form).toContain(cast.alice.user.email);
    }
    expect(mail.html).toContain(`/signup?invite=${id}#token=${token}&amp;email=`);
    const stored = JSON.stringify([
      await world.context.db.selectFrom('invite').selectAll().execute(),
      await world.context.db.selectFrom('notification').selectAll().execute(),
    ]);
    expect(stored).not.toContain(token);
    await expect
      .poll(async () => (await cast.alice.raw('GET', `/v1/invites/${cast.workspaceId}/${id}`)).text)
      .toContain(`"lastSentAt":"${world.clock.now().toISOString()}"`);
  });

  it('says to the reader of its mail who invites and where, until it is over', async () => {
    const email = `${freshName()}@example.com`;
    const id = await invite(cast, email, 'admin');
    const { token } = inviteIn(await nextMail(world, email));
    const visitor = createRaw(world);
    const read = (of: string, body: unknown) => visitor('POST', `/v1/public/invites/${of}/open`, { body });
    const { status, json } = await read(id, { token });
    expect([status, json?.result]).toEqual([
      200,
      expect.objectContaining({
        id,
        email,
        position: 'admin',
        workspaceName: expect.stringContaining('Acme'),
        senderEmail: cast.alice.user.email,
      }),
    ]);
    expect(JSON.stringify(json)).not.toContain(token);
    const other = await invite(cast, `${freshName()}@example.com`);
    expect((await read(id, { token: 'a'.repeat(43) })).status, 'without the mail').toBe(404);
    expect((await read(other, { token })).status, 'of another invitation').toBe(404);
    expect((await read(newId('invite'), { token })).status).toBe(404);
    expect([(await read(id, {})).status, (await read(id, { token: '' })).status]).toEqual([400, 400]);
    await revokeInvite(cast.alice, id, cast.workspaceId);
    expect((await read(id, { token })).status, 'revoked').toBe(404);
  });

  it('is listed for the account with its address once that address is confirmed', async () => {
    const newcomer = await signUp(world, freshName());
    const id = await invite(cast, newcomer.user.email.toUpperCase());
    const received = async (by: Agent) => (await by.api('invite.received', {})).result;
    expect(await received(newcomer), 'the address is not confirmed yet').toEqual([]);
    await verifyAddress(world, newcomer);
    expect(await received(newcomer)).toMatchObject([{ id, workspaceName: expect.stringContaining('Acme') }]);
    expect(await received(await createGuest(world)), 'another account').toEqual([]);
    expect((await createRaw(world)('GET', '/v1/invites')).status).toBe(401);
    await answerInvite(newcomer, id);
    expect(await received(newcomer)).toEqual([]);
  });

  it('carries no link and no header that a sender put into names', async () => {
    const own = await createInvitingCast(world);
    const { alice, workspaceId } = own;
    await alice.api('auth.update', { body: { forename: 'Win https://evil.example/now\u2028' } });
    const name = 'Acme Inc. www.evil.example <b>bold</b>';
    await alice.api('workspace.update', { params: { workspaceId }, body: { name } });
    const email = `${freshName()}@example.com`;
    await invite(own, email, 'member');
    const mail = await nextMail(world, email);
    expect(mail.subject).toBe(
      'Win https evil example now invited you to Acme Inc. www evil example <b>bold< b>',
    );
    expect(mail.html).not.toContain('<b>');
    expect(mail.text.match(/evil\.example/g)).toBeNull();
  });

  it('leads to the log-in when the address has an account, which is also notified, and answers the same', async () => {
    const known = await createGuest(world);
    const email = known.user.email.replace('guest', 'GUEST');
    const first = await trySend(cast.alice, cast.workspaceId, { email });
    const second = await trySend(cast.alice, cast.workspaceId, { email: `${freshName()}@example.com` });
    const shape = ({ status, json }: typeof first) => {
      const { id: _id, email: _email, ...rest } = Object(json?.result);
      return [status, rest];
    };
    expect(shape(first)).toEqual(shape(second));
    const id = Object(first.json?.result).id;
    expect(inviteIn(await nextMail(world, email))).toMatchObject({ page: '/login', id });
    await expect
      .poll(async () => (await known.api('notification.list', {})).result)
      .toMatchObject([
        {
          triggerId: 'invite.received',
          category: 'workspace',
          workspaceId: null,
          title: expect.stringContaining('invited you to Acme'),
          metadata: { link: `/onboarding/invite?invite=${id}` },
        },
      ]);
  });

  it('does not notify an account that only claims the address', async () => {
    const claimer = await signUp(world, freshName());
    const id = await invite(cast, claimer.user.email);
    await expect.poll(() => lastSent(id)).not.toBeNull();
    const mails = await mailsTo(world, claimer.user.email);
    expect(mails.map(({ text }) => text).join()).toContain(`/login?invite=${id}#`);
    expect((await claimer.api('notification.list', {})).result).toEqual([]);
    expect([(await openInvite(claimer, id)).status, (await answerInvite(claimer, id)).status]).toEqual([
      403, 403,
    ]);
  });

  async function lastSent(id: Id<'invite'>): Promise<string | null> {
    const { lastSentAt } = await world.context.db
      .selectFrom('invite')
      .select('lastSentAt')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return lastSentAt;
  }

  it('is one for each address: sent again, the earlier one is revoked and its link is dead', async () => {
    const email = `${freshName()}@example.com`;
    const first = await invite(cast, email);
    const dead = inviteIn(await nextMail(world, email));
    const second = await invite(cast, email.replace('guest', 'GUEST'), 'admin');
    expect([await inviteStatus(cast, first), await inviteStatus(cast, second)]).toEqual([
      'revoked',
      'pending',
    ]);
    const guest = await createApi(world)('auth.signup', { body: { email, password: TEST_PASSWORD } });
    const raw = createRaw(world, guest.result.token);
    for (const id of [first, second]) {
      expect((await answerInvite({ raw }, id, { status: 'accepted', token: dead.token })).status).toBe(403);
    }
  });

  it('sent at once by two admins leaves one open', async () => {
    const adam = await createAdmin(world, cast);
    const email = `${freshName()}@example.com`;
    const both = await Promise.all([
      trySend(cast.alice, cast.workspaceId, { email }),
      trySend(adam, cast.workspaceId, { email }),
      trySend(cast.alice, cast.workspaceId, { email }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([201, 201, 201]);
    const { result } = await cast.alice.api('invite.list', {
      params: { workspaceId: cast.workspaceId },
      query: { status: 'pending' },
    });
    expect(result.filter((row) => row.email === email)).toHaveLength(1);
  });
});

describe('who may invite', () => {
  it('owners anyone but owners, admins those below them, others no one', async () => {
    const adam = await createAdmin(world, cast);
    const { alice, bob, rita, eve } = cast;
    await Promise.all([bob, rita, eve].map((who) => verifyAddress(world, who)));
    const to = async (who: Agent, position: string) =>
      (await trySend(who, cast.workspaceId, { email: `${freshName()}@example.com`, position })).status;
    expect([await to(alice, 'admin'), await to(alice, 'member'), await to(alice, 'owner')]).toEqual([
      201, 201, 400,
    ]);
    expect([await to(adam, 'admin'), await to(adam, 'member'), await to(adam, 'read-only')]).toEqual([
      403, 201, 201,
    ]);
    expect([await to(bob, 'read-only'), await to(rita, 'read-only'), await to(eve, 'member')]).toEqual([
      403, 403, 403,
    ]);
    const foreign = await trySend(eve, cast.workspaceId, { email: 'a@example.com' });
    const unknown = await trySend(eve, newId('workspace'), { email: 'a@example.com' });
    expect(unknown.text).toBe(foreign.text);
  });

  it('not by a person whose own address is unproven, nor by staff in another’s name', async () => {
    const { alice, workspaceId } = await createCast(world);
    await unverifyAddress(world, alice);
    expect((await trySend(alice, workspaceId, { email: 'a@example.com' })).status).toBe(403);
    await verifyAddress(world, alice);
    await world.context.db
      .updateTable('session')
      .set({ impersonator: cast.eve.user.id })
      .where('userId', '=', alice.user.id)
      .execute();
    expect((await trySend(alice, workspaceId, { email: 'a@example.com' })).status).toBe(403);
  });

  it('an admin does not replace what an owner sent to a future admin', async () => {
    const adam = await createAdmin(world, cast);
    const email = `${freshName()}@example.com`;
    const id = await invite(cast, email, 'admin');
    expect((await trySend(adam, cast.workspaceId, { email })).status).toBe(403);
    expect((await revokeInvite(adam, id, cast.workspaceId)).status).toBe(403);
    expect(await inviteStatus(cast, id)).toBe('pending');
  });

  it.each([
    { email: 'no address' },
    { email: '' },
    { email: ['a@example.com'] },
    { email: 'a@example.com, b@example.com' },
    { email: 'a@example.com\r\nBcc: b@example.com' },
    { email: `${'x'.repeat(300)}@example.com` },
    { email: 'a@example.com', position: 'boss' },
    { email: 'a@example.com', position: null },
    {},
  ])('refuses %j', async (given) => {
    const { status, json } = await cast.alice.raw('POST', '/v1/invites', {
      body: { workspaceId: cast.workspaceId, position: 'member', ...given },
    });
    expect([status, json?.error?.code]).toEqual([400, 'invalid']);
  });

  it('a member’s address is a conflict', async () => {
    const { json, status } = await trySend(cast.alice, cast.workspaceId, {
      email: cast.bob.user.email.toUpperCase(),
    });
    expect([status, json?.error?.detail]).toEqual([409, 'email: this person is a member of the workspace']);
    expect((await trySend(cast.alice, cast.workspaceId, { email: cast.alice.user.email })).status).toBe(409);
  });

  it('one inbox a few times an hour, and many a day', async () => {
    const own = await createInvitingCast(world);
    const email = `${freshName()}@example.com`;
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push((await trySend(own.alice, own.workspaceId, { email })).status);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    const others = await Promise.all(
      Array.from({ length: INVITE.perPersonADay }, () =>
        trySend(own.alice, own.workspaceId, { email: `${freshName()}@example.com` }),
      ),
    );
    const count = (wanted: number) => others.filter(({ status }) => status === wanted).length;
    expect([count(201), count(429)]).toEqual([INVITE.perPersonADay - 5, 5]);
  });
});

describe('the list of invitations', () => {
  it('is for owners and admins, and filters by status', async () => {
    const own = await createInvitingCast(world);
    const { alice, bob, rita, eve, workspaceId } = own;
    const [kept, gone] = [
      await invite(own, `${freshName()}@example.com`, 'member'),
      await invite(own, `${freshName()}@example.com`, 'admin'),
    ];
    expect((await revokeInvite(alice, gone, workspaceId)).status).toBe(200);
    const list = async (who: Agent, query = '') => {
      const { status, json } = await who.raw('GET', `/v1/invites/${workspaceId}${query}`);
      return status === 200 ? [json?.result].flat().map((row) => Object(row).id) : status;
    };
    expect(new Set([await list(alice)].flat())).toEqual(new Set([kept, gone]));
    expect(await list(alice, '?status=pending')).toEqual([kept]);
    expect(await list(alice, '?position=admin')).toEqual([gone]);
    expect(await list(await createAdmin(world, own), '?status=revoked,expired')).toEqual([gone]);
    expect([await list(bob), await list(rita), await list(eve)]).toEqual([403, 403, 403]);
    expect(await list(alice, '?status=open')).toBe(400);
    expect((await alice.api('workspace.usage', { params: { workspaceId } })).result.members).toMatchObject({
      pendingInvites: 1,
    });
  });

  it('shows one to those who may list and to the addressee alone', async () => {
    const guest = await createGuest(world);
    const id = await invite(cast, guest.user.email);
    const get = async (who: Agent, invited: string = id, workspaceId = cast.workspaceId) =>
      (await who.raw('GET', `/v1/invites/${workspaceId}/${invited}`)).status;
    expect([await get(cast.alice), await get(guest), await get(cast.bob)]).toEqual([200, 200, 403]);
    expect([await get(cast.eve), await get(cast.eve, newId('invite'))]).toEqual([403, 403]);
    expect([await get(cast.alice, newId('invite')), await get(cast.alice, newId('memory'))]).toEqual([
      404, 404,
    ]);
    // In the path of another workspace it is not there, even for its addressee.
    expect([
      await get(cast.eve, id, cast.evesWorkspaceId),
      await get(guest, id, cast.evesWorkspaceId),
    ]).toEqual([404, 403]);
    expect((await revokeInvite(cast.eve, id, cast.evesWorkspaceId)).status).toBe(404);
    expect((await revokeInvite(cast.bob, id, cast.workspaceId)).status).toBe(403);
  });
});
