/** A content file that breaks its schema fails the build, which names the file and the field. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IS_WHOLE } from '#tests/support/whole-run.ts';

const root = path.resolve(import.meta.dirname, '../..');
const PARTS = ['client', 'content', 'shared', 'package.json', 'tsconfig.json'];

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(path.join(os.tmpdir(), 'loci-content-'));
  const filter = (file: string) => !file.includes('.content-collections') && !file.endsWith('screenshots');
  for (const part of PARTS) cpSync(path.join(root, part), path.join(copy, part), { recursive: true, filter });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Builds the copy with one file changed, and puts the file back. */
function buildWith(file: string, change: (text: string) => string) {
  const at = path.join(copy, file);
  const text = readFileSync(at, 'utf8');
  expect(change(text)).not.toBe(text);
  writeFileSync(at, change(text));
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const built = spawnSync(process.execPath, [vite, 'build', 'client', '-c', 'client/site.config.ts'], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  writeFileSync(at, text);
  return { status: built.status, said: built.stdout + built.stderr };
}

const BROKEN: readonly [file: string, field: string, change: (text: string) => string][] = [
  ['content/docs/capsule.md', 'title', (text) => text.replace('title:', 'titel:')],
  ['content/posts/why-local-first.md', 'date', (text) => text.replace(/^date:.*$/m, 'date: soon')],
  ['content/pricing.yml', 'plans', (text) => text.replace(/^plans:/m, 'plan:')],
];

// Each is a build; the schemas of the others are checked in the same way.
test.each(IS_WHOLE ? BROKEN : BROKEN.slice(0, 1))('%s with a wrong %s', (file, field, change) => {
  const { status, said } = buildWith(file, change);
  expect(status).not.toBe(0);
  expect(said).toContain(path.basename(file).replace(/\.\w+$/, ''));
  expect(said).toMatch(new RegExp(`^- ${field}: `, 'm'));
});
