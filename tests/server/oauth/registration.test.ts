/** How clients become known: by registration, by a document, and by the owners and admins of a workspace. */
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPE_NAMES } from '#shared/api-keys/scopes.ts';
import { OAUTH } from '#shared/oauth/limits.ts';
import { isId } from '#shared/ids.ts';
import { forgetOauth } from '#server/oauth/service.ts';
import { EgressError, type Egress } from '#server/providers/egress.ts';
import { fetchedJson } from '#tests/support/fetched-json.ts';
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
} from '#tests/support/oauth.ts';
import { createWorld, type World, openWorld } from '#tests/support/world.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const world = await openWorld({ env: { TRUST_PROXY: 'loopback' } });
const cast = await createCast(world);
await verifyAddress(world, cast.alice);
cast.alice.user.emailVerified = true;

let addresses = 0;
/** Registers from an address of its own, so that the limit of one does not end the test. */
async function register(body: unknown, address = `198.51.100.${++addresses}`) {
  const response = await fetch(`${world.url}/v1/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe('registration', () => {
  it('gives an id of ours, and a secret to those that can keep one', async () => {
    const web = await register({ redirect_uris: [REDIRECT], client_name: 'A web app' });
    expect(web.status).toBe(201);
    expect(isId('oauth_client', web.body.client_id)).toBe(true);
    expect(web.body.client_secret).toMatch(/^[\w-]{43}$/);
    const native = await register({
      redirect_uris: ['http://127.0.0.1/callback', 'com.example.app:/callback'],
      token_endpoint_auth_method: 'none',
    });
    expect(native.body).toMatchObject({ application_type: 'native', client_name: 'Unnamed application' });
    expect(native.body.client_secret).toBeUndefined();
  });

  it('leaves out what was not asked for and the scope that needs a member to vouch for the client', async () => {
    const { body } = await register({
      redirect_uris: [REDIRECT],
      scope: 'openid email members:read memories:read root',
      jwks_uri: 'http://169.254.169.254/latest/meta-data',
      sector_identifier_uri: 'http://127.0.0.1:5432/',
      verified: true,
      client_id: 'mine',
      client_secret: 'mine',
      default_max_age: -1,
    });
    expect(body.scope).toBe('openid email memories:read');
    expect(body.client_id).not.toBe('mine');
    expect(body.client_secret).not.toBe('mine');
    for (const name of ['jwks_uri', 'sector_identifier_uri', 'verified', 'default_max_age']) {
      expect(body).not.toHaveProperty(name);
    }
  });

  it('without scopes gets all that it may ask for, so that an OpenID client needs no change', async () => {
    const { body } = await register({ redirect_uris: [REDIRECT] });
    expect(body.scope).toBe(SCOPE_NAMES.filter((scope) => scope !== 'members:read').join(' '));
    const config = await registerClient(world, { grant_types: ['authorization_code'] });
    const { alice, workspaceId } = cast;
    const { tokens } = await connect(config, alice, { workspaceId, extra: { scope: 'openid email' } });
    expect(tokens.scope).toBe('openid email');
    expect(await client.fetchUserInfo(config, tokens.access_token, alice.user.id)).toMatchObject({
      email: alice.user.email,
      email_verified: true,
    });
  });

  it.each([
    ['no address', {}],
    ['an empty list', { redirect_uris: [] }],
    ['text', { redirect_uris: REDIRECT }],
    ['plain http', { redirect_uris: ['http://app.example/callback'] }],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['data', { redirect_uris: ['data:text/html,x'] }],
    ['a file', { redirect_uris: ['file:///etc/passwd'] }],
    ['a fragment', { redirect_uris: [`${REDIRECT}#x`] }],
    ['a wildcard', { redirect_uris: ['https://*.example/callback'] }],
    ['a password', { redirect_uris: ['https://a:b@app.example/callback'] }],
    ['too many', { redirect_uris: Array.from({ length: 11 }, (_, index) => `${REDIRECT}/${index}`) }],
    ['a long one', { redirect_uris: [`${REDIRECT}?${'x'.repeat(2_100)}`] }],
  ])('with %s as redirect address is refused', async (_name, metadata) => {
    const { status, body } = await register(metadata);
    expect([status, body.error, body.message]).toEqual([400, 'invalid_redirect_uri', 'Invalid request']);
    expect(body.detail).not.toBe('');
  });

  it.each([
    ['a name that is too long', { client_name: 'x'.repeat(200) }],
    ['a name that cannot be stored', { client_name: 'a\u0000b' }],
    ['a page without https', { client_uri: 'http://app.example' }],
    ['a picture that is a script', { logo_uri: 'javascript:alert(1)' }],
    ['another grant', { grant_types: ['password'] }],
    ['another response', { response_types: ['token'] }],
    ['another authentication', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['a contact that is none', { contacts: ['nobody'] }],
    ['a number for a name', { client_name: 7 }],
  ])('with %s is refused', async (_name, metadata) => {
    const { status, body } = await register({ redirect_uris: [REDIRECT], ...metadata });
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
  });

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['nothing', ''],
    ['null', 'null'],
    ['too much text', JSON.stringify({ redirect_uris: [REDIRECT], client_name: 'x'.repeat(100_000) })],
    ['a prototype', '{"__proto__":{"redirect_uris":["https://app.example/"]}}'],
  ])('of %s is refused', async (_name, text) => {
    const { status, body } = await register(text);
    expect([400, 413]).toContain(status);
    expect(body.error).toMatch(/^invalid_/);
  });

  it('that was never used is forgotten after a month', async () => {
    const { body } = await register({ redirect_uris: [REDIRECT] });
    const later = new Date(world.clock.now().getTime() + OAUTH.unusedClientDays * DAY_MS + HOUR_MS);
    await forgetOauth(world.context.db, later);
    const path = `/v1/public/oauth_clients/${body.client_id}`;
    expect((await createRaw(world)('GET', path)).status).toBe(404);
  });
});

