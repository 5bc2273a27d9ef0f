/**
 * The scenarios of the official conformance suite for servers. The suite knows no tokens, so it speaks to a door beside
 * the server that adds a key. Scenarios that ask for features of a demonstration server are listed with their reason in
 * tests/fixtures/mcp-conformance.yml; the suite fails when one of them begins to pass.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { createCast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { installTools } from '#tests/support/tools.ts';
import { openWorld } from '#tests/support/world.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const SUITE = path.join(installTools(), '@modelcontextprotocol/conformance/dist/index.js');
const BASELINE = path.join(ROOT, 'tests/fixtures/mcp-conformance.yml');

const world = await openWorld();
const cast = await createCast(world);
const { secret } = await createKey(world, cast.alice, {
  workspaceId: cast.workspaceId,
  scopes: ['memories:read', 'memories:write', 'spaces:read', 'spaces:write', 'search:read', 'threads:read'],
});
const door = createServer((incoming, answer) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${secret}` };
  const { port } = new URL(world.url);
  const onward = request(
    { host: '127.0.0.1', port, path: '/mcp', method: incoming.method, headers },
    (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    },
  );
  incoming.pipe(onward);
});
door.listen(0, '127.0.0.1');
await once(door, 'listening');
const bound = door.address();
if (bound === null || typeof bound === 'string') throw new Error('the door has no port');
const address = `http://127.0.0.1:${bound.port}/mcp`;
afterAll(async () => {
  door.close();
  door.closeAllConnections();
});

it('every scenario that applies passes', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loci-conformance-'));
  const run = spawn(
    process.execPath,
    [SUITE, 'server', '--url', address, '--suite', 'all', '--expected-failures', BASELINE],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [out, errors, [code]] = await Promise.all([text(run.stdout), text(run.stderr), once(run, 'close')]);
  rmSync(folder, { recursive: true, force: true });
  expect([code, code === 0 ? '' : `${out}\n${errors}`]).toEqual([0, '']);
});
