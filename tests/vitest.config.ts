/**
 * How tests run, by what they need: `node` needs nothing but Node, `postgres` shares one throw-away PostgreSQL,
 * `components` draws components inside a real Chromium (a test of a component ends in `.test.tsx`), and `chromium`
 * drives browser processes of its own, which it kills and starts again.
 * It knows folders and limits only; what a test needs beyond that comes from tests/support.
 */
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_ARGS, findChromium, headlessOf } from './support/chromium.ts';
import { LongestFirst } from './support/longest-first.ts';
import { TEST_RETRIES } from './support/retries.ts';
import { calm, IS_WHOLE } from './support/whole-run.ts';

// Every process of a run, and every thread that a test's server starts, reads what another one has compiled.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve(import.meta.dirname, '../node_modules/.cache/server-code');

// Nor is a machine that runs tests beside a database in a hurry; tests of a limit ask for `withPatience(1)`.
process.env['LOCI_PATIENCE'] ??= '10';

const isRoot = process.getuid?.() === 0;
const root = path.resolve(import.meta.dirname, '..');

/** How long a state is waited for that comes by itself; the preset second is short for a machine with other work. */
const waits = { poll: { timeout: 60_000 } };
/** Limit of a test. Machines differ by four times and more, and what hangs is found all the same. */
const PATIENT_MS = 300_000;

const browser = findChromium();
/** Nothing changes under a run, but it does while Vitest watches. */
const watches = !process.argv.includes('run');

const LONG = IS_WHOLE ? [] : ['**/*.long.test.*'];

/** Tests that start Chromium processes themselves. */
const OWN_BROWSERS = 'tests/client/**/*-browser.{test,long.test}.ts';

export default defineConfig({
  root,
  test: {
    // The machine of the least builder has two cores, and PostgreSQL needs a share of them.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    allowOnly: false,
    passWithNoTests: false,
    projects: [
      {
        root,
        test: {
          name: 'node',
          expect: waits,
          include: [
            'tests/shared/**/*.test.ts',
            'tests/client/**/*.test.ts',
            'tests/architecture/**/*.test.ts',
            'tests/contract/**/*.test.ts',
            'tests/support/**/*.test.ts',
          ],
          exclude: [OWN_BROWSERS, ...LONG],
          environment: 'node',
          // A process for each file would take half as long again.
          isolate: false,
          // Generous, because property tests share two cores with a database.
          testTimeout: PATIENT_MS,
        },
      },
      {
        root,
        test: {
          name: 'postgres',
          retry: TEST_RETRIES,
          expect: waits,
          include: ['tests/server/**/*.test.ts', 'tests/sync/**/*.test.ts'],
          exclude: isRoot ? LONG : ['**/*-as-root.long.test.ts', ...LONG],
          environment: 'node',
          globalSetup: 'tests/support/global-postgres.ts',
          // Files share a process and its modules, because loading the server takes longer than most of them: nothing of the
          // server may outlive the world of a test.
          isolate: false,
          // Spies of one test end with it.
          restoreMocks: true,
          setupFiles: ['tests/support/production-mode.ts', 'tests/support/name-workspaces.ts'],
          testTimeout: PATIENT_MS,
          hookTimeout: PATIENT_MS,
        },
      },
      {
        root,
        test: {
          name: 'chromium',
          retry: TEST_RETRIES,
          expect: waits,
          // Browsers share the machine with nothing but each other: some of these tests time what a page does.
          sequence: { groupOrder: 1 },
          include: [OWN_BROWSERS],
          exclude: LONG,
          environment: 'node',
          testTimeout: PATIENT_MS,
          // A hook may start the browser.
          hookTimeout: PATIENT_MS,
        },
      },
      {
        root,
        plugins: [tailwindcss(), react()],
        // Every file and every worker loads the same modules again; without this each of them is asked for anew.
        server: { headers: watches ? {} : { 'Cache-Control': 'max-age=86400' } },
        // React as it is delivered: its development build takes half of the page's time, for warnings no test reads.
        oxc: { jsx: { development: false } },
        optimizeDeps: {
          // One cache per checkout, found before the first test: a late find reloads the page under the test.
          entries: ['client/**/*.tsx', 'client/**/*-worker.ts', 'tests/client/**/*.tsx'],
          rolldownOptions: { transform: { define: { 'process.env.NODE_ENV': '"production"' } } },
        },
        test: {
          name: 'components',
          retry: TEST_RETRIES,
          expect: waits,
          // Last: views are timed, and a database at work would slow them.
          sequence: { groupOrder: 2 },
          include: ['tests/client/**/*.test.tsx'],
          exclude: LONG,
          testTimeout: PATIENT_MS,
          setupFiles: ['tests/support/browser-setup.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1280, height: 800 },
            provider: playwright({
              contextOptions: calm,
              launchOptions: {
                executablePath: browser === undefined ? undefined : headlessOf(browser),
                args: [...CHROMIUM_ARGS],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
