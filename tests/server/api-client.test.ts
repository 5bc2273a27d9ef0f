/**
 * The client package as others get it: packed, installed into a folder that knows nothing of this repository, type-checked
 * there, and its command line run against a real server.
 */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { itLong } from '#tests/support/long-test.ts';
import { decide } from '#tests/support/oauth.ts';
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
    scopes: [
      'memories:read',
      'memories:write',
      'messages:write',
      'search:read',
      'spaces:read',
      'threads:read',
      'threads:write',
      'workspaces:read',
    ],
  });
  env = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CONFIG_HOME: folder, LOCI_KEY: secret };
  const dist = path.join(ROOT, 'dist/api-client');
  await exec(process.execPath, [path.join(ROOT, 'server/api-client/build.ts')]);
  writeFileSync(path.join(folder, 'package.json'), '{"name":"elsewhere","type":"module","private":true}');
  // Packs it first, as a registry would have it, because of `--install-links`.
  await exec(
    'npm',
    ['install', '--silent', '--offline', '--no-audit', '--no-fund', '--install-links', dist],
    { cwd: folder },
  );
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * What comes of these command lines in one process, each of which runs the program's own file anew: a start of Node takes
 * longer than what only prints.
 */
async function runTogether(lines: readonly (readonly string[])[]): Promise<Ended[]> {
  writeFileSync(path.join(folder, 'lines.json'), JSON.stringify(lines));
  writeFileSync(path.join(folder, 'run-lines.mjs'), LINES_RUNNER);
  const { stdout } = await exec(process.execPath, ['run-lines.mjs'], { cwd: folder, env });
  const ended: Ended[] = JSON.parse(stdout);
  return ended;
}

const LINES_RUNNER = `
import { readFileSync } from 'node:fs';
const print = process.stdout.write.bind(process.stdout);
// Each run watches the output.
process.stdout.setMaxListeners(0);
const ended = [];
let current;
process.stdout.write = (text) => { current.stdout += text; return true; };
process.stderr.write = (text) => { current.stderr += text; return true; };
for (const [index, args] of JSON.parse(readFileSync('lines.json', 'utf8')).entries()) {
  current = { code: 0, stdout: '', stderr: '' };
  process.argv = [...process.argv.slice(0, 2), ...args];
  process.exitCode = undefined;
  await import('./node_modules/@loci/api-client/loci.js?line=' + index);
  ended.push({ ...current, code: process.exitCode });
}
process.exitCode = 0;
print(JSON.stringify(ended));
`;

async function loci(args: string[], more: Record<string, string> = {}, input = ''): Promise<Ended> {
  const bin = path.join(folder, 'node_modules/.bin/loci');
  try {
    const running = exec(bin, args, { cwd: folder, env: { ...env, ...more } });
    running.child.stdin?.end(input);
    const { stdout, stderr } = await running;
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
  const { LOCI_KEY = '' } = env;
  expect((await loci(['login', world.url, '--key'], { LOCI_KEY: '' }, `${LOCI_KEY}\n`)).code).toBe(0);
  const elsewhere = await loci(['list'], { LOCI_KEY: '', LOCI_URL: 'http://127.0.0.1:9' });
  expect([elsewhere.code, elsewhere.stderr]).toEqual([
    2,
    'Run loci login http://127.0.0.1:9 first. See loci list --help\n',
  ]);
  const wrong = await loci(['login', world.url], { LOCI_KEY: `sk_${'a'.repeat(64)}` });
  expect([wrong.code, wrong.stderr]).toEqual([1, '401 Unauthorized: This API key is not valid\n']);
});

