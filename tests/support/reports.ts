/**
 * What the JSON reports of Vitest and Playwright say: how many tests passed and failed, which ones to look at, and how
 * long each file took. Nothing is tried twice, so a test that did not pass has failed.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** One file of tests with the seconds that its tests and hooks took. */
export interface FileTime {
  file: string;
  seconds: number;
}

/** Tests of one part; `notes` has a line for each test that did not pass. */
export interface Counts {
  passed: number;
  failed: number;
  notes: string[];
  files: FileTime[];
}

const ROOT = path.resolve(import.meta.dirname, '../..');

const vitestReport = z.object({
  numPassedTests: z.number(),
  numTotalTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).default([]),
        }),
      ),
    }),
  ),
});

const MAX_REASON = 200;

/** The first words of an error, for logs of which only the end is stored. */
function reasonOf(message: string | undefined): string {
  // Both programs colour what they print.
  const plain = stripVTControlCharacters(message ?? '').split('\n    at ')[0] ?? '';
  return plain.replaceAll(/\s+/gu, ' ').slice(0, MAX_REASON);
}

/** @throws when the file is missing or is no report: the program died before it wrote one. */
export function readVitestReport(file: string): Counts {
  const report = vitestReport.parse(JSON.parse(readFileSync(file, 'utf8')));
  const notes = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status !== 'passed');
    if (failed.length === 0 && status === 'failed') return [`failed: ${name}`];
    return failed.map(
      (test) => `${test.status}: ${test.fullName} (${name}) ${reasonOf(test.failureMessages[0])}`,
    );
  });
  const files = report.testResults.map(({ name, startTime, endTime }) => ({
    file: path.relative(ROOT, name),
    seconds: (endTime - startTime) / 1_000,
  }));
  return {
    passed: report.numPassedTests,
    failed: report.numTotalTests - report.numPassedTests,
    notes,
    files,
  };
}

const spec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({
      status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
      results: z
        .array(
          z.object({
            duration: z.number(),
            error: z.object({ message: z.string().optional() }).optional(),
          }),
        )
        .default([]),
    }),
  ),
});

const suite = z.object({
  specs: z.array(spec).default([]),
  get suites() {
    return z.array(suite).default([]);
  },
});

const storyReport = z.object({
  stats: z.object({ expected: z.number(), skipped: z.number(), unexpected: z.number(), flaky: z.number() }),
  suites: z.array(suite),
});

const specsOf = ({ specs, suites }: z.infer<typeof suite>): z.infer<typeof spec>[] => [
  ...specs,
  ...suites.flatMap(specsOf),
];

/** @throws when the file is missing or is no report. */
export function readStoryReport(file: string): Counts {
  const { stats, suites } = storyReport.parse(JSON.parse(readFileSync(file, 'utf8')));
  const specs = suites.flatMap(specsOf);
  const notes = specs.flatMap(({ title, file: from, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .map(({ status, results }) => {
        const message = results.find(({ error }) => error)?.error?.message;
        return `${status}: ${title} (${from}) ${reasonOf(message)}`;
      }),
  );
  const times = new Map<string, number>();
  for (const { file, tests } of specs) {
    const spent = tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0);
    times.set(file, (times.get(file) ?? 0) + spent / 1_000);
  }
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped,
    notes,
    files: [...times].map(([file, seconds]) => ({ file: `tests/e2e/${file}`, seconds })),
  };
}

/** The files that took longest, slowest first. */
export function slowestFiles(files: readonly FileTime[], count: number): FileTime[] {
  return files.toSorted((a, b) => b.seconds - a.seconds).slice(0, count);
}
