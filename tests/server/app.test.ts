/** The ground floor of HTTP: every answer is JSON of the house, carries its headers, and no input is a fault of ours. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#tests/support/world.ts';

describe('the app', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${world.url}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });

  it('is healthy and ready', async () => {
    const health = await fetch(`${world.url}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok', lagMs: expect.any(Number) }]);
    const ready = await fetch(`${world.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', checks: { database: true, migrations: true, disk: true, accepting: true } },
    ]);
  });

  it('answers unknown addresses of the API with a JSON 404', async () => {
    const response = await fetch(`${world.url}/v1/nothing-here`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      success: false,
      error: { message: 'Not found', detail: expect.stringContaining('nothing-here'), code: 'not_found' },
    });
  });

  it('sends the security headers and a request id, and does not name its software', async () => {
    const { headers } = await fetch(`${world.url}/v1/nothing-here`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('strict-transport-security')).toBeNull();
  });

  it.each([
    ['malformed percent-encoding', () => fetch(`${world.url}/v1/%E0%A4%A`), 400, 'bad_request'],
    ['broken JSON', () => post('/v1/x', '{"a":'), 400, 'bad_request'],
    ['a body over 1 MB', () => post('/v1/x', JSON.stringify('x'.repeat(1024 * 1024))), 413, 'too_large'],
    [
      'a small body that inflates to 50 MB',
      () => post('/v1/x', gzipSync(Buffer.alloc(50_000_000, 32)), { 'content-encoding': 'gzip' }),
      413,
      'too_large',
    ],
    [
      'an unknown character set',
      () => post('/v1/x', '{}', { 'content-type': 'application/json; charset=koi8-x' }),
      415,
      'unsupported_media',
    ],
    ['nesting without end', () => post('/v1/x', '['.repeat(49_000) + ']'.repeat(49_000)), 400, 'bad_request'],
  ])('answers %s with JSON, not with a page or a fault', async (_name, send, status, code) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ success: false, error: { code } });
  });

  it('takes a sync body of 1.5 MB, which elsewhere is too large', async () => {
    const body = JSON.stringify('x'.repeat(1_500_000));
    expect((await post('/v1/sync/x/unknown', body)).status).toBe(404);
    expect((await post('/v1/unknown', body)).status).toBe(413);
  });
});

describe('an app whose database is gone', () => {
  it('says so in readiness and stays alive', async () => {
    const world = await createWorld();
    try {
      await world.database.drop();
      const ready = await fetch(`${world.url}/readyz`);
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({ checks: { database: false } });
      expect((await fetch(`${world.url}/healthz`)).status).toBe(200);
    } finally {
      await world.close();
    }
  });
});
