/**
 * `npm run bench`: builds the client if needed, runs every `*.bench.ts` beside this file in a process of its own and
 * prints one report, which is also left in test-results/bench.md after each part. Names given on the command line choose
 * parts (`npm run bench -- search start`), or a group of them (`npm run bench -- knowledge`). A part that fails or hangs loses its own rows and no others. Ends with 1 when a
 * target is missed or a part could not run; parts that could not run are named at the end.
 */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { endDatabase } from '../support/server-process.ts';
import { formatTable, type BenchRow } from './bench-row.ts';
import type { PartMessage } from './run-part.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const REPORT = path.join(ROOT, 'test-results/bench.md');
const ENDING = '.bench.ts';
/** No part takes half as long, even on a slow machine. */
const PART_LIMIT_MS = 30 * 60_000;

/** Minutes on two quiet cores, so that the wait is expected; a part that is not here takes about one. */
const MINUTES: Readonly<Record<string, number>> = {
  server: 3,
  'server-search': 2,
  store: 3,
  large: 4,
  'pull-scale': 2,
  pokes: 3,
};

const parts = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length));

/** Names of several parts: `knowledge` is how good answers, searches and captured texts are. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  knowledge: ['extraction', 'questions', 'search-quality', 'meaning'],
};

/** Parts by the names on the command line; all without any. @throws Error for a name that is none */
function chosenParts(given: readonly string[]): readonly string[] {
  const names = given.flatMap((name) => GROUPS[name] ?? name);
  const unknown = names.filter((name) => !parts.includes(name));
  if (unknown.length > 0) throw new Error(`No part ${unknown.join(', ')}; there are ${parts.join(', ')}.`);
  return names.length === 0 ? parts : parts.filter((part) => names.includes(part));
}

function machine(): string {
  const processors = cpus();
  const size = `${processors.length} × ${processors[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${new Date().toISOString().slice(0, 10)}, ${size}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`;
}

const inWords = (ms: number): string =>
  ms < 90_000 ? `${Math.round(ms / 1_000)} s` : `${(ms / 60_000).toFixed(1)} min`;

/** What one part came to. */
interface Outcome {
  part: string;
  rows: BenchRow[];
  failure: string | undefined;
  ms: number;
}

/** Runs a part with a folder of its own for temporary files; what it leaves running or lying there is cleared away. */
async function runPart(part: string): Promise<Outcome> {
  const begin = performance.now();
  const temporary = mkdtempSync(path.join(tmpdir(), `loci-bench-`));
  chmodSync(temporary, 0o711);
  const child = fork(path.join(import.meta.dirname, 'run-part.ts'), [part], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: temporary },
  });
  const rows: BenchRow[] = [];
  let failure: string | undefined = 'it ended without a word';
  child.on('message', (message: PartMessage) => {
    if ('rows' in message) rows.push(...message.rows);
    else failure = 'failed' in message ? message.failed : undefined;
  });
  const limit = setTimeout(() => {
    failure = `it took longer than ${inWords(PART_LIMIT_MS)}`;
    child.kill('SIGKILL');
  }, PART_LIMIT_MS);
  await once(child, 'exit');
  clearTimeout(limit);
  for (const folder of readdirSync(temporary)) await endDatabase(path.join(temporary, folder));
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  return { part, rows, failure, ms: performance.now() - begin };
}

function report(on: string, outcomes: readonly Outcome[], left: readonly string[]): string {
  const rows = outcomes.flatMap((outcome) => outcome.rows);
  const missed = rows.filter(({ verdict }) => verdict === 'missed');
  const met = rows.filter(({ verdict }) => verdict === 'met');
  const took = outcomes.map(({ part, ms }) => `${part} ${inWords(ms)}`).join(', ');
  const whole = outcomes.reduce((sum, { ms }) => sum + ms, 0);
  return [
    on,
    formatTable(rows),
    `${met.length} met, ${missed.length} missed${missed.length > 0 ? `: ${missed.map(({ id }) => id).join(', ')}` : ''}`,
    `Took ${inWords(whole)}: ${took}.`,
    ...outcomes.flatMap(({ part, failure }) => (failure ? [`COULD NOT RUN: ${part}: ${failure}`] : [])),
    ...(left.length > 0 ? [`Still to come: ${left.join(', ')}.`] : []),
  ].join('\n\n');
}

const on = machine();
const chosen = chosenParts(process.argv.slice(2));
const expected = chosen.reduce((sum, part) => sum + (MINUTES[part] ?? 1), 0);
console.info(`${chosen.length} parts, about ${expected} minutes on two quiet cores: ${chosen.join(', ')}`);
// Half of the parts look at what was built; a build that is still right costs a moment.
const build = spawnSync(process.execPath, [path.join(ROOT, 'server/build.ts')], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const outcomes: Outcome[] = [];
if (build.status !== 0)
  outcomes.push({ part: 'build', rows: [], failure: 'the client could not be built', ms: 0 });
mkdirSync(path.dirname(REPORT), { recursive: true });
for (const [index, part] of chosen.entries()) {
  console.info(`\nrunning ${part} (${index + 1} of ${chosen.length})`);
  const outcome = await runPart(part);
  outcomes.push(outcome);
  if (outcome.rows.length > 0) console.info(formatTable(outcome.rows));
  console.info(`${part} took ${inWords(outcome.ms)}${outcome.failure ? `; ${outcome.failure}` : ''}`);
  writeFileSync(REPORT, `${report(on, outcomes, chosen.slice(index + 1))}\n`);
}
console.info(`\n${report(on, outcomes, [])}\n\nThe report is in ${path.relative(process.cwd(), REPORT)}`);
const failed = outcomes.some(
  ({ failure, rows }) => failure !== undefined || rows.some(({ verdict }) => verdict === 'missed'),
);
process.exitCode = failed ? 1 : 0;
