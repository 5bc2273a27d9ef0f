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
import { CHROMIUM_ARGS, findChromium } from './support/chromium.ts';
import { LongestFirst } from './support/longest-first.ts';
// Here too, so that the workers find the seed in their environment.
import './support/seed.ts';

const isRoot = process.getuid?.() === 0;
const root = path.resolve(import.meta.dirname, '..');

/** How long a state is waited for that comes by itself; the preset second is short for a machine with other work. */
const waits = { poll: { timeout: 10_000 } };

/** Tests that start Chromium processes themselves. */
const OWN_BROWSERS = 'tests/client/**/*-browser.test.ts';

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
          exclude: [OWN_BROWSERS],
          environment: 'node',
          // Generous, because property tests share two cores with a database.
          testTimeout: 30_000,
        },
      },
      {
        root,
        test: {
          name: 'postgres',
          expect: waits,
          include: ['tests/server/**/*.test.ts', 'tests/sync/**/*.test.ts'],
          exclude: isRoot ? [] : ['**/*-as-root.test.ts'],
          environment: 'node',
          globalSetup: 'tests/support/global-postgres.ts',
          // Files share a process and its modules, because loading the server takes longer than most of them: nothing of the
          // server may outlive the world of a test.
          isolate: false,
          // Spies of one test end with it.
          restoreMocks: true,
          setupFiles: ['tests/support/production-mode.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        root,
        test: {
          name: 'chromium',
          expect: waits,
          // Browsers share the machine with nothing but each other: some of these tests time what a page does.
          sequence: { groupOrder: 1 },
          include: [OWN_BROWSERS],
          environment: 'node',
          testTimeout: 30_000,
        },
      },
      {
        root,
        plugins: [tailwindcss(), react()],
        // One cache per checkout, found before the first test: a late find reloads the page under the test.
        optimizeDeps: { entries: ['client/**/*.tsx', 'tests/client/**/*.tsx'] },
        test: {
          name: 'components',
          expect: waits,
          // Last: views are timed, and a database at work would slow them.
          sequence: { groupOrder: 2 },
          include: ['tests/client/**/*.test.tsx'],
          setupFiles: ['tests/support/browser-setup.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1280, height: 800 },
            provider: playwright({
              launchOptions: { executablePath: findChromium(), args: [...CHROMIUM_ARGS] },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