describe('a client on the device of the person', () => {
  it('listens at any port of a loopback address, and at no other host', async () => {
    const { body } = await register({
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost:7777/callback'],
      token_endpoint_auth_method: 'none',
    });
    const check = async (redirect_uri: string) => {
      const parameters = {
        client_id: body.client_id,
        redirect_uri,
        response_type: 'code',
        scope: 'memories:read',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      };
      return (await cast.alice.raw('POST', '/v1/oauth/requests', { body: parameters })).status;
    };
    expect(await check('http://127.0.0.1:53211/callback')).toBe(200);
    expect(await check('http://localhost:7777/callback')).toBe(200);
    expect(await check('http://localhost:7778/callback')).toBe(400);
    expect(await check('http://127.0.0.1:53211/other')).toBe(400);
    expect(await check('http://127.0.0.2:53211/callback')).toBe(400);
    expect(await check('http://127.0.0.1.evil.example/callback')).toBe(400);
  });
});

describe('a client metadata document', () => {
  const ID = 'https://agent.example/oauth/client.json';
  const document = {
    client_id: ID,
    client_name: 'An agent',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  };
  let published: Map<string, unknown>;
  let open: World;
  let owner: Cast;
  beforeAll(async () => {
    published = new Map<string, unknown>([[ID, document]]);
    open = await createWorld({ env: { EGRESS: 'public' } });
    // The web that this server reaches consists of these documents.
    const egress: Pick<Egress, 'get'> = {
      async get(url) {
        const found = published.get(url);
        if (found === undefined) throw new EgressError('unknown_host');
        return fetchedJson(url, found);
      },
    };
    Object.assign(open.context.egress, egress);
    owner = await createCast(open);
    await verifyAddress(open, owner.alice);
    owner.alice.user.emailVerified = true;
  });
  afterAll(() => open.close());

  const documented = async (id: string) =>
    client.discovery(new URL(issuerOf(open)), id, { token_endpoint_auth_method: 'none' }, client.None(), {
      execute: [client.allowInsecureRequests],
      [client.customFetch]: fetchIn(open) as client.CustomFetch,
    });

  it('makes its client known, under an id of ours on the page', async () => {
    const config = await documented(ID);
    const request = await beginRequest(config);
    const browser = await fetch(`${open.url}/v1/oauth/authorize${request.url.search}`, {
      redirect: 'manual',
    });
    expect(browser.headers.get('location')).toMatch(/^\/oauth\/oauth_client_[a-z1-9]{24}\?/);
    const { tokens } = await connect(config, owner.alice, { workspaceId: owner.workspaceId });
    expect((await rawAs(open, tokens.access_token)('GET', `/v1/memories/${owner.workspaceId}`)).status).toBe(
      200,
    );
    const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(again.access_token).not.toBe(tokens.access_token);
    const { result } = await owner.alice.api('connected_app.list', {});
    expect(result).toMatchObject([{ client: { name: 'An agent', verified: false } }]);
  });

  it('gives no more scopes than a registration does, whatever it says', async () => {
    for (const scope of ['openid members:read', undefined]) {
      const id = `https://agent.example/${scope === undefined ? 'silent' : 'greedy'}.json`;
      published.set(id, { ...document, client_id: id, scope });
      const ask = async (wanted: string) => {
        const { url } = await beginRequest(await documented(id), { scope: wanted });
        const body = Object.fromEntries(url.searchParams);
        return JSON.stringify((await owner.alice.raw('POST', '/v1/oauth/requests', { body })).json?.result);
      };
      expect(await ask('openid members:read')).toContain('error=invalid_scope');
      expect(await ask('openid')).toContain('Know who you are');
    }
  });

  it.each([
    ['of another client', { ...document, client_id: 'https://agent.example/other.json' }],
    ['with a secret', { ...document, token_endpoint_auth_method: 'client_secret_basic' }],
    ['with a script for an address', { ...document, redirect_uris: ['javascript:alert(1)'] }],
    ['that is no JSON', '<html>'],
    ['that is a list', []],
    ['that is not there', undefined],
  ])('%s makes none', async (name, found) => {
    const id = `https://agent.example/${encodeURIComponent(name)}.json`;
    if (found !== undefined) {
      const own = typeof found === 'string' || Array.isArray(found) || name === 'of another client';
      published.set(id, own ? found : { ...found, client_id: id });
    }
    const body = {
      client_id: id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'memories:read',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    };
    const answer = await owner.alice.raw('POST', '/v1/oauth/requests', { body });
    expect([name, answer.status, answer.json?.error?.code]).toEqual([name, 400, 'invalid']);
  });
});

