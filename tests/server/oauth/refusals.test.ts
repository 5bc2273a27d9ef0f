/** Everything that a client, an attacker or a coincidence may try and must not get away with. */
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { OAUTH } from '#shared/oauth/limits.ts';
import type { ProtocolCall } from '#shared/define/protocol-call.ts';
import { newId } from '#shared/ids.ts';
import { PROTOCOL_CALLS } from '#shared/oauth/protocol-calls.ts';
import { createRaw, verifyAddress } from '#tests/support/agent.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import {
  beginRequest,
  connect,
  decide,
  fetchIn,
  issuerOf,
  rawAs,
  registerClient,
  REDIRECT,
  type Request,
} from '#tests/support/oauth.ts';
import { openWorld } from '#tests/support/world.ts';

let cast: Cast;
const world = await openWorld({ env: { TRUST_PROXY: 'loopback' } });
cast = await createCast(world);
for (const person of [cast.alice, cast.bob, cast.eve]) {
  await verifyAddress(world, person);
  person.user.emailVerified = true;
}
const config = await registerClient(world);
const publicClient = await registerClient(world, { token_endpoint_auth_method: 'none' });

/** What a wire failure looks like beside its status. */
interface Failure {
  error: string;
  error_description: string;
  message: string;
  detail: string;
}

