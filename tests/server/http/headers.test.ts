/**
 * Headers that clients of the API live by: the request's id, what is left of a limit, what is wrong with a token, and what
 * scripts of other origins may send and read.
 */
import { describe, expect, it } from 'vitest';
import { createRaw } from '#tests/support/agent.ts';
import { createCast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld({ env: { CORS_ORIGINS: 'https://tool.example, https://other.example' } });
const cast = await createCast(world);

it('every answer has an id of its own', async () => {
  const anyone = createRaw(world);
  const answers = [
    await anyone('GET', '/v1/visibilities'),
    await anyone('GET', '/v1/auth/whoami', { headers: { 'x-request-id': 'mine' } }),
    await anyone('POST', '/v1/memories', { body: '{' }),
    await anyone('GET', '/v1/nothing'),
  ];
  const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '');
  for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/);
  expect(new Set(ids).size).toBe(answers.length);
});

describe('limits', () => {
  it('are told in the fields of the draft and of its early versions', async () => {
    const { headers } = await cast.alice.raw('GET', `/v1/memories/${cast.workspaceId}`);
    expect(headers.get('ratelimit-policy')).toBe('"read";q=1000;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"read";r=99\d;t=(?:60|[1-5]?\d)$/);
    expect(headers.get('ratelimit-limit')).toBe('1000');
    expect(headers.get('ratelimit-remaining')).toMatch(/^99\d$/);
    expect(headers.get('ratelimit-reset')).toMatch(/^(?:60|[1-5]?\d)$/);
  });

  it('that are used up are told with the time to wait', async () => {
    const report = () =>
      createRaw(world)('POST', '/v1/public/spaces/report', {
        body: { workspaceId: cast.workspaceId, id: 'spc_'.concat('a'.repeat(24)), reason: 'spam' },
      });
    for (let n = 0; n < 5; n += 1) expect((await report()).status).toBe(200);
    const { status, headers } = await report();
    expect(status).toBe(429);
    expect(headers.get('ratelimit-policy')).toBe('"report";q=5;w=3600');
    expect(headers.get('ratelimit')).toMatch(/^"report";r=0;t=\d+$/);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('WWW-Authenticate', () => {
  const metadata = 'resource_metadata="http://localhost:4000/.well-known/oauth-protected-resource/v1"';

  it('names the scopes that a call needs when a key lacks one', async () => {
    const { raw } = await createKey(world, cast.alice, {
      workspaceId: cast.workspaceId,
      scopes: ['spaces:read', 'profile'],
    });
    const list = await raw('GET', `/v1/memories/${cast.workspaceId}`);
    expect([list.status, list.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="memories:read", ${metadata}`,
    ]);
    const self = await raw('GET', '/v1/auth/whoami');
    expect(self.headers.get('www-authenticate')).toContain('scope="profile email"');
    const foreign = await raw('GET', `/v1/spaces/${cast.evesWorkspaceId}`);
    expect([foreign.status, foreign.headers.get('www-authenticate')]).toEqual([403, null]);
  });

  it('says whether a token is missing or wrong', async () => {
    const without = await createRaw(world)('GET', '/v1/auth/whoami');
    expect(without.headers.get('www-authenticate')).toBe(`Bearer ${metadata}`);
    const wrong = await createRaw(world, 'x'.repeat(40))('GET', '/v1/auth/whoami');
    expect(wrong.headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", ${metadata}`);
  });
});

describe('scripts of other origins', () => {
  const preflight = (origin: string) =>
    createRaw(world)('OPTIONS', `/v1/memories/${cast.workspaceId}`, {
      headers: {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,if-match,idempotency-key,x-upload',
      },
    });

  it.each(['https://tool.example', 'https://other.example', 'moz-extension://3f2a-b1'])(
    'may send what clients need from %s, and never cookies',
    async (origin) => {
      const { status, headers } = await preflight(origin);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
      const allowed = headers.get('access-control-allow-headers')?.split(', ') ?? [];
      for (const name of ['authorization', 'content-type', 'if-match', 'idempotency-key', 'x-upload'])
        expect(allowed).toContain(name);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toContain('Origin');
    },
  );

  it('may read what answers tell in headers, also of failures', async () => {
    for (const path of ['/v1/visibilities', '/v1/auth/whoami']) {
      const { headers } = await createRaw(world)('GET', path, {
        headers: { origin: 'https://tool.example' },
      });
      const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? [];
      for (const name of ['etag', 'ratelimit', 'retry-after', 'www-authenticate', 'x-request-id'])
        expect([path, exposed]).toEqual([path, expect.arrayContaining([name])]);
    }
  });

  it.each(['https://evil.example', 'null', 'https://tool.example.evil.example', 'http://tool.example'])(
    'of %s are refused',
    async (origin) => {
      expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull();
    },
  );
});
