/**
 * Every call of OAuth and OpenID Connect in the OpenAPI document against the running server: the whole way of a client with
 * right answers, and then what is missing, wrong, unproven, too large or of another type. It fails when the two disagree.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { createRaw, verifyAddress } from '#tests/support/agent.ts';
import { readDocument, type Operation } from '#tests/support/api-document.ts';
import { createCast } from '#tests/support/build.ts';
import { decide, REDIRECT } from '#tests/support/oauth.ts';
import { openWorld } from '#tests/support/world.ts';

// The example of RFC 7636.
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const world = await openWorld();
const cast = await createCast(world);
await verifyAddress(world, cast.alice);
const operations = (await readDocument(world)).filter(({ isProtocol }) => isProtocol);
const [, { body }] = await call('oauth.register', {
  json: { redirect_uris: [REDIRECT], grant_types: ['authorization_code', 'refresh_token'] },
});
const app = { id: String(body['client_id']), secret: String(body['client_secret']) };
beforeEach(async () => {
  await world.context.db.deleteFrom('rate_limit').execute();
});

interface Sending {
  form?: Record<string, string>;
  json?: unknown;
  query?: Record<string, string>;
  /** The body as text, with its type. */
  text?: [string, string];
  headers?: Record<string, string>;
}

interface Got {
  status: number;
  location: string | null;
  body: Record<string, unknown>;
}

function operationOf(name: string): Operation {
  const found = operations.find((each) => each.name === name);
  if (!found) throw new Error(`The document has no ${name}`);
  return found;
}

/** Makes a call of the document and compares the answer with what it promises. */
async function call(
  name: string,
  { form, json, query, text, headers }: Sending = {},
): Promise<[string, Got]> {
  const operation = operationOf(name);
  const [type, body] =
    text ??
    (form
      ? ['application/x-www-form-urlencoded', new URLSearchParams(form).toString()]
      : ['application/json', json === undefined ? '' : JSON.stringify(json)]);
  const search = query ? `?${new URLSearchParams(query).toString()}` : '';
  const response = await fetch(world.url + operation.path + search, {
    method: operation.method,
    redirect: 'manual',
    headers: { 'content-type': type, ...headers },
    ...(operation.method === 'POST' && { body }),
  });
  const answered = await response.text();
  const parsed: unknown = answered.startsWith('{') ? JSON.parse(answered) : {};
  const got = {
    status: response.status,
    location: response.headers.get('location'),
    body: Object(parsed) as Record<string, unknown>,
  };
  const fault = operation.faultOf({
    status: got.status,
    json: parsed as never,
    text: answered,
    headers: response.headers,
  });
  return [fault ?? 'as promised', got];
}

const basic = () => ({
  authorization: `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString('base64')}`,
});

const requestOf = () => ({
  response_type: 'code',
  client_id: app.id,
  redirect_uri: REDIRECT,
  state: 'here',
  scope: 'openid profile offline_access memories:read',
  prompt: 'consent',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
});

async function tokensOf(): Promise<Record<string, string>> {
  const url = new URL(world.url);
  url.search = new URLSearchParams(requestOf()).toString();
  const back = await decide(cast.alice, { url }, { workspaceId: cast.workspaceId });
  const code = back.searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', code, code_verifier: VERIFIER, redirect_uri: REDIRECT };
  const [fault, { status, body }] = await call('oauth.token', { form, headers: basic() });
  expect([fault, status, body['error']]).toEqual(['as promised', 200, undefined]);
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]));
}

