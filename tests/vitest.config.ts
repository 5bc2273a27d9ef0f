/**
 * How tests run: `unit` needs nothing but Node, `server` shares one throw-away PostgreSQL, `browser` draws components
 * in a real Chromium (a test of a component ends in `.test.tsx`).
 * It knows folders and limits only; what a test needs beyond that comes from tests/support.
 */
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_ARGS, findChromium } from './support/chromium.ts';

const isRoot = process.getuid?.() === 0;
const root = path.resolve(import.meta.dirname, '..');

/** A shared machine may be slow once; a test that needed its second chance is listed as such. */
const retry = process.env['CI'] ? 1 : 0;

export default defineConfig({
  root,
  test: {
    // The machine of the least builder has two cores, and PostgreSQL needs a share of them.
    maxWorkers: 2,
    allowOnly: false,
    passWithNoTests: false,
    projects: [
      {
        root,
        test: {
          retry,
          name: 'unit',
          include: [
            'tests/shared/**/*.test.ts',
            'tests/client/**/*.test.ts',
            'tests/architecture/**/*.test.ts',
            'tests/contract/**/*.test.ts',
          ],
          environment: 'node',
          // Generous, because property tests share two cores with a database and a browser.
          testTimeout: 30_000,
        },
      },
      {
        root,
        test: {
          retry,
          name: 'server',
          include: ['tests/server/**/*.test.ts', 'tests/sync/**/*.test.ts'],
          exclude: isRoot ? [] : ['**/*-as-root.test.ts'],
          environment: 'node',
          globalSetup: 'tests/support/global-postgres.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        root,
        plugins: [tailwindcss(), react()],
        // One cache per checkout, found before the first test: a late find reloads the page under the test.
        optimizeDeps: { entries: ['client/**/*.tsx', 'tests/client/**/*.tsx'] },
        test: {
          retry,
          name: 'browser',
          // After the others: views are timed, and a database at work would slow them.
          sequence: { groupOrder: 1 },
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
