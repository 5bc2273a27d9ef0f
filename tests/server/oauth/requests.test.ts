/** What a request may ask for, and who may decide it. */
import * as client from 'openid-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { createRaw, verifyAddress } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import {
  beginRequest,
  connect,
  decide,
  rawAs,
  registerClient,
  REDIRECT,
  type Request,
} from '#tests/support/oauth.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld({ env: { TRUST_PROXY: 'loopback' } });
const cast = await createCast(world);
for (const person of [cast.alice, cast.bob, cast.eve]) {
  await verifyAddress(world, person);
  person.user.emailVerified = true;
}
const config = await registerClient(world);

describe('an authorization request', () => {
  const check = async (change: Record<string, string | string[] | undefined>) => {
    const { url } = await beginRequest(config);
    const body = { ...Object.fromEntries(url.searchParams), ...change };
    return cast.alice.raw('POST', '/v1/oauth/requests', { body: JSON.parse(JSON.stringify(body)) });
  };
  const refusalOf = (answer: { json?: { result?: unknown } | undefined }) => {
    const { redirect_to = '' } = (answer.json?.result ?? {}) as { redirect_to?: string };
    const url = URL.parse(redirect_to);
    if (!url) return null;
    const told = url.hash === '' ? url.searchParams : new URLSearchParams(url.hash.slice(1));
    return [`${url.origin}${url.pathname}`, told.get('error')];
  };

  it.each([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method of PKCE', { code_challenge_method: undefined }, 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['an id token from the front', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['an unknown resource', { resource: 'https://other.example/' }, 'invalid_target'],
    ['a scope the client may not have', { scope: 'openid members:read' }, 'invalid_scope'],
    ['no page', { prompt: 'none' }, 'login_required'],
    ['an unknown prompt', { prompt: 'surprise' }, 'invalid_request'],
  ])('with %s goes back to the client as refused', async (_name, change, error) => {
    expect(refusalOf(await check(change))).toEqual([REDIRECT, error]);
  });

  it.each([
    ['another host', 'https://evil.example/callback'],
    ['another path', `${REDIRECT}/../evil`],
    ['a longer path', `${REDIRECT}x`],
    ['a query', `${REDIRECT}?next=evil`],
    ['a fragment', `${REDIRECT}#evil`],
    ['another scheme', REDIRECT.replace('https', 'http')],
    ['a name before the host', 'https://app.example@evil.example/callback'],
    ['a script', 'javascript:alert(1)'],
    ['upper case', REDIRECT.toUpperCase()],
  ])('to %s is refused here and never sent there', async (_name, redirect_uri) => {
    const answer = await check({ redirect_uri });
    expect([answer.status, answer.json?.error?.code]).toEqual([400, 'invalid']);
    const { url } = await beginRequest(config);
    url.searchParams.set('redirect_uri', redirect_uri);
    const browser = await fetch(`${world.url}/v1/oauth/authorize${url.search}`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    expect(browser.headers.get('location')).toMatch(/^\/oauth\/authorize\?/);
  });

  it('of an unknown client or with repeated parameters is refused here', async () => {
    for (const change of [
      { client_id: newId('oauth_client') },
      { client_id: 'https://nowhere.example/client.json' },
      { client_id: ['a', 'b'] },
      { redirect_uri: [REDIRECT, 'https://evil.example/'] },
      { response_mode: 'form_post' },
    ]) {
      const answer = await check(change);
      expect([JSON.stringify(change), answer.status]).toEqual([JSON.stringify(change), 400]);
    }
  });

  it('ignores scopes that do not exist', async () => {
    const answer = await check({ scope: 'openid memories:read root:everything' });
    expect(JSON.stringify(answer.json?.result)).not.toContain('root:');
  });
});

describe('two browsers', () => {
  it('one in which a request began and one in which another person allows it share nothing', async () => {
    const request = await beginRequest(config);
    const begin = () => fetch(`${world.url}/v1/oauth/authorize${request.url.search}`, { redirect: 'manual' });
    const first = await begin();
    const back = await decide(cast.alice, request, { workspaceId: cast.workspaceId });
    const again = await begin();
    for (const answer of [first, again]) {
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([303, null]);
      expect(answer.headers.get('location')).toBe(
        `/oauth/${config.clientMetadata().client_id}${request.url.search}`,
      );
    }
    // The code went where Alice decided; the client that began elsewhere does not know its state or its verifier.
    const another = await beginRequest(config);
    const redeem = (of: Request) =>
      client.authorizationCodeGrant(config, back, {
        pkceCodeVerifier: of.verifier,
        expectedState: of.state,
        expectedNonce: of.nonce,
      });
    await expect(redeem(another)).rejects.toHaveProperty('cause.message', expect.stringContaining('state'));
    await expect(redeem({ ...request, verifier: another.verifier })).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect((await redeem(request)).claims()?.sub).toBe(cast.alice.user.id);
  });

  it('with two people deciding the same request give each a code for themselves', async () => {
    const request = await beginRequest(config);
    const { workspaceId } = cast;
    const codes = await Promise.all(
      [cast.alice, cast.bob].map((person) => decide(person, request, { workspaceId })),
    );
    const people = await Promise.all(
      codes.map(async (back) => {
        const tokens = await client.authorizationCodeGrant(config, back, {
          pkceCodeVerifier: request.verifier,
          expectedState: request.state,
          expectedNonce: request.nonce,
        });
        return tokens.claims()?.sub;
      }),
    );
    expect(people).toEqual([cast.alice.user.id, cast.bob.user.id]);
  });
});

describe('the decision', () => {
  let request: Request;
  beforeEach(async () => {
    request = await beginRequest(config);
  });
  const body = (extra: Record<string, unknown> = {}) => ({
    ...Object.fromEntries(request.url.searchParams),
    decision: 'allow',
    workspaceId: cast.workspaceId,
    ...extra,
  });

  it('is for signed-in people: 401 without a session, 403 for keys and tokens', async () => {
    const path = '/v1/oauth/authorize';
    expect((await createRaw(world)('POST', path, { body: body() })).status).toBe(401);
    const key = await createKey(world, cast.alice, {
      workspaceId: cast.workspaceId,
      scopes: ['memories:read'],
    });
    expect((await key.raw('POST', path, { body: body() })).status).toBe(403);
    const { tokens } = await connect(config, cast.alice, { workspaceId: cast.workspaceId });
    expect((await rawAs(world, tokens.access_token)('POST', path, { body: body() })).status).toBe(403);
  });

  it('cannot give what the person does not have', async () => {
    const build = createBuild(cast);
    const secret = await build.space({ name: 'Only mine', visibility: 'private' });
    for (const [person, extra, status] of [
      [cast.eve, {}, 403],
      [cast.alice, { workspaceId: newId('workspace') }, 403],
      [cast.alice, { workspaceId: undefined }, 400],
      [cast.bob, { spaceIds: [secret.id] }, 400],
      [cast.alice, { spaceIds: [newId('space')] }, 400],
      [cast.alice, { decision: 'perhaps' }, 400],
      [cast.alice, { state: 'x'.repeat(5_000) }, 400],
    ] as const) {
      const answer = await person.raw('POST', '/v1/oauth/authorize', { body: body(extra) });
      expect([JSON.stringify(extra).slice(0, 80), answer.status]).toEqual([
        JSON.stringify(extra).slice(0, 80),
        status,
      ]);
    }
  });

  it('needs a password that was given lately, for us and for the client', async () => {
    const { alice, workspaceId } = cast;
    world.clock.advance(10 * 60_000);
    const asked = await beginRequest(config, { max_age: '60' });
    const tooOld = { ...Object.fromEntries(asked.url.searchParams), decision: 'allow', workspaceId };
    const refused = await alice.raw('POST', '/v1/oauth/authorize', { body: tooOld });
    expect([refused.status, refused.json?.error?.code]).toEqual([403, 'confirmation_required']);
    world.clock.advance(12 * 3_600_000);
    const stale = await alice.raw('POST', '/v1/oauth/authorize', { body: body() });
    expect([stale.status, stale.json?.error?.code]).toEqual([403, 'confirmation_required']);
    await alice.api('auth.confirm', { body: { password: 'a quiet harbour at dawn' } });
    expect((await alice.raw('POST', '/v1/oauth/authorize', { body: body() })).status).toBe(200);
  });

  it('of a person whose address is not proven is refused', async () => {
    const { bob, workspaceId } = cast;
    await world.context.db
      .updateTable('user')
      .set({ emailVerified: false })
      .where('id', '=', bob.user.id)
      .execute();
    const answer = await bob.raw('POST', '/v1/oauth/authorize', { body: body({ workspaceId }) });
    expect(answer.status).toBe(403);
    await verifyAddress(world, bob);
  });
});
