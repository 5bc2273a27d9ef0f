// A Chromium process of our own on a profile folder, which can be killed like a power cut and started again.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { CHROMIUM_ARGS, ensureChromium, headlessOf } from '#tests/support/chromium.ts';

/** Of the browser's start and of what a page waits for; a busy machine takes its time. */
const PATIENCE_MS = 60_000;

/** A browser profile on disk. */
export class BrowserProfile {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'loci-profile-'));
  #process: ChildProcess | undefined;
  #browser: Browser | undefined;

  async #start(): Promise<Browser> {
    const portFile = path.join(this.#folder, 'DevToolsActivePort');
    rmSync(portFile, { force: true });
    this.#process = spawn(
      headlessOf(ensureChromium()),
      [
        ...CHROMIUM_ARGS,
        '--headless=new',
        '--remote-debugging-port=0',
        `--user-data-dir=${this.#folder}`,
        'about:blank',
      ],
      { stdio: 'ignore', detached: true },
    );
    const end = Date.now() + PATIENCE_MS;
    while (!existsSync(portFile) || !readFileSync(portFile, 'utf8').includes('\n')) {
      if (Date.now() > end) throw new Error('Chromium did not start');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const port = readFileSync(portFile, 'utf8').split('\n')[0] ?? '';
    this.#browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    return this.#browser;
  }

  async context(): Promise<BrowserContext> {
    const browser = this.#browser ?? (await this.#start());
    const [context] = browser.contexts();
    if (!context) throw new Error('The browser has no context');
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  }

  /** A new tab at the address. */
  async open(address: string): Promise<Page> {
    const page = await (await this.context()).newPage();
    await page.goto(address);
    return page;
  }

  /** Closes every tab and removes what the site left; the browser goes on. */
  async leave(address: string): Promise<void> {
    const context = await this.context();
    // Without its first, blank tab the browser would end.
    const [blank, ...pages] = context.pages();
    await Promise.all(pages.map((page) => page.close()));
    if (!blank) return;
    const client = await context.newCDPSession(blank);
    // Cookies are those of a host, whatever its port, and a port may come again.
    await client.send('Storage.clearDataForOrigin', { origin: address, storageTypes: 'all' });
    await client.detach();
  }

  /** Ends every process of the browser at once, as a power cut would. */
  async kill(): Promise<void> {
    const { pid, exitCode } = this.#process ?? {};
    if (pid !== undefined && exitCode === null) {
      const gone = new Promise((resolve) => this.#process?.once('exit', resolve));
      process.kill(-pid, 'SIGKILL');
      await gone;
    }
    this.#process = undefined;
    this.#browser = undefined;
  }

  /** Ends the browser and forgets the profile. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
