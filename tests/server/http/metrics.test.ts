/** Who may read the metrics, and that they count. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#tests/support/world.ts';

const TOKEN = 'a-token-for-metrics';

describe('metrics', () => {
  let open: World;
  let closed: World;
  beforeAll(async () => {
    open = await createWorld();
    closed = await createWorld({ env: { METRICS_TOKEN: TOKEN } });
  });
  afterAll(() => Promise.all([open.close(), closed.close()]));

  const read = (world: World, headers: Record<string, string> = {}) =>
    fetch(`${world.url}/metrics`, { headers });

  it('are open to this machine when no token is set, but not to requests that a proxy passed on', async () => {
    expect((await read(open)).status).toBe(200);
    expect((await read(open, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(403);
  });

  it('open with the token alone when one is set', async () => {
    expect((await read(closed)).status).toBe(403);
    expect((await read(closed, { authorization: 'Bearer wrong' })).status).toBe(403);
    expect((await read(closed, { authorization: `Bearer ${TOKEN}` })).status).toBe(200);
  });

  it('count requests by method and class of status, without their paths', async () => {
    await fetch(`${open.url}/v1/secret-path`);
    const text = await (await read(open)).text();
    expect(text).toMatch(/^http_request_duration_seconds_count\{method="GET",status="4xx"\} [1-9]/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
    expect(text).not.toContain('secret-path');
  });
});
