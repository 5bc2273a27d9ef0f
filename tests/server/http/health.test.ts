/** A disk that is nearly full stops writes and nothing else; readiness tells. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHealth, MIN_FREE_BYTES } from '#server/http/health.ts';
import { createWorld, type World } from '#tests/support/world.ts';

describe('health', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  /** An app with nothing but health on a disk of our choice. */
  async function withDisk(freeBytes: number, run: (url: string) => Promise<void>): Promise<void> {
    const health = createHealth(world.context, async () => freeBytes);
    const app = express().use(health.routes, health.refuseWritesWhenFull);
    app.all('/*path', (_req, res) => void res.json({ success: true }));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    try {
      await run(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }

  it('refuses writes with 503 and a time to retry while reads go on, when under 512 MB are free', async () => {
    expect(MIN_FREE_BYTES).toBe(536_870_912);
    await withDisk(MIN_FREE_BYTES - 1, async (url) => {
      expect((await fetch(`${url}/thing`)).status).toBe(200);
      const write = await fetch(`${url}/thing`, { method: 'POST' });
      expect([write.status, write.headers.get('retry-after')]).toEqual([503, '60']);
      expect(await write.json()).toMatchObject({ success: false, error: { code: 'unavailable' } });
      const ready = await fetch(`${url}/readyz`);
      expect([ready.status, await ready.json()]).toMatchObject([
        503,
        { checks: { disk: false, database: true } },
      ]);
    });
  });

  it('lets people read, search, pull and sign out while the disk is nearly full', async () => {
    await withDisk(0, async (url) => {
      const send = async (path: string) => (await fetch(`${url}${path}`, { method: 'POST' })).status;
      const served = ['memories/search', 'spaces/search', 'threads/search', 'sync/ws_1/pull', 'auth/logout'];
      for (const path of served) expect([path, await send(`/v1/${path}`)]).toEqual([path, 200]);
      for (const path of ['memories', 'sync/ws_1/push', 'imports'])
        expect([path, await send(`/v1/${path}`)]).toEqual([path, 503]);
    });
  });

  it('lets writes pass with room to spare', async () => {
    await withDisk(MIN_FREE_BYTES, async (url) => {
      expect((await fetch(`${url}/thing`, { method: 'POST' })).status).toBe(200);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    });
  });

  it('counts a disk that cannot be asked as not ready, and stays alive', async () => {
    await withDisk(Number.NaN, async (url) => {
      expect((await fetch(`${url}/readyz`)).status).toBe(503);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    });
  });
});
