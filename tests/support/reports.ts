/**
 * What the reporters of Vitest and Playwright pass to `npm test`: how many tests passed and failed, which ones to look at,
 * which ones passed only when they were tried again, and how long each file took.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** One file of tests with the seconds that its tests and hooks took. */
export interface FileTime {
  file: string;
  seconds: number;
}

/** Tests of one part; `notes` has a line for each test that did not pass, `flaky` one for each that needed a retry. */
export interface Counts {
  passed: number;
  failed: number;
  notes: string[];
  flaky: string[];
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

/** One-minute load of the machine, beside what failed at that moment. */
export const machineLoad = (): string => `load ${os.loadavg()[0]?.toFixed(1) ?? '?'}`;

/** The line about a test that passed when it was tried again, with what it failed of before. */
export const flakyNote = (title: string, file: string, load: string, failures: readonly Failure[]): string =>
  [`flaky: ${path.relative(ROOT, file)}: ${title} (${load})`, ...failures.map(reasonOf)].join('; ');

const counts = z.object({
  passed: z.number(),
  failed: z.number(),
  notes: z.array(z.string()),
  flaky: z.array(z.string()),
  files: z.array(z.object({ file: z.string(), seconds: z.number() })),
});

/** Reads the file that a reporter wrote. @throws when it is missing or is no report: the program died before it wrote one. */
export const readReport = (file: string): Counts => counts.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Writes a report into the file that the environment variable `name` holds. */
export function writeReport(name: string, report: Counts): void {
  const file = process.env[name];
  if (!file) throw new Error(`${name} must name the file of the report`);
  writeFileSync(file, JSON.stringify(report));
}

/** The files that took longest, slowest first. */
export function slowestFiles(files: readonly FileTime[], count: number): FileTime[] {
  return files.toSorted((a, b) => b.seconds - a.seconds).slice(0, count);
}
