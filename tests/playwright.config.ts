/**
 * How browser stories run: one real Chromium, one worker, servers on free ports that the fixtures start.
 * It knows nothing of the product.
 */
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from './support/chromium.ts';

const root = path.resolve(import.meta.dirname, '..');
const report = process.env['STORY_REPORT'];

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: path.join(root, 'test-results'),
  globalSetup: './support/global-build.ts',
  // Two cores: browser, server and database of one story use them both.
  workers: 1,
  forbidOnly: true,
  // A story that only passes the second time is listed as flaky, and a shared machine may be slow once.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: report ? [['list'], ['json', { outputFile: report }]] : [['list']],
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    trace: 'retain-on-failure',
    launchOptions: { executablePath: ensureChromium(), args: [...CHROMIUM_ARGS] },
  },
});
