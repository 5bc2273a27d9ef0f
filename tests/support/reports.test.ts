/** What `npm test` says at its end of a test that failed. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { flakyNote, noteOf, ROOT } from './reports.ts';

const TEST = path.join(ROOT, 'tests/client/menu.test.tsx');

test.for([
  ['a source', `    at ${TEST}:12:5`],
  ['a source in brackets', `    at open (${TEST}:12:5)`],
  ['what a browser asked for', `    at http://localhost:63315${TEST}?import&browserv=17:12:5`],
  ['what a browser asked for from elsewhere', `    at http://localhost:63315/@fs${TEST}:12:5`],
])('a failure names its words and the first line of a test, by the place of %s', ([, frame = '']) => {
  const frames = [
    'Error: STACK_TRACE_ERROR',
    `    at click (${ROOT}/node_modules/vitest/tests/locators.js:1:1748)`,
    frame,
    `    at ${ROOT}/tests/support/later.ts:3:1`,
  ];
  expect(noteOf('failed', 'opens', TEST, { message: '\u001B[31mnot\u001B[39m\n  there', frames })).toBe(
    'failed: opens (tests/client/menu.test.tsx) not there at tests/client/menu.test.tsx:12',
  );
});

test('a failure without a place of a test has its words, and a test that did not run has none', () => {
  expect(noteOf('failed', 'opens', TEST, { message: 'x'.repeat(1_000), frames: [] })).toBe(
    `failed: opens (tests/client/menu.test.tsx) ${'x'.repeat(200)}`,
  );
  expect(noteOf('skipped', 'opens', TEST)).toBe('skipped: opens (tests/client/menu.test.tsx)');
});

test('a test that passed at its second try names its file, the load of the machine and what failed before', () => {
  const failure = { message: 'not there', frames: [`    at ${TEST}:12:5`] };
  expect(flakyNote('opens', TEST, 'load 3.1', [failure])).toBe(
    'flaky: tests/client/menu.test.tsx: opens (load 3.1); not there at tests/client/menu.test.tsx:12',
  );
});
