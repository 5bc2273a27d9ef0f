/** Who vouches for a client: owners for their own workspace, staff for everyone; and what takes it back. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Id } from '#shared/ids.ts';
import { storeDocumented } from '#server/oauth/client-store.ts';
import { createRaw, verifyAddress, type Agent } from '#tests/support/agent.ts';
import { createCast } from '#tests/support/build.ts';
import { REDIRECT, storeToken } from '#tests/support/oauth.ts';
import { createStaff, impersonate, STAFF_ENV } from '#tests/support/staff.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld({ env: { ...STAFF_ENV, TRUST_PROXY: 'loopback' } });
const cast = await createCast(world);
const staff = await createStaff(world);
const { alice, bob, rita, eve, workspaceId } = cast;
for (const person of [alice, bob, eve]) await verifyAddress(world, person);
const fields = { name: 'Our portal', redirectUris: [REDIRECT] };

const unverified = { verified: false, workspaceVerified: false };
const verifiedHere = { verified: false, workspaceVerified: true };
let id: Id<'oauth_client'>;
beforeEach(async () => {
  id = (await alice.api('oauth_client.create', { body: { workspaceId, ...fields } })).result.id;
});

const params = () => ({ workspaceId, id });
const verify = (person: Pick<Agent, 'raw'>, body: unknown = { verified: true }) =>
  person.raw('POST', `/v1/oauth_clients/${workspaceId}/${id}/verification`, { body });
const review = (person: Pick<Agent, 'raw'>, of: string = id, body: unknown = { verified: true }) =>
  person.raw('POST', `/v1/public_clients/${of}/verification`, { body });
const shownTo = async (person: Agent) => {
  const body = {
    client_id: id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'memories:read',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  const { result } = await person.api('oauth.check', { body });
  if (!('client' in result)) throw new Error('The request was refused');
  return [result.client.verified, result.verifiedIn];
};

describe('an owner', () => {
  it('verifies a client for the members of the workspace, and for no one else', async () => {
    expect((await alice.api('oauth_client.get', { params: params() })).result).toMatchObject(unverified);
    const { result } = await alice.api('oauth_client.verify', { params: params(), body: { verified: true } });
    expect(result).toMatchObject(verifiedHere);
    expect(await shownTo(bob)).toEqual([false, workspaceId]);
    expect(await shownTo(eve)).toEqual([false, null]);
    const listed = await createRaw(world)('GET', '/v1/public/oauth_clients');
    expect(listed.text).not.toContain(id);
    const { text } = await createRaw(world)('GET', `/v1/public/oauth_clients/${id}`);
    expect(text).not.toContain('workspaceVerified');
    const events = await alice.api('audit.list', { params: { workspaceId } });
    expect(events.result[0]).toMatchObject({ action: 'oauth_client.verified', targetId: id });
    await verify(alice, { verified: false });
    expect(await shownTo(bob)).toEqual([false, null]);
  });

  it('has to do so again after the client was changed', async () => {
    await verify(alice);
    const { result } = await alice.api('oauth_client.update', { params: params(), body: fields });
    expect(result).toMatchObject(unverified);
  });

  it('is the only one: not an admin, a member, a reader, a stranger, a token or support', async () => {
    await alice.api('workspace_member.update', {
      params: { workspaceId, id: bob.user.id },
      body: { position: 'admin' },
    });
    const token = await storeToken(world, { userId: alice.user.id, workspaceId });
    const callers = [bob, rita, eve, staff, { raw: createRaw(world, token) }];
    const statuses = [];
    for (const caller of callers) statuses.push((await verify(caller)).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403]);
    expect((await verify({ raw: createRaw(world) })).status).toBe(401);
    expect((await verify(await impersonate(world, staff, alice))).status).toBe(403);
    const foreign = `/v1/oauth_clients/${cast.evesWorkspaceId}/${id}/verification`;
    expect((await eve.raw('POST', foreign, { body: { verified: true } })).status).toBe(404);
    expect((await verify(alice, { verified: 'yes' })).status).toBe(400);
    expect((await alice.api('oauth_client.get', { params: params() })).result).toMatchObject(unverified);
  });
});

describe('staff', () => {
  const ids = async () => (await staff.api('public_client.list', {})).result.map((client) => client.id);

  it('see a client once people outside of its workspace use it, and verify it for everyone', async () => {
    expect(await ids()).not.toContain(id);
    expect((await review(staff)).status).toBe(404);
    await storeToken(world, { userId: eve.user.id, workspaceId: cast.evesWorkspaceId, clientId: id });
    expect(await ids()).toContain(id);
    const { result } = await staff.api('public_client.verify', { params: { id }, body: { verified: true } });
    expect(result).toMatchObject({ id, verified: true, redirectUris: [REDIRECT], workspaceId });
    expect(await shownTo(eve)).toEqual([true, null]);
    const events = await alice.api('audit.list', { params: { workspaceId } });
    expect(events.result[0]).toMatchObject({ action: 'oauth_client.verified', actorId: null });
    await alice.api('oauth_client.update', { params: params(), body: fields });
    expect(await shownTo(eve)).toEqual([false, null]);
  });

  it('verify a document as it is, not as it becomes', async () => {
    const address = 'https://agent.example/oauth/client.json';
    const document = { client_name: 'An agent', redirect_uris: [REDIRECT] };
    const find = async () =>
      (await staff.api('public_client.list', {})).result.find(({ identifier }) => identifier === address);
    await storeDocumented(world.context, address, document);
    expect((await review(staff, (await find())?.id)).status).toBe(200);
    await storeDocumented(world.context, address, document);
    expect(await find()).toMatchObject({ verified: true });
    await storeDocumented(world.context, address, { ...document, client_name: 'Your bank' });
    expect(await find()).toMatchObject({ verified: false, name: 'Your bank' });
  });

  it('are the only ones', async () => {
    const token = await storeToken(world, { userId: alice.user.id, workspaceId, scopes: ['memories:read'] });
    for (const caller of [alice, eve, { raw: createRaw(world, token) }]) {
      expect((await caller.raw('GET', '/v1/public_clients')).status).toBe(403);
      expect((await review(caller)).status).toBe(403);
    }
    expect((await createRaw(world)('GET', '/v1/public_clients')).status).toBe(401);
    expect((await review(staff, id, {})).status).toBe(400);
  });
});
