/**
 * The client package as others get it: packed, installed into a folder that knows nothing of this repository, type-checked
 * there, and its command line run against a real server.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { entriesOf } from '#tests/support/workspace-export.ts';
import { createWorld, type World } from '#tests/support/world.ts';
import { zipOf } from '#tests/support/zip.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const exec = promisify(execFile);

let world: World;
let cast: Cast;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  world = await createWorld({ jobs: true });
  cast = await createCast(world);
  folder = mkdtempSync(path.join(os.tmpdir(), 'loci-client-'));
  const { secret } = await createKey(world, cast.alice, {
    workspaceId: cast.workspaceId,
    scopes: ['memories:read', 'memories:write', 'search:read', 'workspaces:read'],
  });
  env = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CONFIG_HOME: folder, LOCI_KEY: secret };
  await exec(process.execPath, [path.join(ROOT, 'server/api-client/build.ts')]);
  const packed = await exec('npm', ['pack', '--silent', path.join(ROOT, 'dist/api-client')], { cwd: folder });
  writeFileSync(path.join(folder, 'package.json'), '{"name":"elsewhere","type":"module","private":true}');
  const archive = packed.stdout.trim().split('\n').at(-1) ?? '';
  await exec('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', `./${archive}`], {
    cwd: folder,
  });
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

async function loci(args: string[], more: Record<string, string> = {}) {
  const bin = path.join(folder, 'node_modules/.bin/loci');
  try {
    const { stdout, stderr } = await exec(bin, args, { cwd: folder, env: { ...env, ...more } });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr }: { code: number; stdout: string; stderr: string } = Object(error);
    return { code, stdout, stderr };
  }
}

it('logs in and stores the key for its owner alone', async () => {
  expect((await loci(['save', 'too early'], { LOCI_KEY: '' })).code).toBe(2);
  const { stdout, code } = await loci(['login', world.url]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Signed in to Acme/)]);
  expect(statSync(path.join(folder, 'loci/config.json')).mode & 0o777).toBe(0o600);
  const wrong = await loci(['login', world.url], { LOCI_KEY: `sk_${'a'.repeat(64)}` });
  expect([wrong.code, wrong.stderr]).toEqual([1, '401 Unauthorized: This API key is not valid\n']);
});

it('saves links and notes, and finds them', async () => {
  const link = await loci(['save', 'https://example.com/tides', '--title', 'Tide tables', '--tag', 'sea']);
  expect([link.code, link.stdout]).toEqual([0, expect.stringMatching(/^Saved mem_/)]);
  expect((await loci(['save', 'https://example.com/tides'])).stdout).toMatch(/^Saved before mem_/);
  expect((await loci(['save', 'High', 'water', 'at', 'nine'])).code).toBe(0);
  const { stdout } = await loci(['search', 'tide']);
  expect(stdout).toContain('Tide tables');
  const found: { url: string; tags: string[] }[] = JSON.parse(
    (await loci(['search', 'tide', '--json'])).stdout,
  );
  expect(found[0]).toMatchObject({ url: 'https://example.com/tides', tags: ['sea'] });
});

it('imports an archive, and exports every memory with its whole text', async () => {
  const archive = path.join(folder, 'notes.zip');
  writeFileSync(archive, await zipOf([{ path: 'Harbour.md', bytes: '# Harbour\n\nDeep at low water.' }]));
  const imported = await loci(['import', archive]);
  expect([imported.code, imported.stdout]).toEqual([0, 'Imported 1, updated 0\n']);
  const long = 'A long line about the tide.\n'.repeat(400);
  await createBuild(cast).memory({ title: 'Long / note', notes: long });
  const out = path.join(folder, 'out');
  const { stdout } = await loci(['export', out]);
  const { meta } = await cast.alice.api('memory.list', { params: { workspaceId: cast.workspaceId } });
  const files = readdirSync(out);
  expect([files.length, stdout]).toEqual([
    Number(meta['total']),
    `Wrote ${String(meta['total'])} memories to ${out}\n`,
  ]);
  const texts = files.map((name) => readFileSync(path.join(out, name), 'utf8'));
  expect(texts.some((text) => text.includes('Deep at low water.'))).toBe(true);
  expect(texts.find((text) => text.includes('Long / note'))).toContain(long);
});

it('downloads the workspace as one archive, which comes in again', async () => {
  const archive = path.join(folder, 'workspace.zip');
  const { code, stdout } = await loci(['export', archive, '--without-files']);
  expect([code, stdout]).toEqual([0, `Wrote ${archive}\n`]);
  expect(readdirSync(folder)).not.toContain('workspace.zip.part');
  const entries = await entriesOf(readFileSync(archive));
  expect(entries.has('loci.json')).toBe(true);
  const imported = await loci(['import', archive]);
  expect([imported.code, imported.stdout]).toEqual([0, 'Imported 0, updated 0\n']);
  expect((await loci(['export'])).code).toBe(2);
});

it('says what is wrong, and how it is used', async () => {
  expect((await loci(['dance'])).code).toBe(2);
  expect((await loci([])).stderr).toContain('Usage: loci');
  const refused = await loci(['search', 'x'], { LOCI_WORKSPACE: cast.evesWorkspaceId });
  expect([refused.code, refused.stderr]).toEqual([
    1,
    '403 Forbidden: You are not a member of this workspace\n',
  ]);
});

it('has types that refuse a wrong call, in a project of its own', async () => {
  const check = async (source: string) => {
    writeFileSync(path.join(folder, 'use.ts'), source);
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--lib',
      'es2024,dom',
      'use.ts',
    ];
    return exec(process.execPath, [tsc, ...options], { cwd: folder }).then(
      () => '',
      (error: unknown) => String(Object(error).stdout),
    );
  };
  const begin =
    "import { createClient } from '@loci/api-client';\nconst loci = createClient({ url: 'https://x.example' });\n";
  const right = `${begin}const { result, meta } = await loci('memory.list', { params: { workspaceId: 'ws_x' }, query: { perPage: 5 } });
const titles: (string | null)[] = result.map((row) => row.title);\nconst total: number = meta.total;\nawait loci('scope.list');`;
  expect(await check(right)).toBe('');
  expect(await check(`${begin}await loci('memory.lost', {});`)).toContain('error TS');
  expect(await check(`${begin}await loci('memory.get', { params: { workspaceId: 'ws_x' } });`)).toContain(
    'TS2741',
  );
  expect(await check(`${begin}(await loci('scope.list')).result.nothing;`)).toContain('error TS');
});
