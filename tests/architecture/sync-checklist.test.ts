/** The acceptance checklist of sync: each of its points is named by at least one test, so that none gets lost. */
import { expect, it } from 'vitest';
import { sourceFiles, withoutComments } from './source-tree.ts';

const POINTS = [
  ...Array.from({ length: 10 }, (_, n) => `C${n + 1}`),
  ...Array.from({ length: 11 }, (_, n) => `F${n + 1}`),
  ...Array.from({ length: 7 }, (_, n) => `P${n + 1}`),
  ...Array.from({ length: 5 }, (_, n) => `V${n + 1}`),
];

/** Labels stand in brackets in the name of a test: `(C2, C6)`. */
const NAMED = /\((?:[A-Z]\d+, )*[A-Z]\d+(?:, seed [^)]*)?\)/g;

it('every point of the checklist is in the name of a test', () => {
  const tests = sourceFiles.filter(({ path }) => /^tests\/.*\.(test|spec)\.tsx?$/.test(path));
  const named = new Set(
    tests.flatMap(({ text }) =>
      (withoutComments(text).match(NAMED) ?? []).flatMap((label) => label.match(/[A-Z]\d+/g) ?? []),
    ),
  );
  expect(POINTS.filter((point) => !named.has(point))).toEqual([]);
});
