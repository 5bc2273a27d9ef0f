/**
 * Histories that failed once, shortened; every run replays them before it draws new ones. A failure prints the command
 * that adds its history to fuzz-corpus.json: `npm run fuzz:keep -- <seed> <steps>`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** The file that holds them. */
export const CORPUS_FILE = path.join(import.meta.dirname, 'fuzz-corpus.json');

/** Steps as ranges: `0-3,9`. */
const corpus = z.array(z.object({ seed: z.number(), steps: z.string() }));

/** All of them, oldest first. */
export const CORPUS = corpus.parse(JSON.parse(readFileSync(CORPUS_FILE, 'utf8')));

/** The numbers of the steps, from ranges. @throws Error when the text is no list of ranges */
export function stepsOf(ranges: string): number[] {
  return ranges.split(',').flatMap((range) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    if (first === undefined) throw new Error(`not a range of steps: ${range}`);
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) => Number(first) + n);
  });
}

/** The steps as ranges; they must ascend. */
export function rangesOf(steps: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const step of steps) {
    const latest = ranges.at(-1);
    if (latest && step === latest[1] + 1) latest[1] = step;
    else ranges.push([step, step]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}
