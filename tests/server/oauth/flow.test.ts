/** Clients that do what the standards ask, with a library that refuses everything else from us: openid-client. */
import { sql } from 'kysely';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { isId } from '#shared/ids.ts';
import { createRaw, verifyAddress } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import {
  connect,
  decide,
  beginRequest,
  issuerOf,
  rawAs,
  registerClient,
  REDIRECT,
} from '#tests/support/oauth.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);
await verifyAddress(world, cast.alice);
await verifyAddress(world, cast.rita);
cast.alice.user.emailVerified = true;
const config = await registerClient(world);

describe('a connected app', () => {
  it('gets a code, tokens and an id token, and reads memories and userinfo', async () => {
    const { tokens, back } = await connect(config, cast.alice, { workspaceId: cast.workspaceId });
    expect(back.searchParams.get('iss')).toBe(issuerOf(world));
    expect(isId('oauth_auth_code', back.searchParams.get('code'))).toBe(true);
    expect(isId('oauth_token', tokens.access_token)).toBe(true);
    expect(isId('oauth_refresh', tokens.refresh_token)).toBe(true);
    expect(tokens.expires_in).toBe(3_600);
    expect(tokens.claims()).toMatchObject({ sub: cast.alice.user.id, iss: issuerOf(world) });
    const list = await rawAs(world, tokens.access_token)('GET', `/v1/memories/${cast.workspaceId}`);
    expect(list.status).toBe(200);
    const info = await client.fetchUserInfo(config, tokens.access_token, cast.alice.user.id);
    expect(info).toMatchObject({ sub: cast.alice.user.id, name: 'Member' });
    expect(info.email).toBeUndefined();
  });

  it('writes as the person, with the origin of the API', async () => {
    const { tokens } = await connect(config, cast.alice, { workspaceId: cast.workspaceId });
    const body = { workspaceId: cast.workspaceId, title: 'From an app' };
    const made = await rawAs(world, tokens.access_token)('POST', '/v1/memories', { body });
    expect(made.json?.result).toMatchObject({ origin: 'api', createdBy: cast.alice.user.id });
  });

  it('gets new tokens for its refresh token, which then is spent', async () => {
    const { tokens } = await connect(config, cast.alice, { workspaceId: cast.workspaceId });
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(next.access_token).not.toBe(tokens.access_token);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect((await rawAs(world, next.access_token)('GET', '/v1/auth/whoami')).status).toBe(403);
    expect((await rawAs(world, next.access_token)('GET', `/v1/memories/${cast.workspaceId}`)).status).toBe(
      200,
    );
  });

  it('learns which workspace and which spaces it was connected with', async () => {
    const { workspaceId, alice } = cast;
    const whole = await connect(config, alice, { workspaceId });
    expect(whole.tokens['workspace_id']).toBe(workspaceId);
    expect(whole.tokens).not.toHaveProperty('space_ids');
    const { id } = await createBuild(cast).space({ name: 'Chosen' });
    const { tokens } = await connect(config, alice, { workspaceId, spaceIds: [id] });
    const named = { workspace_id: workspaceId, space_ids: [id] };
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    const { access_token: token, refresh_token: refresh = '' } = refreshed;
    expect([tokens, refreshed]).toMatchObject([named, named]);
    expect(await client.fetchUserInfo(config, token, alice.user.id)).toMatchObject(named);
    for (const each of [token, refresh])
      expect(await client.tokenIntrospection(config, each)).toMatchObject({ active: true, ...named });
    const stranger = await registerClient(world);
    expect(await client.tokenIntrospection(stranger, token)).toEqual({ active: false });
    await client.tokenRevocation(config, refresh);
    expect(await client.tokenIntrospection(config, refresh)).toEqual({ active: false });
  });

  it('stays connected only when the person was asked for it', async () => {
    const extra = { scope: 'openid memories:read' };
    const { tokens } = await connect(config, cast.alice, { workspaceId: cast.workspaceId, extra });
    expect(tokens.refresh_token).toBeUndefined();
  });

  it('introspects and revokes its tokens', async () => {
    const { tokens } = await connect(config, cast.alice, { workspaceId: cast.workspaceId });
    const before = await client.tokenIntrospection(config, tokens.access_token);
    expect(before).toMatchObject({ active: true, scope: expect.stringContaining('memories:read') });
    await client.tokenRevocation(config, tokens.access_token);
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
    expect((await rawAs(world, tokens.access_token)('GET', `/v1/memories/${cast.workspaceId}`)).status).toBe(
      401,
    );
    await client.tokenRevocation(config, tokens.refresh_token ?? '');
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('is told of a refusal by the person', async () => {
    const request = await beginRequest(config);
    const back = await decide(cast.alice, request, { decision: 'deny' });
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: request.state,
      iss: issuerOf(world),
    });
  });

  it('can only read when the person chose so, and when the person can only read', async () => {
    const { tokens } = await connect(config, cast.alice, { workspaceId: cast.workspaceId, access: 'read' });
    expect(tokens.scope).toBe('openid profile offline_access memories:read');
    const body = { workspaceId: cast.workspaceId, title: 'No' };
    expect((await rawAs(world, tokens.access_token)('POST', '/v1/memories', { body })).status).toBe(403);
    const ritas = await connect(config, cast.rita, { workspaceId: cast.workspaceId });
    expect(ritas.tokens.scope).toBe('openid profile offline_access memories:read');
  });
});

