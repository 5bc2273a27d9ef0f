/** A release on another machine: it is installed without what builds and tests it, and starts without building anything. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startServerProcess } from '#tests/support/server-process.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const machine = mkdtempSync(path.join(os.tmpdir(), 'loci-release-'));
const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--loglevel=error'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });

afterAll(() => rmSync(machine, { recursive: true, force: true }));

it('starts with what it declares, and serves the site, the application and the API', async () => {
  npm(ROOT, 'run', 'release');
  cpSync(path.join(ROOT, 'dist/loci'), machine, { recursive: true });
  npm(machine, 'ci', '--omit=dev', '--no-audit', '--no-fund');
  // Nothing to build, and nothing to build it with.
  npm(machine, 'run', 'prestart');
  const server = await startServerProcess({ root: machine });
  try {
    const pages = ['/', '/docs', '/login', '/og/docs.png', '/v1/openapi.json'];
    const answers = await Promise.all(
      pages.map(async (page) => [page, (await fetch(server.url + page)).status] as const),
    );
    expect(answers).toEqual(pages.map((page) => [page, 200]));
  } finally {
    await server.dispose();
  }
});