async function post(
  path: string,
  form: Record<string, string> | [string, string][] | string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Failure & Record<string, unknown>; headers: Headers }> {
  const isText = typeof form === 'string';
  const response = await fetchIn(world)(`${world.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': isText ? 'application/json' : 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: isText ? form : new URLSearchParams(form).toString(),
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), headers: response.headers };
}

/** The form with which this client redeems a code. */
function redemption(of: client.Configuration, code: string, verifier: string): Record<string, string> {
  const { client_id, client_secret } = of.clientMetadata();
  return {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
    client_id,
    ...(typeof client_secret === 'string' && { client_secret }),
  };
}

function refreshing(of: client.Configuration, token: string | undefined): Record<string, string> {
  const { client_id, client_secret } = of.clientMetadata();
  return {
    grant_type: 'refresh_token',
    refresh_token: token ?? '',
    client_id,
    ...(typeof client_secret === 'string' && { client_secret }),
  };
}

async function codeFor(of: client.Configuration): Promise<{ code: string; request: Request }> {
  const request = await beginRequest(of);
  const back = await decide(cast.alice, request, { workspaceId: cast.workspaceId });
  return { code: back.searchParams.get('code') ?? '', request };
}

const TOKEN = '/v1/oauth/token';
const reads = (token: string) => rawAs(world, token)('GET', `/v1/memories/${cast.workspaceId}`);

describe('a code', () => {
  it.each([
    [
      'with the wrong verifier',
      (form: Record<string, string>) => ({ ...form, code_verifier: 'x'.repeat(43) }),
    ],
    ['without a verifier', ({ code_verifier: _verifier, ...form }: Record<string, string>) => form],
    [
      'for another address',
      (form: Record<string, string>) => ({ ...form, redirect_uri: 'https://app.example/other' }),
    ],
    ['without the address', ({ redirect_uri: _uri, ...form }: Record<string, string>) => form],
    [
      'that was never issued',
      (form: Record<string, string>) => ({ ...form, code: newId('oauth_auth_code') }),
    ],
  ])('%s is refused', async (_name, change) => {
    const { code, request } = await codeFor(config);
    const { status, body } = await post(TOKEN, change(redemption(config, code, request.verifier)));
    expect([status, body.message, body.error_description]).toEqual([
      400,
      'Invalid request',
      'Invalid request',
    ]);
    expect(['invalid_grant', 'invalid_request']).toContain(body.error);
  });

  it('that comes twice ends everything that was made of it', async () => {
    const { code, request } = await codeFor(config);
    const form = redemption(config, code, request.verifier);
    const first = await post(TOKEN, form);
    expect(first.status).toBe(200);
    const token = String(first.body['access_token']);
    expect((await reads(token)).status).toBe(200);
    world.clock.advance(OAUTH.repetitionMs);
    const second = await post(TOKEN, form);
    expect([second.status, second.body.error]).toEqual([400, 'invalid_grant']);
    expect((await reads(token)).status).toBe(401);
    const refresh = await post(TOKEN, refreshing(config, String(first.body['refresh_token'])));
    expect(refresh.body.error).toBe('invalid_grant');
  });

  it('redeemed ten times at once gives tokens once, which work until it comes again', async () => {
    const { code, request } = await codeFor(config);
    const form = redemption(config, code, request.verifier);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(TOKEN, form)));
    const won = answers.filter(({ status }) => status === 200);
    expect([won.length, answers.filter(({ body }) => body.error === 'invalid_grant').length]).toEqual([1, 9]);
    const token = String(won[0]?.body['access_token']);
    expect((await reads(token)).status).toBe(200);
    world.clock.advance(OAUTH.repetitionMs);
    expect((await post(TOKEN, form)).body.error).toBe('invalid_grant');
    expect((await reads(token)).status).toBe(401);
  });

  it('of another client is refused, and stays good for its own', async () => {
    const { code, request } = await codeFor(config);
    const stolen = await post(TOKEN, redemption(publicClient, code, request.verifier));
    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant']);
    expect((await post(TOKEN, redemption(config, code, request.verifier))).status).toBe(200);
  });

  it('is good for a minute', async () => {
    const { code, request } = await codeFor(config);
    world.clock.advance(OAUTH.codeSeconds * 1_000);
    const late = await post(TOKEN, redemption(config, code, request.verifier));
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant']);
  });
});

describe('a refresh token', () => {
  it('that comes back after the grace ends its family', async () => {
    const { tokens } = await connect(config, cast.alice, { workspaceId: cast.workspaceId });
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    world.clock.advance(OAUTH.repetitionMs);
    const replay = await post(TOKEN, refreshing(config, tokens.refresh_token));
    expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant']);
    expect((await reads(next.access_token)).status).toBe(401);
    expect((await post(TOKEN, refreshing(config, next.refresh_token))).body.error).toBe('invalid_grant');
  });

  it('whose answer was lost is refused, and the family stays', async () => {
    const { tokens } = await connect(config, cast.alice, { workspaceId: cast.workspaceId });
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    const again = await post(TOKEN, refreshing(config, tokens.refresh_token));
    expect(again.body.error).toBe('invalid_grant');
    expect((await reads(next.access_token)).status).toBe(200);
  });

  it('used ten times at once gives one successor', async () => {
    const { tokens } = await connect(publicClient, cast.alice, { workspaceId: cast.workspaceId });
    const form = refreshing(publicClient, tokens.refresh_token);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(TOKEN, form)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 400),
    ]);
    const won = answers.find(({ status }) => status === 200);
    expect((await reads(String(won?.body['access_token']))).status).toBe(200);
  });

  it('is no good to another client, cannot grow, and ends after thirty days however often it rotated', async () => {
    const { tokens } = await connect(config, cast.alice, { workspaceId: cast.workspaceId, access: 'read' });
    const foreign = await post(TOKEN, refreshing(publicClient, tokens.refresh_token));
    expect(foreign.body.error).toBe('invalid_grant');
    const wider = {
      ...refreshing(config, tokens.refresh_token),
      scope: 'openid memories:read memories:write',
    };
    expect((await post(TOKEN, wider)).body.error).toBe('invalid_scope');
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    world.clock.advance(OAUTH.refreshSeconds * 1_000 + 1_000);
    expect((await post(TOKEN, refreshing(config, next.refresh_token))).body.error).toBe('invalid_grant');
    await signInAgain();
  });
});

/** Sessions end while the clock runs; the people come back. */
async function signInAgain(): Promise<void> {
  const later = await createCast(world);
  for (const person of [later.alice, later.bob, later.eve]) {
    await verifyAddress(world, person);
    person.user.emailVerified = true;
  }
  cast = later;
}

describe('a client', () => {
  it.each([
    ['the wrong secret', { client_secret: 'nothing of the kind' }, 401, 'Invalid client credentials'],
    ['no secret', { client_secret: undefined }, 401, 'Authentication required'],
    ['an unknown id', { client_id: newId('oauth_client') }, 401, 'Invalid client credentials'],
  ])('with %s gets nothing', async (_name, change, status, sentence) => {
    const form = Object.entries({ ...refreshing(config, newId('oauth_refresh')), ...change }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    );
    const answer = await post(TOKEN, form);
    expect([answer.status, answer.body.error]).toEqual([status, 'invalid_client']);
    expect([sentence, 'Invalid client credentials']).toContain(answer.body.message);
  });

  it('that says nothing of itself is asked who it is', async () => {
    for (const path of [TOKEN, '/v1/oauth/introspect', '/v1/oauth/revoke']) {
      const { status, body, headers } = await post(path, { token: 'x', grant_type: 'refresh_token' });
      expect([path, status, body.message]).toEqual([path, 401, 'Authentication required']);
      expect(headers.get('www-authenticate')).toMatch(/^Basic /);
    }
  });

  it.each([
    ['password', { grant_type: 'password', username: 'alice', password: 'x' }],
    ['client credentials', { grant_type: 'client_credentials' }],
    ['implicit', { grant_type: 'implicit' }],
    ['none', {}],
  ])('cannot use the grant %s', async (_name, form) => {
    const { client_id, client_secret } = config.clientMetadata();
    const answer = await post(TOKEN, { ...form, client_id, client_secret: String(client_secret) });
    expect([answer.status, answer.body.message]).toEqual([400, 'Invalid request']);
  });

  it('sees the state of its own tokens only, and a public one of none', async () => {
    const { tokens } = await connect(config, cast.alice, { workspaceId: cast.workspaceId });
    const other = await registerClient(world);
    expect(await client.tokenIntrospection(other, tokens.access_token)).toEqual({ active: false });
    expect(await client.tokenIntrospection(config, newId('oauth_token'))).toEqual({ active: false });
    const { client_id } = publicClient.clientMetadata();
    const asPublic = await post('/v1/oauth/introspect', { token: tokens.access_token, client_id });
    expect(asPublic.body).toEqual({ active: false });
    const revoked = await client
      .tokenRevocation(other, tokens.access_token)
      .then(() => 'accepted')
      .catch((error: unknown) => (error instanceof client.ResponseBodyError ? error.error : String(error)));
    expect(revoked).toBe('invalid_request');
    expect((await reads(tokens.access_token)).status).toBe(200);
  });

  it('that mixes up its providers finds it out by the issuer', async () => {
    const { back, request } = await (async () => {
      const begun = await beginRequest(publicClient);
      return { request: begun, back: await decide(cast.alice, begun, { workspaceId: cast.workspaceId }) };
    })();
    const server: oauth.AuthorizationServer = {
      issuer: 'https://other.example',
      authorization_response_iss_parameter_supported: true,
    };
    const { client_id } = publicClient.clientMetadata();
    expect(() => oauth.validateAuthResponse(server, { client_id }, back, request.state)).toThrow(
      /issuer|"iss"/,
    );
    const ours = { ...server, issuer: issuerOf(world) };
    expect(oauth.validateAuthResponse(ours, { client_id }, back, request.state).get('code')).toBeTruthy();
    expect(() => oauth.validateAuthResponse(ours, { client_id }, back, 'another state')).toThrow(/state/);
  });
});

describe('an access token', () => {
  beforeAll(signInAgain);

  it('ends with its hour, its scope and the membership of its person', async () => {
    const { bob, workspaceId, alice } = cast;
    const extra = { scope: 'memories:read' };
    const { tokens } = await connect(config, bob, { workspaceId, extra });
    const raw = rawAs(world, tokens.access_token);
    expect((await raw('GET', `/v1/memories/${workspaceId}`)).status).toBe(200);
    expect((await raw('GET', `/v1/spaces/${workspaceId}`)).status).toBe(403);
    expect((await raw('GET', `/v1/memories/${cast.evesWorkspaceId}`)).status).toBe(403);
    const hour = await connect(config, bob, { workspaceId, extra });
    await alice
      .api('workspace_member.remove', { params: { workspaceId, id: bob.user.id } })
      .catch(async () => {
        await world.context.db
          .deleteFrom('workspace_member')
          .where('workspaceId', '=', workspaceId)
          .where('userId', '=', bob.user.id)
          .execute();
      });
    expect((await raw('GET', `/v1/memories/${workspaceId}`)).status).toBe(401);
    expect((await rawAs(world, hour.tokens.access_token)('GET', `/v1/memories/${workspaceId}`)).status).toBe(
      401,
    );
    const later = await connect(config, alice, { workspaceId, extra });
    world.clock.advance(OAUTH.accessSeconds * 1_000);
    expect((await reads(later.tokens.access_token)).status).toBe(401);
  });

  it('for a resource works there and nowhere else', async () => {
    const { alice, workspaceId } = cast;
    const scope = 'openid memories:read';
    const bound = await connect(config, alice, {
      workspaceId,
      extra: { scope, resource: `${issuerOf(world)}/` },
    });
    expect((await reads(bound.tokens.access_token)).status).toBe(200);
    const info = await rawAs(world, bound.tokens.access_token)('GET', '/v1/oauth/userinfo');
    expect([info.status, JSON.parse(info.text).error]).toEqual([403, 'insufficient_scope']);
    await world.context.db
      .updateTable('oauth_token')
      .set({ audience: 'https://other.example/mcp' })
      .execute();
    expect((await reads(bound.tokens.access_token)).status).toBe(401);
  });

  it('without a person gets no userinfo', async () => {
    const without = await createRaw(world)('GET', '/v1/oauth/userinfo');
    expect([without.status, JSON.parse(without.text).message]).toEqual([401, 'Authentication required']);
    expect(without.headers.get('www-authenticate')).toMatch(/^Bearer /);
    const wrong = await rawAs(world, newId('oauth_token'))('GET', '/v1/oauth/userinfo');
    expect([wrong.status, JSON.parse(wrong.text).message]).toEqual([401, 'Invalid or expired access token']);
  });

  it('ends when the password changes', async () => {
    const { alice, workspaceId } = cast;
    const { tokens } = await connect(config, alice, { workspaceId });
    const password = 'another harbour in the evening';
    await alice.api('auth.update', { body: { password, currentPassword: 'a quiet harbour at dawn' } });
    expect((await reads(tokens.access_token)).status).toBe(401);
    expect((await post(TOKEN, refreshing(config, tokens.refresh_token))).body.error).toBe('invalid_grant');
  });
});

describe('a method that a call of the protocol does not have', () => {
  const calls = Object.values<ProtocolCall>(PROTOCOL_CALLS);
  const paths = [...new Set(calls.flatMap(({ path, aliases = [] }) => [path, ...aliases]))];

  it.each(paths)('is refused at %s in the form of the RFC', async (path) => {
    const allowed = { authorize: 'GET, POST, HEAD, OPTIONS', userinfo: 'GET, POST, HEAD, OPTIONS' };
    const posted = { token: 1, introspect: 1, revoke: 1, register: 1 };
    const name = path.split('/').at(-1) ?? '';
    const allow = Object(allowed)[name] ?? (name in posted ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS');
    for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const response = await fetch(`${world.url}${path}`, { method });
      expect([method, response.status, response.headers.get('cache-control')]).toEqual([
        method,
        405,
        'no-store',
      ]);
      expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(allow.split(', ').toSorted());
      expect(await response.json()).toMatchObject({
        error: 'invalid_request',
        error_description: 'Invalid request',
        detail: expect.stringContaining('at this address'),
      });
    }
  });

  it('leaves the decision of a person the form of all other calls, and a browser its page', async () => {
    const decision = await createRaw(world)('POST', '/v1/oauth/authorize', { body: { decision: 'allow' } });
    expect(decision.json).toMatchObject({ success: false, error: { code: 'unauthorized' } });
    const asked = await fetch(`${world.url}/v1/oauth/authorize`);
    expect([asked.status, await asked.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    const form = await fetch(`${world.url}/v1/oauth/authorize`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'unknown' }),
    });
    expect([form.status, await form.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    const browser = await fetch(`${world.url}/v1/oauth/authorize`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    expect([browser.status, browser.headers.get('location')]).toEqual([303, '/oauth/authorize?']);
  });

  it('and a fault of ours is said in the same form', async () => {
    const broken = await openWorld();
    await broken.context.db
      .insertInto('oauth_signing_key')
      .values({ kid: 'x', secret: 'no key', sealedSecret: null, created: broken.clock.now().toISOString() })
      .execute();
    for (const path of ['/v1/oauth/jwks', '/v1/.well-known/openid-configuration', '/v1/oauth/token']) {
      const response = await fetch(`${broken.url}${path}`, {
        ...(path.endsWith('token') && { method: 'POST', body: new URLSearchParams({ client_id: 'x' }) }),
      });
      expect([path, response.status, await response.json()]).toMatchObject([
        path,
        500,
        { error: 'server_error', error_description: 'Internal error' },
      ]);
    }
  });
});

describe('bodies that no client sends', () => {
  it('hold NUL, and are refused', async () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'a\0', token: 'a\0' };
    for (const call of ['token', 'introspect', 'revoke']) {
      const named = await post(`/v1/oauth/${call}`, { ...form, client_id: 'a\0' });
      const basic = await post(`/v1/oauth/${call}`, form, {
        authorization: `Basic ${Buffer.from('a%00:b').toString('base64')}`,
      });
      expect([named.status, named.body.error, basic.status]).toEqual([401, 'invalid_client', 400]);
    }
    const begun = await fetch(`${world.url}/v1/oauth/authorize?client_id=%00&redirect_uri=%00`);
    expect(begun.status).toBe(400);
  });

  it('are refused with words', async () => {
    const json = await post(TOKEN, JSON.stringify({ grant_type: 'refresh_token' }));
    expect([json.status, json.body.error]).toEqual([415, 'invalid_request']);
    const large = await post(TOKEN, { grant_type: 'refresh_token', refresh_token: 'x'.repeat(300_000) });
    expect(large.status).toBe(413);
    const twice = await post(TOKEN, [
      ['grant_type', 'refresh_token'],
      ['grant_type', 'authorization_code'],
      ['client_id', publicClient.clientMetadata().client_id],
    ]);
    expect(twice.status).toBe(400);
  });
});
