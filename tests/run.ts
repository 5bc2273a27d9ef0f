/**
 * `npm test`: every part in order, the cheap ones first and beside each other. A part that cannot run has failed, and
 * nothing is skipped. Tests that share the machine with a database or a browser are tried again when they fail; what
 * passed only then is named as flaky. The last lines name the slowest files and what failed, and sum the parts up.
 * `--check` is the part of it that one waits for between two edits: no database, no browser, no build. `--all` is the
 * long run: also what is too slow for every change, and another seed each time.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureChromium } from './support/chromium.ts';
import { type Counts, readReport, slowestFiles } from './support/reports.ts';
import { TRY_AGAIN } from './support/retries.ts';
import { TESTS } from './support/whole-run.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const SLOWEST_SHOWN = 10;
const reports = mkdtempSync(path.join(os.tmpdir(), 'loci-reports-'));

interface Part {
  name: string;
  run: () => Promise<Counts>;
}

/** Checks and tests of one part; a part that crashed before counting has one failure. */
interface Tally extends Counts {
  part: string;
  seconds: number;
}

interface Command {
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** Whether the command ended well. Its output comes in one piece where several run at once. */
function succeeds(command: string, { args, env }: Command, atOnce: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: atOnce ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    });
    const output: Buffer[] = [];
    const collect = (chunk: Buffer) => void output.push(chunk);
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', (error) => output.push(Buffer.from(`${String(error)}\n`)));
    child.on('close', (code) => {
      if (output.length > 0) process.stdout.write(`\n-- ${command} ${args.join(' ')}\n`);
      process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

const tallyOf = (passed: boolean): Counts => ({
  passed: passed ? 1 : 0,
  failed: passed ? 0 : 1,
  notes: [],
  flaky: [],
  files: [],
});

const script = (name: string): Part => ({
  name,
  run: async () => tallyOf(await succeeds('npm', { args: ['run', '--silent', name] }, true)),
});

const BUILD: Part = {
  name: 'build',
  run: async () => tallyOf(await succeeds('node', { args: ['server/build.ts'] }, true)),
};

/** A program that failed without a failing test (an unhandled error, say) has one failure. */
const orOneFailure = (ok: boolean, counts: Counts): Counts =>
  ok ? counts : { ...counts, failed: Math.max(1, counts.failed) };

async function vitest(projects: readonly string[]): Promise<Counts> {
  const file = path.join(reports, `${projects.join('-')}.json`);
  const args = [
    'run',
    '--config=tests/vitest.config.ts',
    ...projects.map((project) => `--project=${project}`),
    '--reporter=default',
    '--reporter=./tests/support/vitest-report.ts',
  ];
  const needsBrowser = projects.some((project) => ['chromium', 'components'].includes(project));
  const env = {
    [TRY_AGAIN]: '1',
    VITEST_REPORT: file,
    ...(needsBrowser ? { CHROMIUM_PATH: ensureChromium() } : {}),
  };
  const ok = await succeeds('vitest', { args, env }, false);
  return orOneFailure(ok, readReport(file));
}

async function stories(): Promise<Counts> {
  const file = path.join(reports, 'stories.json');
  const env = { [TRY_AGAIN]: '1', STORY_REPORT: file, CHROMIUM_PATH: ensureChromium() };
  const ok = await succeeds(
    'playwright',
    { args: ['test', '--config=tests/playwright.config.ts'], env },
    false,
  );
  return orOneFailure(ok, readReport(file));
}

// The linter checks types too: it reads them anyway.
const CHECKS: readonly Part[] = [script('lint'), script('format:check')];

/** One after another; the parts of a row run beside each other. */
const WHOLE: readonly (readonly Part[])[] = [
  [...CHECKS, BUILD],
  [{ name: 'node, postgres', run: () => vitest(['node', 'postgres']) }],
  [{ name: 'chromium, components', run: () => vitest(['chromium', 'components']) }],
  [{ name: 'browser stories', run: stories }],
];

const FAST: readonly (readonly Part[])[] = [CHECKS, [{ name: 'node', run: () => vitest(['node']) }]];

async function measure({ name, run }: Part): Promise<Tally> {
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / 100) / 10;
  try {
    return { part: name, ...(await run()), seconds: seconds() };
  } catch (error) {
    process.stderr.write(`${name} could not run: ${String(error)}\n`);
    return { part: name, passed: 0, failed: 1, notes: [], flaky: [], files: [], seconds: seconds() };
  }
}

if (process.argv.includes('--all')) {
  process.env[TESTS] = 'all';
  process.env['SEED'] ??= String(Math.floor(Date.now() / 1_000));
  process.stdout.write(`SEED=${process.env['SEED']}\n`);
}
const tallies: Tally[] = [];
for (const row of process.argv.includes('--check') ? FAST : WHOLE) {
  process.stdout.write(`\n== ${row.map(({ name }) => name).join(', ')}\n`);
  tallies.push(...(await Promise.all(row.map(measure))));
}
rmSync(reports, { recursive: true, force: true });

process.stdout.write('\nSlowest files:\n');
for (const { file, seconds } of slowestFiles(
  tallies.flatMap(({ files }) => files),
  SLOWEST_SHOWN,
)) {
  process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${file}\n`);
}
process.stdout.write('\n');
for (const { part, passed, failed, notes, seconds } of tallies) {
  process.stdout.write(
    `${failed === 0 ? 'ok  ' : 'FAIL'} ${part}: ${passed} passed, ${failed} failed (${seconds} s)\n`,
  );
  for (const note of notes) process.stdout.write(`       ${note}\n`);
}
for (const line of tallies.flatMap(({ flaky }) => flaky)) process.stdout.write(`${line}\n`);
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
const ranNone = tallies.some((tally) => tally.passed + tally.failed === 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 || ranNone ? 1 : 0);
