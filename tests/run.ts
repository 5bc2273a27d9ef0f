/**
 * `npm test`: every part in order, the cheap ones first. A part that cannot run has failed; nothing is skipped.
 * The last lines name what failed and sum the parts up. `--fast` leaves out the browser. CI plays the histories of sync at
 * full length besides, which takes a quarter of an hour; elsewhere `npm run fuzz` does.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureChromium } from './support/chromium.ts';
import { type Counts, readStoryReport, readVitestReport } from './support/reports.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const reports = mkdtempSync(path.join(os.tmpdir(), 'loci-reports-'));

/** Checks and tests of one part; a part that crashed before counting has one failure. */
interface Tally extends Counts {
  part: string;
  seconds: number;
}

function run(command: string, args: readonly string[], env: Record<string, string> = {}): boolean {
  const { status } = spawnSync(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  return status === 0;
}

const tallyOf = (passed: boolean): Counts => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, notes: [] });

const check = (script: string) => (): Counts => tallyOf(run('npm', ['run', '--silent', script]));

/** A program that failed without a failing test (an unhandled error, say) has one failure. */
const orOneFailure = (ok: boolean, counts: Counts): Counts =>
  ok ? counts : { ...counts, failed: Math.max(1, counts.failed) };

function vitest(): Counts {
  const file = path.join(reports, 'vitest.json');
  const args = ['run', '-c', 'tests/vitest.config.ts', ...reporting(file)];
  // Views are tested in the real browser too.
  const ok = run('vitest', args, { CHROMIUM_PATH: ensureChromium() });
  return orOneFailure(ok, readVitestReport(file));
}

const reporting = (file: string): readonly string[] => [
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${file}`,
];

function fuzz(): Counts {
  const file = path.join(reports, 'fuzz.json');
  const ok = run('npm', ['run', '--silent', 'fuzz', '--', ...reporting(file)]);
  return orOneFailure(ok, readVitestReport(file));
}

function stories(): Counts {
  const file = path.join(reports, 'stories.json');
  const env = { STORY_REPORT: file, CHROMIUM_PATH: ensureChromium() };
  const ok = run('playwright', ['test', '-c', 'tests/playwright.config.ts'], env);
  return orOneFailure(ok, readStoryReport(file));
}

type Part = readonly [string, () => Counts];

const FAST_PARTS: readonly Part[] = [
  ['types', check('types')],
  ['lint', check('lint')],
  ['format', check('format:check')],
  ['build', () => tallyOf(run('node', ['server/build.ts']))],
  ['unit, architecture, contract, server, sync', vitest],
];

const WHOLE_PARTS: readonly Part[] = [
  ...FAST_PARTS,
  ['browser stories', stories],
  ...(process.env['CI'] ? ([['sync fuzz at full length', fuzz]] as const) : []),
];

const PARTS = process.argv.includes('--fast') ? FAST_PARTS : WHOLE_PARTS;

function measure(part: string, body: () => Counts): Tally {
  process.stdout.write(`\n== ${part}\n`);
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / 100) / 10;
  try {
    return { part, ...body(), seconds: seconds() };
  } catch (error) {
    process.stderr.write(`${part} could not run: ${String(error)}\n`);
    return { part, passed: 0, failed: 1, notes: [], seconds: seconds() };
  }
}

const tallies = PARTS.map(([part, body]) => measure(part, body));
rmSync(reports, { recursive: true, force: true });

process.stdout.write('\n');
for (const { part, passed, failed, notes, seconds } of tallies) {
  process.stdout.write(
    `${failed === 0 ? 'ok  ' : 'FAIL'} ${part}: ${passed} passed, ${failed} failed (${seconds} s)\n`,
  );
  for (const note of notes) process.stdout.write(`       ${note}\n`);
}
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
const ranNone = tallies.some((tally) => tally.passed + tally.failed === 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 || ranNone ? 1 : 0);
