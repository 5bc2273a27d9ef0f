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

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** What a failed test says of itself: its message, and its places from the innermost call outwards. */
export interface Failure {
  message: string | undefined;
  frames: readonly string[];
}

const MAX_REASON = 200;

/** File and line, behind the root of the tree; a browser adds what it asked the server for. */
const OWN_PLACE = /^(tests\/[^\s?:()]+)[^\s:()]*:(\d+)/u;

/** The place in files of the tests that a line of a stack names. */
const ownPlace = (frame: string) => OWN_PLACE.exec(frame.split(`${ROOT}/`)[1] ?? '');

/** The first words of an error and the line of the tests that it began from, for logs of which only the end is stored. */
export function reasonOf({ message, frames }: Failure): string {
  // Both programs colour what they print.
  const plain = stripVTControlCharacters(message ?? '').split('\n    at ')[0] ?? '';
  const words = plain.replaceAll(/\s+/gu, ' ').trim().slice(0, MAX_REASON);
  const place = frames.map(ownPlace).find((found) => found !== null);
  return place ? `${words} at ${place[1]}:${place[2]}` : words;
}

/** The line about a test that did not pass. */
export function noteOf(status: string, title: string, file: string, ...failures: Failure[]): string {
  const head = `${status}: ${title} (${path.relative(ROOT, file)})`;
  return failures.length === 0 ? head : `${head} ${failures.map(reasonOf).join('; ')}`;
}

const vitestReport = z.object({
  passed: z.number(),
  failed: z.number(),
  notes: z.array(z.string()),
  files: z.array(z.object({ file: z.string(), seconds: z.number() })),
});

/** What vitest-report.ts wrote. @throws when the file is missing or is no report: the program died before it wrote one. */
export const readVitestReport = (file: string): Counts =>
  vitestReport.parse(JSON.parse(readFileSync(file, 'utf8')));

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
            // A story that ran out of time has two: that it did, and what it was waiting for.
            errors: z
              .array(z.object({ message: z.string().optional(), stack: z.string().optional() }))
              .default([]),
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
        const errors = results.flatMap((result) => result.errors);
        const failures = errors.map(({ message, stack = '' }) => ({ message, frames: stack.split('\n') }));
        return noteOf(status, title, path.join(ROOT, 'tests/e2e', from), ...failures);
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
