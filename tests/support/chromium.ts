/**
 * Finds a Chromium for browser stories, or installs one where that is possible without asking.
 * It knows machines, not the product.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'] as const;

/** Silences the browser and lets it run as root in a container. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
] as const;

/** The program to run: CHROMIUM_PATH, the system's, or the one Playwright downloaded. */
export function findChromium(): string | undefined {
  const wanted = process.env['CHROMIUM_PATH'];
  if (wanted !== undefined && wanted !== '') return existsSync(wanted) ? wanted : undefined;
  return [...USUAL_PLACES, chromium.executablePath()].find((place) => existsSync(place));
}

/**
 * The same browser without its windows, which Debian packages beside it, or the whole one: less than half of the processor
 * for its start (1.3 instead of 3.2 s), and about an eighth less for the same pages.
 */
export function headlessOf(browser: string): string {
  const shell = `${browser}-headless-shell`;
  return existsSync(shell) ? shell : browser;
}

/** Like findChromium, but installs the Debian packages when we are root. @throws Error with what to do when it cannot */
export function ensureChromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  const wanted = process.env['CHROMIUM_PATH'];
  if (wanted) throw new Error(`CHROMIUM_PATH is ${wanted}, but there is no such file.`);
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    for (const args of [
      ['update', '-q'],
      [
        'install',
        '-y',
        '-q',
        '--no-install-recommends',
        'chromium',
        'chromium-headless-shell',
        'fonts-liberation',
      ],
    ]) {
      spawnSync('apt-get', args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
    }
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    'The browser stories need Chromium: install it (apt-get install chromium, or npx playwright install chromium) ' +
      'or set CHROMIUM_PATH.',
  );
}
