/**
 * The checklists of the documentation: what they say is proved by tests that exist, under the names they have. Those of
 * sync also carry the label of their point, and each point has one, so that none gets lost and nothing is claimed.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAGES } from '#shared/pages.ts';
import { ROOT, sourceFiles } from './source-tree.ts';

const FOLDER = 'content/docs/contributing';
const CHECKLISTS = ['sync-checklist.md', 'specification-checklist.md'] as const;

const numbered = (letter: string, count: number) =>
  Array.from({ length: count }, (_unused, n) => `${letter}${n + 1}`);

const POINTS_OF_SYNC = [
  ...numbered('C', 10),
  ...numbered('F', 11),
  ...numbered('P', 7),
  ...numbered('V', 6),
  ...['D1', 'M1', 'S2', 'S9', 'S10', 'S11'],
];

/** A test with its name, in any kind of quotes. */
const TEST = /(?:\b(?:it|test)\(|\]\)\(|\beach\([\w.]+\)\()\s*(?:'([^'\n]+)'|"([^"\n]+)"|`([^`\n]+)`)/g;

/** A name that ends in labels: `… (C2, C6)`. */
const LABELLED = /^(.+) \(((?:[A-Z]\d+, )*[A-Z]\d+)(?:, seed [^)]*)?\)$/;

interface FoundTest {
  /** As the pages write it. */
  line: string;
  points: readonly string[];
}

function testsIn({ path: file, text }: { path: string; text: string }): FoundTest[] {
  return [...text.matchAll(TEST)].map(([, single, double, template]) => {
    const whole = single?.replaceAll(String.raw`\'`, "'") ?? double ?? template ?? '';
    const [, name = whole, labels] = LABELLED.exec(whole) ?? [];
    const shown = name.replaceAll(/\$\{[\w.]+\}/g, '…').replaceAll('|', String.raw`\|`);
    return { line: `${shown} (\`${file.replace(/^tests\//, '')}\`)`, points: labels?.split(', ') ?? [] };
  });
}

const found = sourceFiles
  .filter(({ path: file }) => /^tests\/.*\.(test|spec)\.tsx?$/.test(file))
  .flatMap(testsIn);

const textOf = (checklist: string) => readFileSync(path.join(ROOT, FOLDER, checklist), 'utf8');

/** The rows of the tables; the first column names what must hold, the last the tests, apart from each other by breaks. */
function rowsOf(checklist: string): { point: string; tests: string[] }[] {
  return textOf(checklist)
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|( -+ \|)+$|\| Tests? \|$/.test(line))
    .map((line) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return { point: cells[1] ?? '', tests: (cells.at(-2) ?? '').split('<br>') };
    });
}

it.each(CHECKLISTS)('the tests that %s names exist', (checklist) => {
  const known = new Set(found.map(({ line }) => line));
  const rows = rowsOf(checklist);
  expect(rows.length).toBeGreaterThan(30);
  expect(
    rows.flatMap(({ point, tests }) =>
      tests.filter((test) => !known.has(test)).map((test) => `${point}: ${test}`),
    ),
  ).toEqual([]);
});

describe('the checklist of sync', () => {
  const rows = rowsOf('sync-checklist.md');

  it('has each point once, with tests that carry its label', () => {
    expect(rows.map(({ point }) => point).toSorted()).toEqual(POINTS_OF_SYNC.toSorted());
    const labelled = new Set(found.flatMap(({ line, points }) => points.map((point) => `${point}: ${line}`)));
    const claims = rows.flatMap(({ point, tests }) => tests.map((test) => `${point}: ${test}`));
    expect(claims.filter((claim) => !labelled.has(claim))).toEqual([]);
  });
});

describe('the checklist of the specification', () => {
  const [, built = '', notBuilt = ''] =
    /^([^]*)\n## Not built\n([^]*)$/.exec(textOf('specification-checklist.md')) ?? [];
  const routes = readFileSync(path.join(ROOT, 'client/page-routes.ts'), 'utf8');
  const missing = new Set([...routes.matchAll(/^ {2}(\w+): null,$/gm)].map(([, name]) => name));

  it.each(Object.entries(PAGES))('tells of the page %s whether it is built', (name, page) => {
    const [here, there] = missing.has(name) ? [notBuilt, built] : [built, notBuilt];
    expect([here, there].map((text) => text.includes(`\`${page.path}\``))).toEqual([true, false]);
  });
});
