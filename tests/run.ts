/**
 * `npm test`: every part in order, the cheap ones first. A part that cannot run has failed; nothing is skipped.
 * The last line sums the parts up. `--fast` leaves out the browser.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { ensureChromium } from './support/chromium.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const reports = mkdtempSync(path.join(os.tmpdir(), 'loci-reports-'));

/** Checks and tests of one part; a part that crashed before counting has one failure. */
interface Tally {
  part: string;
  passed: number;
  failed: number;
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

type Counts = Omit<Tally, 'part' | 'seconds'>;

const tallyOf = (passed: boolean): Counts => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1 });

const check = (script: string) => (): Counts => tallyOf(run('npm', ['run', '--silent', script]));

const vitestReport = z.object({ numPassedTests: z.number(), numTotalTests: z.number() });

function vitest(): Counts {
  const file = path.join(reports, 'vitest.json');
  const args = [
    'run',
    '-c',
    'tests/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  // Views are tested in the real browser too.
  const ok = run('vitest', args, { CHROMIUM_PATH: ensureChromium() });
  const { numPassedTests, numTotalTests } = vitestReport.parse(JSON.parse(readFileSync(file, 'utf8')));
  const failed = numTotalTests - numPassedTests;
  return { passed: numPassedTests, failed: ok ? failed : Math.max(1, failed) };
}

const storyReport = z.object({
  stats: z.object({ expected: z.number(), skipped: z.number(), unexpected: z.number(), flaky: z.number() }),
});

function stories(): Counts {
  const file = path.join(reports, 'stories.json');
  const env = { STORY_REPORT: file, CHROMIUM_PATH: ensureChromium() };
  const ok = run('playwright', ['test', '-c', 'tests/playwright.config.ts'], env);
  const { stats } = storyReport.parse(JSON.parse(readFileSync(file, 'utf8')));
  const failed = stats.unexpected + stats.skipped;
  return { passed: stats.expected + stats.flaky, failed: ok ? failed : Math.max(1, failed) };
}

type Part = readonly [string, () => Counts];

const FAST_PARTS: readonly Part[] = [
  ['types', check('types')],
  ['lint', check('lint')],
  ['format', check('format:check')],
  ['build', () => tallyOf(run('node', ['server/build.ts']))],
  ['unit, architecture, contract, server, sync', vitest],
];

const PARTS = process.argv.includes('--fast')
  ? FAST_PARTS
  : [...FAST_PARTS, ['browser stories', stories] as const];

function measure(part: string, body: () => Counts): Tally {
  process.stdout.write(`\n== ${part}\n`);
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / 100) / 10;
  try {
    return { part, ...body(), seconds: seconds() };
  } catch (error) {
    process.stderr.write(`${part} could not run: ${String(error)}\n`);
    return { part, passed: 0, failed: 1, seconds: seconds() };
  }
}

const tallies = PARTS.map(([part, body]) => measure(part, body));
rmSync(reports, { recursive: true, force: true });

process.stdout.write('\n');
for (const { part, passed, failed, seconds } of tallies) {
  process.stdout.write(
    `${failed === 0 ? 'ok  ' : 'FAIL'} ${part}: ${passed} passed, ${failed} failed (${seconds} s)\n`,
  );
}
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
const ranNone = tallies.some((tally) => tally.passed + tally.failed === 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 || ranNone ? 1 : 0);