describe('a client that has read nothing but the document', () => {
  it('goes the whole way and finds each answer as promised', async () => {
    const done = new Map<string, number>();
    const go = async (name: string, sending?: Sending) => {
      const [fault, got] = await call(name, sending);
      expect([name, fault]).toEqual([name, 'as promised']);
      done.set(name, got.status);
      return got;
    };
    for (const { name, method, parameters } of operations)
      if (method === 'GET' && parameters.length === 0 && name !== 'oauth.userinfo') await go(name);
    await go('oauth.register', { json: { ...Object(operationOf('oauth.register').example) } });
    const begun = await go('oauth.begin', { query: requestOf() });
    expect(begun.location).toMatch(`/oauth/${app.id}?`);
    const tokens = await tokensOf();
    const refreshed = await go('oauth.token', {
      form: { grant_type: 'refresh_token', refresh_token: tokens['refresh_token'] ?? '' },
      headers: basic(),
    });
    const token = String(refreshed.body['access_token']);
    const bearer = { authorization: `Bearer ${token}` };
    expect((await go('oauth.userinfo', { headers: bearer })).body['sub']).toBe(cast.alice.user.id);
    const state = () => go('oauth.introspect', { form: { token }, headers: basic() });
    expect((await state()).body).toMatchObject({ active: true, sub: cast.alice.user.id });
    await go('oauth.revoke', { form: { token }, headers: basic() });
    expect((await state()).body).toEqual({ active: false });
    expect(Object.fromEntries(done)).toEqual(
      Object.fromEntries(
        operations.map(({ name, statuses }) => [name, Number(statuses.find((each) => /^[23]/.test(each)))]),
      ),
    );
  });

  it('finds the same documents at their other addresses', async () => {
    const { json } = await createRaw(world)('GET', '/v1/openapi.json');
    let tried = 0;
    for (const [path, { get }] of Object.entries(Object(json)['paths'] as Record<string, { get?: object }>)) {
      const { description = '', tags = [] } = Object(get) as { description?: string; tags?: string[] };
      if (!tags.includes('protocol')) continue;
      for (const [alias] of description.matchAll(/\/[\w./-]*\w/g)) {
        tried += 1;
        const [there, here] = await Promise.all([fetch(world.url + alias), fetch(world.url + path)]);
        expect([alias, there.status, await there.json()]).toEqual([alias, 200, await here.json()]);
      }
    }
    expect(tried).toBe(5);
  });
});

describe('refusals', () => {
  const unknown = newId('oauth_token');

  it.each([
    ['oauth.begin', 400, { query: {} }],
    ['oauth.begin', 400, { query: { client_id: newId('oauth_client') } }],
    ['oauth.token', 401, { form: {} }],
    ['oauth.token', 401, { form: { grant_type: 'refresh_token', client_id: newId('oauth_client') } }],
    ['oauth.introspect', 401, { form: { token: unknown } }],
    ['oauth.revoke', 401, { form: { token: unknown } }],
    ['oauth.register', 400, { json: {} }],
    ['oauth.register', 400, { text: ['application/json', '{'] }],
    ['oauth.register', 415, { form: { redirect_uris: REDIRECT } }],
    ['oauth.userinfo', 401, {}],
    ['oauth.userinfo', 401, { headers: { authorization: `Bearer ${unknown}` } }],
  ] satisfies [string, number, Sending][])(
    '%s answers %i in the documented form',
    async (name, status, given) => {
      const [fault, got] = await call(name, given);
      expect([got.status, fault]).toEqual([status, 'as promised']);
    },
  );

  it.each(['oauth.token', 'oauth.introspect', 'oauth.revoke'])(
    '%s names what is missing of its form, and takes neither other types nor endless texts',
    async (name) => {
      const required = operationOf(name).form?.required ?? [];
      expect(required.length).toBeGreaterThan(0);
      const [lacking, missing] = await call(name, { form: { other: 'x' }, headers: basic() });
      expect([lacking, missing.status]).toEqual(['as promised', 400]);
      for (const field of required) expect(String(missing.body['detail'])).toContain(field);
      const [typed, json] = await call(name, { json: {}, headers: basic() });
      expect([typed, json.status]).toEqual(['as promised', 415]);
      const long = { [required[0] ?? '']: 'x'.repeat(300_000) };
      const [sized, large] = await call(name, { form: long, headers: basic() });
      expect([sized, large.status]).toEqual(['as promised', 413]);
    },
  );

  it.each(['code', 'refresh_token'])('oauth.token refuses a %s that was never issued', async (field) => {
    const grant_type = field === 'code' ? 'authorization_code' : field;
    const value = newId(field === 'code' ? 'oauth_auth_code' : 'oauth_refresh');
    const form = { grant_type, [field]: value, code_verifier: VERIFIER, redirect_uri: REDIRECT };
    const [fault, { status, body }] = await call('oauth.token', { form, headers: basic() });
    expect([fault, status, body['error']]).toEqual(['as promised', 400, 'invalid_grant']);
  });

  it('oauth.register stops an address after five, in the documented form', async () => {
    const json = { redirect_uris: [REDIRECT] };
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      const [fault, { status }] = await call('oauth.register', { json });
      expect(fault).toBe('as promised');
      statuses.push(status);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });

  it('oauth.userinfo takes no session', async () => {
    const made = await createRaw(world)('GET', '/v1/oauth/userinfo', {
      headers: { authorization: `Bearer ${cast.alice.token}` },
    });
    expect(operationOf('oauth.userinfo').faultOf(made)).toBeUndefined();
    expect(made.status).toBe(401);
  });
});
