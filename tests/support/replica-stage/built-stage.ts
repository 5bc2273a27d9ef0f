/**
 * The built stage, on disk for as long as nothing changes that it was made of: each file of tests is a process of its own,
 * and the build takes longer than a test. It knows Vite and the sources, not how they are served.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { z } from 'zod';

/** The product's storage, or one that is wrong on purpose. */
export type StageStore = 'right' | 'lonely';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const CACHE = path.join(ROOT, 'node_modules/.cache/replica-stage');
/** Written into the folder of a build: the files that it was made of, with hashes of their contents. */
const INPUTS = 'inputs.json';

const RIGHT_STORE = '#client/replica/worker/kv-store.ts';
const LONELY_STORE = path.join(import.meta.dirname, 'lonely-store.ts');

/** What decides about a build without being a module of it; the lock file stands for all packages. */
const SETTINGS = [
  import.meta.filename,
  ...[
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'client/tsconfig.json',
    'tests/tsconfig.json',
  ].map((file) => path.join(ROOT, file)),
  path.join(import.meta.dirname, 'index.html'),
];

/** Where page and worker begin. */
const ENTRIES = [
  path.join(import.meta.dirname, 'stage.tsx'),
  path.join(ROOT, 'client/replica/worker/replica-worker.ts'),
];

const inputsSchema = z.record(z.string(), z.string());
type Inputs = z.infer<typeof inputsSchema>;

/** The folder with the stage, which is built now unless it is there. */
export async function builtStage(store: StageStore): Promise<string> {
  return findBuild(store) ?? (await buildStage(store));
}

function findBuild(store: StageStore): string | undefined {
  if (!existsSync(CACHE)) return undefined;
  return readdirSync(CACHE)
    .filter((name) => name.startsWith(`${store}-`))
    .map((name) => path.join(CACHE, name))
    .find(isCurrent);
}

function isCurrent(folder: string): boolean {
  const file = path.join(folder, INPUTS);
  if (!existsSync(file)) return false;
  const inputs = inputsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.entries(inputs).every(([input, hash]) => hashOf(path.join(ROOT, input)) === hash);
}

/** Empty when there is no such file. */
function hashOf(file: string): string {
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : '';
}

async function buildStage(store: StageStore): Promise<string> {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  mkdirSync(CACHE, { recursive: true });
  const outDir = mkdtempSync(path.join(CACHE, 'unfinished-'));
  const modules = new Set<string>();
  // The test runner's own value would build the slow forms of React and Replicache.
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    mode: 'production',
    plugins: [react(), noted(modules)],
    worker: { format: 'es', plugins: () => [...otherStore(store), noted(modules)] },
    build: { outDir, emptyOutDir: true, minify: true, modulePreload: false },
  });
  process.env['NODE_ENV'] = before;
  return keep(outDir, store, inputsOf(modules));
}

/** Puts the other store in the place of the product's, for all but itself. */
function otherStore(store: StageStore): Plugin[] {
  if (store === 'right') return [];
  const resolveId = (source: string, importer?: string) =>
    source === RIGHT_STORE && importer !== LONELY_STORE ? LONELY_STORE : undefined;
  return [{ name: 'other-store', enforce: 'pre', resolveId }];
}

/** Collects the modules of a build. */
function noted(modules: Set<string>): Plugin {
  return {
    name: 'noted-modules',
    buildEnd() {
      for (const id of this.getModuleIds()) modules.add(id.replace(/\?.*$/u, ''));
    },
  };
}

function inputsOf(modules: ReadonlySet<string>): Inputs {
  const isSource = (file: string) => file.startsWith(`${ROOT}/`) && !file.includes('/node_modules/');
  const files = new Set([...SETTINGS, ...[...modules].filter(isSource)]);
  // Without the modules of page and worker a build would be used for other sources, too.
  for (const entry of ENTRIES) if (!files.has(entry)) throw new Error(`${entry} is missing from the build`);
  return Object.fromEntries(
    [...files].toSorted().map((file) => [path.relative(ROOT, file), hashOf(file)] as const),
  );
}

/** Gives the build its name, at which another process may have been faster, and removes those of earlier sources. */
function keep(outDir: string, store: StageStore, inputs: Inputs): string {
  const text = JSON.stringify(inputs, null, 2);
  writeFileSync(path.join(outDir, INPUTS), text);
  const name = `${store}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  const folder = path.join(CACHE, name);
  for (const other of readdirSync(CACHE)) {
    if (other.startsWith(`${store}-`) && other !== name)
      rmSync(path.join(CACHE, other), { recursive: true, force: true });
  }
  try {
    renameSync(outDir, folder);
  } catch (cause) {
    rmSync(outDir, { recursive: true, force: true });
    if (!existsSync(folder)) throw cause;
  }
  return folder;
}
