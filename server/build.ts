/**
 * Builds the client when dist was not built from the present sources. Runs before `npm start` and before browser tests; for a
 * current build it only reads the sources. A release has no sources, and is not built again.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const STAMP = path.join(ROOT, 'dist', '.sources');
const SOURCES = ['client', 'shared', 'content', 'package.json', 'package-lock.json'] as const;
const PRODUCTS = [
  'dist/client/index.html',
  'dist/server/server.js',
  'dist/extension/manifest.json',
  'dist/extension.zip',
] as const;

/** One hash over the names and contents of everything the build reads. */
function hashOfSources(): string {
  const hash = createHash('sha256');
  const add = (file: string, isFolder: boolean): void => {
    const absolute = path.join(ROOT, file);
    if (!isFolder) {
      hash.update(`${file}\0`).update(readFileSync(absolute)).update('\0');
      return;
    }
    const entries = readdirSync(absolute, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.name !== 'node_modules' && !entry.name.startsWith('.'))
        add(`${file}/${entry.name}`, entry.isDirectory());
    }
  };
  for (const source of SOURCES) {
    if (existsSync(path.join(ROOT, source))) add(source, !source.includes('.'));
  }
  return hash.digest('hex');
}

if (!existsSync(path.join(ROOT, 'client'))) process.exit();

const wanted = hashOfSources();
const built = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
const whole = PRODUCTS.every((file) => existsSync(path.join(ROOT, file)));

if (!whole || built !== wanted || process.argv.includes('--force')) {
  const startedAt = performance.now();
  process.stdout.write('Building the client, which takes a minute or two (VERBOSE=1 shows every step)…\n');
  rmSync(STAMP, { force: true });
  const verbose = process.env['VERBOSE'] === '1';
  const run = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: ROOT,
    // Five hundred lines of file names hide the address and the login that follow; a failure shows them all.
    stdio: ['ignore', verbose ? 'inherit' : 'pipe', verbose ? 'inherit' : 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    // A test runner's own value would leave a development build behind, which the server cannot run.
    env: { ...process.env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  });
  if (run.status !== 0) {
    if (!verbose)
      process.stderr.write(Buffer.concat([run.stdout ?? Buffer.alloc(0), run.stderr ?? Buffer.alloc(0)]));
    process.stderr.write('The client could not be built; the messages above say why.\n');
    process.exit(1);
  }
  mkdirSync(path.dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, wanted);
  process.stdout.write(
    `Built the client in ${Math.round((performance.now() - startedAt) / 1_000)} seconds\n`,
  );
}