it('signs in with a browser, renews its token, and says when the sign-in has ended', async () => {
  const home = path.join(folder, 'by-browser');
  const opened = path.join(home, 'opened');
  mkdirSync(home);
  for (const name of ['xdg-open', 'open'])
    writeFileSync(path.join(home, name), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`, { mode: 0o755 });
  const own = { LOCI_KEY: '', XDG_CONFIG_HOME: home, PATH: `${home}:${env['PATH'] ?? ''}` };
  const running = loci(['login', world.url], own);
  await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toContain('code_challenge=');
  const url = new URL(readFileSync(opened, 'utf8'));
  expect(url.origin).toBe(world.url);
  const back = await decide(cast.alice, { url }, { workspaceId: cast.workspaceId });
  const forged = new URL(back);
  forged.searchParams.set('state', 'another');
  expect((await fetch(forged)).status).toBe(404);
  expect(await (await fetch(back)).text()).toContain('You are signed in.');
  expect(await running).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Signed in to Acme/) });

  const file = path.join(home, 'loci/config.json');
  const stored = () => JSON.parse(readFileSync(file, 'utf8'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await loci(['list'], { ...own, LOCI_KEY: '' })).code).toBe(0);
  const { tokens: first, ...rest } = stored();
  writeFileSync(file, JSON.stringify({ ...rest, tokens: { ...first, expires: 0 } }));
  expect((await loci(['list'], own)).code).toBe(0);
  const { tokens: second } = stored();
  expect(second).toMatchObject({ clientId: first.clientId });
  expect([second.access, second.refresh]).not.toEqual([first.access, first.refresh]);

  writeFileSync(file, JSON.stringify({ ...rest, tokens: { ...second, refresh: 'gone', expires: 0 } }));
  const ended = await loci(['list'], own);
  expect([ended.code, ended.stderr]).toEqual([1, `The sign-in has ended: loci login ${world.url}\n`]);
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

itLong('saves files and standard input, and prints texts', async () => {
  const idIn = ({ stdout }: { stdout: string }) => /mem_\w+/.exec(stdout)?.[0] ?? stdout;
  writeFileSync(path.join(folder, 'Pilot.md'), '# Pilot\n\nTake a pilot at the bar.\n');
  const file = await loci(['save', 'Pilot.md', '--tag', 'harbour']);
  expect(file.stderr).toBe('');
  const text = await loci(['get', idIn(file)]);
  expect(text.stdout).toContain('Take a pilot at the bar.');
  const { stdout: whole } = await loci(['get', idIn(file), '--json']);
  expect(JSON.parse(whole)).toMatchObject({ id: idIn(file), tags: ['harbour'], filename: 'Pilot.md' });
  const note = await loci(['save', '-', '--title', 'From a pipe'], {}, 'Two anchors.\n');
  expect((await loci(['get', idIn(note)])).stdout).toBe('Two anchors.\n\n');
  expect((await loci(['save', '-'], {}, ' \n')).code).toBe(2);
  expect((await loci(['save', 'node_modules'])).stderr).toContain('node_modules is a folder');
});

itLong('lists every memory through all pages, and those of a space, a tag or a type', async () => {
  const files = Array.from({ length: 120 }, (_, index) => ({
    path: `Log ${index}.md`,
    bytes: `---\ntags: [logbook]\n---\n\nDay ${index} at sea.`,
  }));
  writeFileSync(path.join(folder, 'log.zip'), await zipOf(files));
  expect((await loci(['import', 'log.zip'])).stdout).toContain('Imported 120,');
  const rowsOf = ({ stdout }: { stdout: string }) => stdout.trim().split('\n').filter(Boolean);
  const tagged = rowsOf(await loci(['list', '--tag', 'logbook']));
  expect(new Set(tagged).size).toBe(120);
  const { meta } = await cast.alice.api('memory.list', { params: { workspaceId: cast.workspaceId } });
  expect(rowsOf(await loci(['list']))).toHaveLength(Number(meta['total']));
  const links: { type: string }[] = JSON.parse((await loci(['list', '--type', 'link', '--json'])).stdout);
  expect(new Set(links.map(({ type }) => type))).toEqual(new Set(['link']));

  const space = await createBuild(cast).space({ name: 'Soundings' });
  const saved = await loci(['save', 'Nine fathoms', '--space', space.slug]);
  expect(rowsOf(await loci(['list', '--space', space.slug]))).toEqual([
    expect.stringContaining(saved.stdout.trim().split(' ').at(-1) ?? ''),
  ]);
  const unknown = await loci(['list', '--space', 'no-such-space']);
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    'There is no space no-such-space. See loci list --help\n',
  ]);
});

itLong('prints an answer with its sources', async () => {
  await createBuild(cast).memory({
    title: 'Lock times',
    notes: 'The lock opens two hours before high water.',
  });
  const { code, stdout } = await loci(['ask', 'When does the lock open?']);
  expect(code).toBe(0);
  expect(stdout).toContain('two hours before high water');
  expect(stdout).toMatch(/\n\[1\] Lock times {2}mem_\w+\n/);
  const { sources } = JSON.parse((await loci(['ask', 'When does the lock open?', '--json'])).stdout);
  expect(sources[0]).toMatchObject({ title: 'Lock times' });
});

itLong('imports an archive, and exports every memory with its whole text', async () => {
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

itLong('downloads the workspace as one archive, which comes in again', async () => {
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
  const help = await loci(['--help']);
  const commands = [...help.stdout.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name);
  expect(commands).toEqual(['login', 'save', 'ask', 'search', 'list', 'get', 'listen', 'import', 'export']);
  const misused = [
    [['dance'], 'There is no command dance. See loci --help'],
    [['search', 'x', '--nope'], "Unknown option '--nope'. See loci search --help"],
    [['get'], 'ID is missing. See loci get --help'],
    [['list', 'all'], 'Unexpected argument all. See loci list --help'],
  ] as const;
  const ended = await runTogether([
    [],
    ...commands.flatMap((name) => [
      [name, '--help'],
      [name, '--version'],
    ]),
    ...misused.map(([args]) => args),
  ]);
  expect(ended).toEqual([
    { code: 0, stdout: help.stdout, stderr: '' },
    ...commands.flatMap((name) => [
      { code: 0, stdout: expect.stringContaining(`Usage: loci ${name}`), stderr: '' },
      { code: 0, stdout: '1.0.0\n', stderr: '' },
    ]),
    ...misused.map(([, words]) => ({ code: 2, stdout: '', stderr: `${words}\n` })),
  ]);
  expect(help.stdout).toContain('Usage: loci');
  // The code is that of the process, too.
  expect(await loci(['get'])).toEqual(ended.at(-2));
  const noFile = await loci(['import', 'nothing.zip']);
  expect([noFile.code, noFile.stderr]).toEqual([1, 'There is no file nothing.zip\n']);
  const nobody = await loci(['list'], { LOCI_URL: 'http://127.0.0.1:9' });
  expect([nobody.code, nobody.stderr]).toEqual([
    1,
    expect.stringMatching(/^The server cannot be reached: .+\n$/),
  ]);
  const refused = await loci(['search', 'x'], { LOCI_WORKSPACE: cast.evesWorkspaceId });
  expect([refused.code, refused.stderr]).toEqual([
    1,
    '403 Forbidden: You are not a member of this workspace\n',
  ]);
});

it('has types that refuse a wrong call, in a project of its own', async () => {
  const begin =
    "import { createClient } from '@loci/api-client';\nconst loci = createClient({ url: 'https://x.example' });\n";
  const right = `${begin}const { result, meta } = await loci('memory.list', { params: { workspaceId: 'ws_x' }, query: { perPage: 5 } });
const rows: import('@loci/api-client').Memory[] = result;\nconst titles: (string | null)[] = rows.map((row) => row.title);\nconst total: number = meta.total;\nawait loci('scope.list');`;
  const sources = {
    'right.ts': right,
    'no-such-call.ts': `${begin}await loci('memory.lost', {});`,
    'no-id.ts': `${begin}await loci('memory.get', { params: { workspaceId: 'ws_x' } });`,
    'no-such-field.ts': `${begin}(await loci('scope.list')).result.nothing;`,
  };
  for (const [name, source] of Object.entries(sources)) writeFileSync(path.join(folder, name), source);
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom'];
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  // Modules do not see each other, so one run checks each as if it were alone.
  const output = await exec(process.execPath, [tsc, '--noEmit', ...options, ...Object.keys(sources)], {
    cwd: folder,
  }).then(
    ({ stdout }) => stdout,
    (error: unknown) => String(Object(error).stdout),
  );
  const faults = output.split('\n').filter((line) => line.includes('error TS'));
  const faultsOf = (name: string) => faults.filter((line) => line.startsWith(`${name}(`));
  expect(faults.filter((line) => !/^no-[\w-]+\.ts\(/.test(line))).toEqual([]);
  expect(faultsOf('no-such-call.ts')).not.toEqual([]);
  expect(faultsOf('no-id.ts')).toEqual([expect.stringContaining('error TS2741')]);
  expect(faultsOf('no-such-field.ts')).not.toEqual([]);
  const types = readFileSync(path.join(folder, 'node_modules/@loci/api-client/index.d.ts'), 'utf8');
  expect(types).toMatch(/\/\*\* Home space; .+ \*\/\n +spaceId\?: string \| null;/);
});

itLong('prints changes as they happen until it is stopped', async () => {
  const bin = path.join(folder, 'node_modules/.bin/loci');
  const running = execFile(bin, ['listen'], { cwd: folder, env: { ...env, LOCI_URL: world.url } });
  const printed = { stdout: '', stderr: '' };
  running.stdout?.on('data', (text) => (printed.stdout += String(text)));
  running.stderr?.on('data', (text) => (printed.stderr += String(text)));
  try {
    await expect.poll(() => printed.stderr).toBe('Listening; Ctrl-C ends it\n');
    const { id } = await createBuild(cast).memory({ title: 'High water' });
    await expect.poll(() => printed.stdout).toBe(`memory.created  ${id}  High water\n`);
    await cast.alice.api('memory.remove', { params: { workspaceId: cast.workspaceId, id } });
    await expect.poll(() => printed.stdout).toContain(`memory.deleted  ${id}\n`);
  } finally {
    running.kill();
  }
});
