/**
 * How much JavaScript the built client makes a browser fetch, beside the budgets of the front end: what stands before the
 * first list, each lazy route, and everything that is fetched ahead for working offline. Reads the build, runs nothing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { judgeBudget, type BenchRow } from './bench-row.ts';

const BUILT = path.resolve(import.meta.dirname, '../../dist/client');
const ENTRY = 'index.html';
/** Names that the build gives its files (client/build/chunk-names.ts). */
const FIRST_LIST = ['application', 'parts', 'first-list'] as const;
/** Fetched right after the first list has painted, so that every later route finds it. */
const DIALOGS = 'layouts/dashboard-modals.tsx';
/** Pages that people reach before they have a list; what such a page needs altogether counts, not what it adds. */
const BEFORE_A_LIST = /^(?:accounts|site)\/|create-workspace|public-/;
const THREAD = 'threads/thread-page.tsx';
const FORM = ['application', 'parts', 'accounts'] as const;
const KB = 1_024;

interface Chunk {
  file: string;
  name?: string;
  imports?: string[];
  dynamicImports?: string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

/** Key of a chunk in the manifest, by its module or by the name that the build gave it. @throws when it has none */
function keyOf(manifest: Manifest, root: string): string {
  const key =
    root in manifest ? root : Object.keys(manifest).find((candidate) => manifest[candidate]?.name === root);
  if (key === undefined) throw new Error(`The build has no ${root}`);
  return key;
}

/** Files of some chunks and of everything they import without waiting. */
function filesOf(manifest: Manifest, roots: readonly string[]): Set<string> {
  const seen = new Set(roots.map((root) => keyOf(manifest, root)));
  for (const name of seen) for (const next of manifest[name]?.imports ?? []) seen.add(next);
  return new Set(
    [...seen].flatMap((name) => manifest[name]?.file ?? []).filter((file) => file.endsWith('.js')),
  );
}

const gzipped = (file: string): number =>
  gzipSync(readFileSync(path.join(BUILT, file)), { level: 9 }).byteLength / KB;

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

/** The worker that holds the replica is no chunk of the page, so the manifest does not name it. */
function workerFile(): string {
  const latest: string[][] = JSON.parse(readFileSync(path.join(BUILT, '.vite/builds.json'), 'utf8'));
  const names = latest[0] ?? readdirSync(path.join(BUILT, 'assets'));
  const found = names.find((name) => /replica-worker-[^/]+\.js$/.test(name));
  if (found === undefined) throw new Error('The build has no replica worker');
  return found;
}

/** Bytes of the files that the service worker fetches ahead, documents of the site apart. */
function precached(): number {
  const worker = readFileSync(path.join(BUILT, 'service-worker.js'), 'utf8');
  const urls = new Set([...worker.matchAll(/"?url"?:\s*["'`]([^"'`]+)["'`]/g)].map(([, url]) => url ?? ''));
  const files = [...urls].filter((url) => !url.includes('/content/'));
  if (files.length < 10) throw new Error('The list of precached files was not found');
  return sum(files.map((file) => readFileSync(path.join(BUILT, file)).byteLength)) / KB;
}

/** Runs the rows of the build. */
export async function run(): Promise<BenchRow[]> {
  const manifest: Manifest = JSON.parse(readFileSync(path.join(BUILT, '.vite/manifest.json'), 'utf8'));
  const first = filesOf(manifest, [ENTRY, ...FIRST_LIST]);
  const pages = Object.keys(manifest).filter((name) => name.endsWith('-page.tsx'));
  const routes = pages.filter((name) => !BEFORE_A_LIST.test(name));
  const there = filesOf(manifest, [ENTRY, ...FIRST_LIST, DIALOGS]);
  const own = (name: string): number =>
    sum([...filesOf(manifest, [name])].filter((file) => !there.has(file)).map(gzipped));
  const whole = (name: string): number => sum([...filesOf(manifest, [ENTRY, ...FORM, name])].map(gzipped));
  const form =
    pages.filter((name) => name.startsWith('accounts/')).toSorted((a, b) => whole(b) - whole(a))[0] ?? '';
  const page = sum([...first].map(gzipped));
  const size = (values: readonly number[], limit: number) => ({ values, limit, unit: 'KB' });
  const heaviest = routes.filter((name) => name !== THREAD).toSorted((a, b) => own(b) - own(a))[0] ?? '';
  return [
    judgeBudget('F13 first JS', 'JavaScript of the page up to its first list, gzip', size([page], 240)),
    judgeBudget(
      'F13 first JS+',
      'the same with the worker of the replica',
      size([page + gzipped(workerFile())], 240),
    ),
    judgeBudget(
      'F13 form JS',
      `all JavaScript of the heaviest account page (${form})`,
      size([whole(form)], 240),
    ),
    judgeBudget(
      'F13 route JS',
      `heaviest lazy route of the dashboard (${heaviest})`,
      size([own(heaviest)], 30),
    ),
    judgeBudget('F13 thread JS', 'thread page', size([own(THREAD)], 60)),
    judgeBudget('F13 precache', 'precached files, raw', size([precached()], 1.2 * KB)),
  ];
}
