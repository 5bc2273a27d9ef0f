/**
 * A real Chromium with the built extension in it. Its button is pressed through the browser's own protocol, which grants
 * the extension the page in front as a person's press does; the popup that opens is a page like any other.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext, type CDPSession, type Page, type Worker } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../../support/chromium.ts';

const EXTENSION = path.resolve(import.meta.dirname, '../../../dist/extension');

/** A browser with the extension. */
export interface ExtensionBrowser {
  context: BrowserContext;
  /** The background script. */
  background: Worker;
  /** Presses the button of the extension with this page in front; the popup that opens. */
  press(page: Page): Promise<Page>;
  close(): Promise<void>;
}

/** Starts the browser with a new profile. */
export async function startExtensionBrowser(): Promise<ExtensionBrowser> {
  // Popups are targets of a kind that the library leaves alone unless it is told otherwise.
  process.env['PW_CHROMIUM_ATTACH_TO_OTHER'] = '1';
  const profile = mkdtempSync(path.join(os.tmpdir(), 'loci-profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: ensureChromium(),
    headless: true,
    // A popup has no window whose size could be set.
    viewport: null,
    locale: 'en-US',
    timezoneId: 'UTC',
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [
      ...CHROMIUM_ARGS,
      '--headless=new',
      `--disable-extensions-except=${EXTENSION}`,
      `--load-extension=${EXTENSION}`,
      '--enable-unsafe-extension-debugging',
    ],
  });
  const background = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const browser = context.browser();
  if (!browser) throw new Error('A persistent context without a browser');
  const debug = await browser.newBrowserCDPSession();
  const id = new URL(background.url()).host;
  return {
    context,
    background,
    async press(page) {
      await page.bringToFront();
      const opened = context.waitForEvent('page', (candidate) => candidate.url().includes(id));
      await triggerAction(debug, id, page.url());
      return opened;
    },
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Commands that the types of the library do not know yet. */
interface NewerCommands {
  send(
    method: 'Target.getTargets',
    params: { filter: { type?: string; exclude: boolean }[] },
  ): Promise<{ targetInfos: { type: string; url: string; targetId: string }[] }>;
  send(method: 'Extensions.triggerAction', params: { id: string; targetId: string }): Promise<void>;
}

async function triggerAction(session: CDPSession, id: string, url: string): Promise<void> {
  const debug = session as unknown as NewerCommands;
  const { targetInfos } = await debug.send('Target.getTargets', {
    filter: [{ type: 'tab', exclude: false }, { exclude: true }],
  });
  const tab = targetInfos.find((each) => each.url === url);
  if (!tab) throw new Error(`No tab shows ${url}`);
  await debug.send('Extensions.triggerAction', { id, targetId: tab.targetId });
}
