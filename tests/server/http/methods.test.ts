/** Methods that an address does not have, what is served while the disk is nearly full, and where redirects lead. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { createCast } from '#tests/support/build.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { openWorld } from '#tests/support/world.ts';

await ensureBuilt();
const world = await openWorld({ web: true });
const cast = await createCast(world);

describe('a method that an address under /v1 does not have', () => {
  it.each([
    ['PATCH', '/v1/memories/search', 'POST'],
    ['GET', '/v1/memories/search', 'POST'],
    ['DELETE', '/v1/memories', 'POST'],
    ['GET', '/v1/auth/login', 'POST'],
    ['POST', '/v1/sync/poke', 'GET, HEAD'],
    ['GET', '/v1/sync/ws_0000/pull', 'POST'],
  ])('%s %s is refused with 405 and the methods it has', async (method, path, allowed) => {
    const answer = await cast.alice.raw(method, path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, `${allowed}, OPTIONS`]);
    expect(answer.json).toMatchObject({ success: false, error: { code: 'method_not_allowed' } });
  });

  it('is the same without a session', async () => {
    const answer = await fetch(`${world.url}/v1/memories/search`, { method: 'PUT' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it('is refused at every address of the table', async () => {
    const paths = new Set(Object.values(ENDPOINTS).map(({ path }) => path.replace(/\{\w+\}/g, 'x')));
    // The form of the landing site posts to the address of a page.
    paths.delete('/signup');
    for (const path of paths) {
      const answer = await fetch(`${world.url}${path}`, { method: 'PROPFIND' });
      expect([path, answer.status]).toEqual([path, 405]);
    }
  });

  it('leaves HEAD to GET, tells OPTIONS what there is, and unknown addresses are 404 for every method', async () => {
    const list = `/v1/memories/${cast.workspaceId}`;
    const head = await cast.alice.raw('HEAD', list);
    expect([head.status, head.text]).toEqual([200, '']);
    const options = await cast.alice.raw('OPTIONS', list);
    expect([options.status, options.headers.get('allow'), options.text]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
      '',
    ]);
    expect((await cast.alice.raw('PATCH', '/v1/nothing/here')).status).toBe(404);
  });
});

describe('a redirect', () => {
  /** Sends the path as it is; fetch would rewrite backslashes. */
  function rawRequest(method: string, path: string): Promise<{ status?: number; location?: string }> {
    const { port } = new URL(world.url);
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, path, agent: false }, (res) => {
        res.resume();
        const { statusCode: status, headers } = res;
        resolve({
          ...(status && { status }),
          ...(headers.location !== undefined && { location: headers.location }),
        });
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  it.each([
    ['POST', '/\\evil.example/spaces/p/x', '/%5Cevil.example/spaces/p/x?'],
    ['GET', '/Docs?next=\\\\evil.example', '/docs?next=%5C%5Cevil.example'],
    ['GET', '/docs/?\\', '/docs?%5C'],
  ])('of %s %s stays at our own origin and has no raw backslash', async (method, path, expected) => {
    const { status, location } = await rawRequest(method, path);
    expect(status).toBeGreaterThanOrEqual(300);
    expect(location).toMatch(/^\/(?![/\\])[^\\]*$/);
    expect(location?.startsWith(expected)).toBe(true);
  });
});
