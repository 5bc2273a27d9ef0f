/**
 * The acceptance checklist of sync: each of its points is named by at least one test, and its page in the documentation
 * names tests that exist, so that none gets lost and nothing is claimed.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, sourceFiles } from './source-tree.ts';

const numbered = (letter: string, count: number) =>
  Array.from({ length: count }, (_unused, n) => `${letter}${n + 1}`);

const POINTS = [
  ...numbered('C', 10),
  ...numbered('F', 11),
  ...numbered('P', 7),
  ...numbered('V', 6),
  ...['S2', 'S9', 'S10', 'S11'],
];

const PAGE = 'content/docs/contributing/sync-checklist.md';

/** A test whose name ends in labels: `… (C2, C6)`. */
const LABELLED =
  /(?:\b(?:it|test)\(|\]\)\()\s*['`]([^'`\n]+) \(((?:[A-Z]\d+, )*[A-Z]\d+)(?:, seed [^)]*)?\)['`]/g;

interface Labelled {
  point: string;
  /** As the page writes it. */
  line: string;
}

function labelledIn({ path: file, text }: { path: string; text: string }): Labelled[] {
  return [...text.matchAll(LABELLED)].flatMap(([, name = '', labels = '']) =>
    labels.split(', ').map((point) => {
      const shown = name.replaceAll(/\$\{[\w.]+\}/g, '…').replaceAll('|', String.raw`\|`);
      return { point, line: `${shown} (\`${file.replace(/^tests\//, '')}\`)` };
    }),
  );
}

const labelled = sourceFiles
  .filter(({ path: file }) => /^tests\/.*\.(test|spec)\.tsx?$/.test(file))
  .flatMap(labelledIn);

/** What the page says of a point; tests stand in the last column, apart from each other by breaks. */
function rowsOfPage(): Map<string, string[]> {
  const text = readFileSync(path.join(ROOT, PAGE), 'utf8');
  const rows = text.split('\n').flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [, point = '', , tests = ''] = cells;
    return /^[A-Z]\d+$/.test(point) ? [[point, tests.split('<br>').map((test) => test.trim())] as const] : [];
  });
  return new Map(rows);
}

describe('the checklist of sync', () => {
  it('has a test for each of its points', () => {
    const named = new Set(labelled.map(({ point }) => point));
    expect(POINTS.filter((point) => !named.has(point))).toEqual([]);
  });

  it('is told in the documentation, each point with tests that exist and carry its label', () => {
    const page = rowsOfPage();
    const found = new Set(labelled.map(({ point, line }) => `${point}: ${line}`));
    const claims = [...page].flatMap(([point, tests]) => tests.map((test) => `${point}: ${test}`));
    expect(claims.filter((claim) => !found.has(claim))).toEqual([]);
    expect(POINTS.filter((point) => !page.has(point))).toEqual([]);
  });
});
