/**
 * How browser stories run: a real Chromium and a server of its own for each of two workers, on free ports that the
 * fixtures choose. `core` holds what people do, `looks` what they see; long stories of both run with LOCI_TESTS=all. It
 * knows nothing of the product.
 */
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { calm, IS_WHOLE, LONG_TAG } from './support/whole-run.ts';
import { LOOKS_TAG } from './e2e/support/looks.ts';
import { CHROMIUM_ARGS, ensureChromium, headlessOf } from './support/chromium.ts';
import { STORY_RETRIES } from './support/retries.ts';

const root = path.resolve(import.meta.dirname, '..');
const looks = new RegExp(LOOKS_TAG);
const leftOut = IS_WHOLE ? [] : [new RegExp(LONG_TAG)];

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: path.join(root, 'test-results'),
  globalSetup: './support/global-stories.ts',
  projects: [
    { name: 'core', grepInvert: [looks, ...leftOut] },
    // Looks of one file need nothing of each other.
    {
      name: 'looks',
      grep: looks,
      grepInvert: leftOut,
      fullyParallel: true,
      // Looks are taken when nothing moves any more: what would fade is there at once.
      use: { contextOptions: { reducedMotion: 'reduce' } },
    },
  ],
  workers: 2,
  forbidOnly: true,
  retries: STORY_RETRIES,
  // One patience for all: machines differ by four times and more, and what hangs is found all the same. What is there in
  // time is not waited for. Long stories open hundreds of pages, or wait for thousands of notes.
  timeout: IS_WHOLE ? 600_000 : 180_000,
  expect: { timeout: IS_WHOLE ? 120_000 : 30_000 },
  reporter: process.env['STORY_REPORT'] ? [['list'], ['./support/story-report.ts']] : [['list']],
  use: {
    // Sooner than the limit of a story, so that the report names the action that waits in vain.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // Each new browser profile would install it, which takes 270 files and a third of the processor time of a story. Those
    // that go offline and load pages there, or are about the worker itself, let it in.
    serviceWorkers: 'block',
    contextOptions: calm,
    locale: 'en-US',
    timezoneId: 'UTC',
    // Recording every step costs a fifth of the processor: TRACE=1 does it for a story that is being looked into.
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: headlessOf(ensureChromium()), args: [...CHROMIUM_ARGS] },
  },
});
