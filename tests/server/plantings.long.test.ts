/**
 * How little a new thing needs: a field and a synced kind (tests/fixtures/plantings) are planted in a copy of the tree,
 * which then compiles, migrates a database of today, answers REST and keeps devices in step. A kind with one file left out
 * does not compile.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createBuild, createCast } from '#tests/support/build.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { createWorld } from '#tests/support/world.ts';
import { FIELD, KIND, productFilesOf, type Edit } from '#tests/fixtures/plantings/plantings.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COPIED = ['shared', 'server', 'client', 'migrations', 'content', 'package.json', 'tsconfig.json'];
const COPIED_TESTS = ['support', 'fixtures/plantings'];

// Compilers and a second test run, on two cores that others use too.
vi.setConfig({ testTimeout: 300_000 });

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'loci-plantings-'));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

function copy(names: readonly string[], to: string): void {
  for (const name of names) cpSync(path.join(ROOT, name), path.join(to, name), { recursive: true });
}

/** @throws Error when the product has changed so much that an edit has no place any more */
function plant(edits: readonly Edit[], to: string): void {
  for (const { file, find, put } of edits) {
    const target = path.join(to, file);
    if (find === undefined) {
      writeFileSync(target, put);
      continue;
    }
    const text = readFileSync(target, 'utf8');
    if (text.split(find).length !== 2) throw new Error(`${file} does not contain exactly once: ${find}`);
    writeFileSync(
      target,
      text.replace(find, () => put),
    );
  }
}

interface Ended {
  ok: boolean;
  output: string;
}

function runIn(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...args],
      { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ ok: error === null, output: stdout + stderr }),
    );
  });
}

const compile = (cwd: string, project: string) =>
  runIn(cwd, ['node_modules/typescript/bin/tsc', '-p', project]);

describe('plantings', () => {
  it('a field and a kind need few files, and the product with both compiles and works', async () => {
    expect(productFilesOf(FIELD).length).toBeLessThanOrEqual(3);
    // Seven with the one that says whose readers it decides over, which has no default: forgetting it would let people in.
    expect(productFilesOf(KIND).length).toBeLessThanOrEqual(7);
    const world = await createWorld({ database });
    const cast = await createCast(world);
    await createBuild(cast).space({ name: 'Older than the field' });
    await world.close();
    const tree = path.join(folder, 'planted');
    mkdirSync(tree);
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(tree, 'node_modules'));
    copy([...COPIED, ...COPIED_TESTS.map((name) => path.join('tests', name))], tree);
    plant([...FIELD, ...KIND], tree);
    const config = 'tests/fixtures/plantings/vitest.config.ts';
    const [server, client, exercised] = await Promise.all([
      compile(tree, 'tsconfig.json'),
      compile(tree, 'client/tsconfig.json'),
      runIn(tree, ['node_modules/vitest/vitest.mjs', 'run', '-c', config], {
        PLANTED_DATABASE: database.url,
      }),
    ]);
    const clean = { ok: true, output: '' };
    expect([server, client]).toEqual([clean, clean]);
    expect(exercised.ok ? '' : exercised.output).toBe('');
  });

  it('a kind with one of its files left out does not compile', async () => {
    // All copies in one run of the compiler: the libraries are read once.
    const files = productFilesOf(KIND).filter((file) => file.startsWith('shared/'));
    const omissions = new Map([
      ['complete', 'nothing'],
      ...files.map((file, index): [string, string] => [`without-${index}`, file]),
    ]);
    for (const [name, omitted] of omissions) {
      const copyOf = path.join(folder, 'omissions', name);
      copy(['shared', 'package.json'], copyOf);
      plant(
        KIND.filter(({ file }) => file !== omitted && file.startsWith('shared/')),
        copyOf,
      );
    }
    const config = JSON.parse(readFileSync(path.join(ROOT, 'tsconfig.json'), 'utf8'));
    const project = path.join(folder, 'omissions/tsconfig.json');
    writeFileSync(project, JSON.stringify({ ...config, include: ['.'] }));
    const { output } = await runIn(folder, ['node_modules/typescript/bin/tsc', '-p', project]);
    const refused = [...omissions].filter(([name]) => output.includes(`${name}/shared/`));
    expect(refused.map(([, omitted]) => omitted)).toEqual(files);
  });
});