describe('what is stored', () => {
  it('holds no value that was handed out', async () => {
    const { tokens, back } = await connect(config, cast.alice, { workspaceId: cast.workspaceId });
    const { rows } = await sql<{ text: string }>`
      select (select coalesce(json_agg(t), '[]')::text from "oauth_token" t)
        || (select coalesce(json_agg(r), '[]')::text from "oauth_refresh" r)
        || (select coalesce(json_agg(c), '[]')::text from "oauth_code" c)
        || (select coalesce(json_agg(g), '[]')::text from "oauth_grant" g)
        || (select coalesce(json_agg(l), '[]')::text from "oauth_client" l) as "text"`.execute(
      world.context.db,
    );
    const text = rows[0]?.text ?? '';
    expect(text).toContain('app.example');
    for (const value of [
      tokens.access_token,
      tokens.refresh_token,
      back.searchParams.get('code'),
      config.clientMetadata().client_secret,
    ]) {
      expect(value).toBeTypeOf('string');
      expect(text).not.toContain(value);
    }
  });
});

describe('documents of the provider', () => {
  it('are found in every place where clients look', async () => {
    const raw = createRaw(world);
    for (const path of [
      '/v1/.well-known/openid-configuration',
      '/v1/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/v1',
      '/.well-known/openid-configuration/v1',
      '/.well-known/oauth-authorization-server',
    ]) {
      const { status, json, headers } = await raw('GET', path, { headers: { host: 'evil.example' } });
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(json).toMatchObject({
        issuer: issuerOf(world),
        authorization_endpoint: `${issuerOf(world)}/oauth/authorize`,
        token_endpoint: `${issuerOf(world)}/oauth/token`,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['ES256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      });
    }
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/v1',
    ]) {
      expect((await raw('GET', path)).json).toMatchObject({
        resource: issuerOf(world),
        authorization_servers: [issuerOf(world)],
      });
    }
  });

  it('lead from a refused call to the provider', async () => {
    const { headers } = await createRaw(world)('GET', '/v1/auth/whoami');
    expect(headers.get('www-authenticate')).toContain(
      `resource_metadata="${world.context.config.appOrigin}/.well-known/oauth-protected-resource/v1"`,
    );
  });
});

describe('the request of a browser', () => {
  it('goes on to the page of its client, and nothing of the provider reaches it', async () => {
    const { url } = await beginRequest(config);
    const answer = await fetch(`${world.url}/v1/oauth/authorize${url.search}`, { redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`/oauth/${config.clientMetadata().client_id}${url.search}`);
    expect(answer.headers.get('set-cookie')).toBeNull();
    const form = await fetch(`${world.url}/v1/oauth/authorize`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(url.search),
    });
    expect(form.headers.get('location')).toBe(`/oauth/${config.clientMetadata().client_id}${url.search}`);
  });

  it('is described to the person', async () => {
    const { url } = await beginRequest(config);
    const body = Object.fromEntries(url.searchParams);
    const { result } = await cast.bob.api('oauth.check', { body });
    expect(result).toMatchObject({
      client: { name: 'Test app', verified: false },
      redirectTarget: new URL(REDIRECT).host,
      previous: null,
    });
    expect('scopes' in result && result.scopes.map(({ id }) => id)).toEqual(
      'openid profile offline_access memories:read memories:write'.split(' '),
    );
  });
});

describe('a token for chosen spaces', () => {
  it('sees what is in them and nothing else', async () => {
    const build = createBuild(cast);
    const [open, closed] = [await build.space({ name: 'Open' }), await build.space({ name: 'Closed' })];
    const inside = await build.memory({ title: 'Inside lantern', tags: ['inner'] });
    const outside = await build.memory({ title: 'Outside lantern', tags: ['outer'] });
    await build.link(open.id, inside.id);
    await build.link(closed.id, outside.id);
    await build.link(closed.id, inside.id);
    const extra = { scope: 'memories:read memories:write spaces:read spaces:write search:read threads:read' };
    const { tokens } = await connect(config, cast.alice, {
      workspaceId: cast.workspaceId,
      spaceIds: [open.id],
      extra,
    });
    expect(tokens.scope).toBe('memories:read memories:write spaces:read spaces:write search:read');
    const raw = rawAs(world, tokens.access_token);
    const { workspaceId } = cast;
    const titles = (rows: unknown) => (rows as { title: string }[]).map(({ title }) => title);
    const list = await raw('GET', `/v1/memories/${workspaceId}`);
    expect([titles(list.json?.result), list.json?.meta?.['total']]).toEqual([['Inside lantern'], 1]);
    const spaces = await raw('GET', `/v1/spaces/${workspaceId}`);
    expect(spaces.json?.result).toMatchObject([{ id: open.id }]);
    expect(spaces.json?.meta?.['total']).toBe(1);
    const tags = await raw('GET', `/v1/tags/${workspaceId}`);
    expect(tags.json?.result).toEqual([{ tag: 'inner', count: 1 }]);
    for (const query of ['lantern', 'outside', 'space:closed lantern', '-inside lantern']) {
      const found = await raw('POST', '/v1/memories/search', { body: { workspaceId, query } });
      expect([query, found.status]).toEqual([query, 200]);
      const total = query === 'lantern' ? 1 : 0;
      expect([query, titles(found.json?.result).length, found.json?.meta?.['total']]).toEqual([
        query,
        total,
        total,
      ]);
    }
    const links = await raw('GET', `/v1/space_memories/${workspaceId}`);
    expect(links.json?.result).toMatchObject([{ spaceId: open.id, memoryId: inside.id }]);
    const random = await raw('GET', `/v1/memories/random/${workspaceId}`);
    expect(titles(random.json?.result)).toEqual(['Inside lantern']);
    for (const [method, path, body] of [
      ['GET', `/v1/memories/${workspaceId}/${outside.id}`, undefined],
      ['PATCH', `/v1/memories/${workspaceId}/${outside.id}`, { title: 'Mine now' }],
      ['DELETE', `/v1/memories/${workspaceId}/${outside.id}`, undefined],
      ['GET', `/v1/spaces/${workspaceId}/${closed.id}`, undefined],
      ['PATCH', `/v1/spaces/${workspaceId}/${closed.id}`, { name: 'Mine now' }],
      ['POST', '/v1/space_memories', { workspaceId, spaceId: open.id, memoryId: outside.id }],
      ['POST', '/v1/space_memories', { workspaceId, spaceId: closed.id, memoryId: inside.id }],
    ] as const) {
      const { status } = await raw(method, path, body === undefined ? {} : { body });
      expect([method, path, status]).toEqual([method, path, 404]);
    }
    const threads = await raw('GET', `/v1/threads/${workspaceId}`);
    expect(threads.status).toBe(403);
    const outsideOfSpaces = await raw('POST', '/v1/memories', { body: { workspaceId, title: 'Nowhere' } });
    expect([outsideOfSpaces.status, outsideOfSpaces.json?.error?.detail]).toEqual([
      403,
      'This key or token is limited to chosen spaces; name one of them as spaceId',
    ]);
    const elsewhere = { workspaceId, title: 'Elsewhere', spaceId: closed.id };
    expect((await raw('POST', '/v1/memories', { body: elsewhere })).status).toBe(404);
    const there = { workspaceId, title: 'There', spaceId: open.id };
    expect((await raw('POST', '/v1/memories', { body: there })).status).toBe(201);
    const space = { workspaceId, name: 'One more', description: null };
    expect((await raw('POST', '/v1/spaces', { body: space })).status).toBe(403);
    const changed = await raw('PATCH', `/v1/memories/${workspaceId}/${inside.id}`, {
      body: { title: 'Lit lantern' },
    });
    expect(changed.status).toBe(200);
  });
});
