/**
 * `npm run bench`: builds the client if needed, runs every `*.bench.ts` beside this file and prints one report, which is
 * also left in test-results/bench.md. Names given on the command line choose parts (`npm run bench -- search start`).
 * Ends with 1 when a target is missed or a part could not run; parts that could not run are named at the end.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import path from 'node:path';
import { formatTable, type BenchRow, type BenchRun } from './bench-row.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const ENDING = '.bench.ts';
const parts = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length));

/** Parts by the names on the command line; all without any. @throws Error for a name that is none */
function chosenParts(names: readonly string[]): readonly string[] {
  const unknown = names.filter((name) => !parts.includes(name));
  if (unknown.length > 0) throw new Error(`No part ${unknown.join(', ')}; there are ${parts.join(', ')}.`);
  return names.length === 0 ? parts : parts.filter((part) => names.includes(part));
}

function machine(): string {
  const processors = cpus();
  const size = `${processors.length} × ${processors[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${new Date().toISOString().slice(0, 10)}, ${size}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`;
}

function report(rows: readonly BenchRow[], failures: ReadonlyMap<string, string>): string {
  const missed = rows.filter(({ verdict }) => verdict === 'missed');
  const met = rows.filter(({ verdict }) => verdict === 'met');
  return [
    machine(),
    formatTable(rows),
    `${met.length} met, ${missed.length} missed${missed.length > 0 ? `: ${missed.map(({ id }) => id).join(', ')}` : ''}`,
    ...[...failures].map(([part, reason]) => `COULD NOT RUN: ${part}: ${reason}`),
  ].join('\n\n');
}

const chosen = chosenParts(process.argv.slice(2));
// Half of the parts look at what was built; a build that is still right costs a moment.
const build = spawnSync(process.execPath, [path.join(ROOT, 'server/build.ts')], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const failures = new Map<string, string>();
if (build.status !== 0) failures.set('build', 'the client could not be built');

const rows: BenchRow[] = [];
for (const part of chosen) {
  const begin = performance.now();
  console.info(`running ${part}`);
  try {
    const module: { run: BenchRun } = await import(path.join(import.meta.dirname, `${part}${ENDING}`));
    rows.push(...(await module.run()));
  } catch (error) {
    console.error(error);
    failures.set(part, String(error).split('\n')[0] ?? '');
  }
  console.info(`${part} took ${Math.round((performance.now() - begin) / 1_000)} s`);
}

const text = report(rows, failures);
console.info(`\n${text}`);
mkdirSync(path.join(ROOT, 'test-results'), { recursive: true });
writeFileSync(path.join(ROOT, 'test-results/bench.md'), `${text}\n`);
process.exitCode = failures.size > 0 || rows.some(({ verdict }) => verdict === 'missed') ? 1 : 0;
