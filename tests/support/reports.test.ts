/** What `npm test` says at its end of a test that failed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { noteOf, readStoryReport, ROOT } from './reports.ts';

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

test('a failed story names its messages and its line', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loci-report-'));
  const file = path.join(folder, 'stories.json');
  const error = {
    message: 'Error: expect(locator).toBeVisible() failed\n\nLocator: x\n    at somewhere',
    stack: `Error: expect\n    at ${ROOT}/tests/e2e/support/demo.ts:7:1\n    at ${ROOT}/tests/e2e/menus.spec.ts:9:1`,
  };
  const late = { message: 'Test timeout of 120000ms exceeded.' };
  const failed = [{ status: 'unexpected', results: [{ duration: 2_000, errors: [late, error] }] }];
  const passed = [{ status: 'expected', results: [{ duration: 1_000 }] }];
  writeFileSync(
    file,
    JSON.stringify({
      stats: { expected: 1, skipped: 0, unexpected: 1, flaky: 0 },
      suites: [
        {
          specs: [{ title: 'opens', file: 'menus.spec.ts', tests: failed }],
          suites: [{ specs: [{ title: 'closes', file: 'menus.spec.ts', tests: passed }] }],
        },
      ],
    }),
  );
  expect(readStoryReport(file)).toEqual({
    passed: 1,
    failed: 1,
    notes: [
      'unexpected: opens (tests/e2e/menus.spec.ts) Test timeout of 120000ms exceeded.; Error: expect(locator).toBeVisible() failed Locator: x at tests/e2e/support/demo.ts:7',
    ],
    files: [{ file: 'tests/e2e/menus.spec.ts', seconds: 3 }],
  });
  rmSync(folder, { recursive: true });
});