describe('a client of a workspace', () => {
  const fields = { name: 'Our portal', redirectUris: [REDIRECT] };

  it('is made, shown, changed and removed by owners and admins', async () => {
    const { alice, workspaceId } = cast;
    const made = await alice.api('oauth_client.create', { body: { workspaceId, ...fields } });
    expect(made.result).toMatchObject({ name: 'Our portal', confidential: true, redirectUris: [REDIRECT] });
    const { id, secret } = made.result;
    const config = await client.discovery(new URL(issuerOf(world)), id, secret ?? '', undefined, {
      execute: [client.allowInsecureRequests],
      [client.customFetch]: fetchIn(world) as client.CustomFetch,
    });
    const extra = { scope: 'openid email members:read offline_access' };
    const { tokens } = await connect(config, alice, { workspaceId, extra });
    const info = await client.fetchUserInfo(config, tokens.access_token, alice.user.id);
    expect(info).toMatchObject({ email: alice.user.email, email_verified: true });

    const params = { workspaceId, id };
    const renewed = await alice.api('oauth_client.renew_secret', { params });
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      status: 401,
    });
    expect(renewed.result.secret).not.toBe(secret);

    const other = 'https://portal.example/back';
    await alice.api('oauth_client.update', { params, body: { name: 'Renamed', redirectUris: [other] } });
    const request = await beginRequest(config);
    await expect(decide(alice, request, { workspaceId })).rejects.toMatchObject({ status: 400 });
    expect((await alice.api('oauth_client.list', { params: { workspaceId } })).result).toMatchObject([
      { id, name: 'Renamed', redirectUris: [other] },
    ]);
    await alice.api('oauth_client.remove', { params });
    expect((await rawAs(world, tokens.access_token)('GET', `/v1/workspaces`)).status).toBe(401);
    expect((await alice.raw('DELETE', `/v1/oauth_clients/${workspaceId}/${id}`)).status).toBe(404);
  });

  it('is nothing for members, strangers and keys, nor for people of other workspaces', async () => {
    const { alice, bob, rita, eve, workspaceId, evesWorkspaceId } = cast;
    const { id } = (await alice.api('oauth_client.create', { body: { workspaceId, ...fields } })).result;
    for (const person of [bob, rita, eve]) {
      await verifyAddress(world, person);
      const statuses = [
        await person.raw('POST', '/v1/oauth_clients', { body: { workspaceId, ...fields } }),
        await person.raw('GET', `/v1/oauth_clients/${workspaceId}`),
        await person.raw('PUT', `/v1/oauth_clients/${workspaceId}/${id}`, { body: fields }),
        await person.raw('POST', `/v1/oauth_clients/${workspaceId}/${id}/secret`),
        await person.raw('DELETE', `/v1/oauth_clients/${workspaceId}/${id}`),
      ].map(({ status }) => status);
      expect(statuses).toEqual([403, 403, 403, 403, 403]);
    }
    const foreign = `/v1/oauth_clients/${evesWorkspaceId}/${id}`;
    expect((await eve.raw('GET', foreign)).status).toBe(404);
    expect((await eve.raw('PUT', foreign, { body: fields })).status).toBe(404);
    expect((await eve.raw('DELETE', foreign)).status).toBe(404);
  });

  it.each([
    ['no address', { redirectUris: [] }],
    ['a script', { redirectUris: ['javascript:alert(1)'] }],
    ['plain http', { redirectUris: ['http://app.example/'] }],
    ['no name', { name: ' ' }],
    ['a script for a picture', { logoUrl: 'javascript:alert(1)' }],
    ['an address that is none', { email: 'nobody' }],
  ])('with %s is refused', async (_name, change) => {
    const body = { workspaceId: cast.workspaceId, ...fields, ...change };
    const answer = await cast.alice.raw('POST', '/v1/oauth_clients', { body });
    expect([answer.status, answer.json?.error?.code]).toEqual([400, 'invalid']);
  });

  it('shows strangers what it says of itself and nothing more', async () => {
    const { alice, workspaceId } = cast;
    const { id } = (await alice.api('oauth_client.create', { body: { workspaceId, ...fields } })).result;
    const { json } = await createRaw(world)('GET', `/v1/public/oauth_clients/${id}`);
    expect(Object.keys(json?.result as object).sort()).toEqual(
      [
        ...'created description email id logoUrl name privacyPolicyUrl'.split(' '),
        ...'termsOfServiceUrl updated verified websiteUrl'.split(' '),
      ].sort(),
    );
    expect((await createRaw(world)('GET', '/v1/public/oauth_clients')).json?.result).toEqual([]);
  });
});

describe('connected apps', () => {
  it('are listed to their person and end at once', async () => {
    const later = await createCast(world);
    await verifyAddress(world, later.alice);
    later.alice.user.emailVerified = true;
    const { workspaceId, alice, bob } = later;
    const { result } = await alice.api('oauth_client.create', {
      body: { workspaceId, name: 'App', redirectUris: [REDIRECT] },
    });
    const config = await client.discovery(
      new URL(issuerOf(world)),
      result.id,
      result.secret ?? '',
      undefined,
      {
        execute: [client.allowInsecureRequests],
        [client.customFetch]: fetchIn(world) as client.CustomFetch,
      },
    );
    const first = await connect(config, alice, { workspaceId, access: 'read' });
    const second = await connect(config, alice, { workspaceId });
    const list = await alice.api('connected_app.list', {});
    expect(list.result).toMatchObject([{ client: { name: 'App' }, workspaceId, spaceIds: null }]);
    expect(list.meta).toMatchObject({ total: 1 });
    expect((await bob.api('connected_app.list', {})).result).toEqual([]);
    const path = `/v1/connected_apps/${workspaceId}/${result.id}`;
    expect((await bob.raw('DELETE', path)).status).toBe(404);
    expect((await alice.raw('DELETE', path)).status).toBe(200);
    expect((await alice.raw('DELETE', path)).status).toBe(404);
    for (const { tokens } of [first, second]) {
      expect((await rawAs(world, tokens.access_token)('GET', `/v1/memories/${workspaceId}`)).status).toBe(
        401,
      );
      await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    }
  });
});
