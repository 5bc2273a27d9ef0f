/** `npm run dev` as a builder uses it: one port for everything, hot updates in the page, a new server after an edit. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { takePort } from '../support/ports.ts';
import { endDatabase } from '../support/server-process.ts';
import { logInAsDemo } from './support/demo.ts';
import { expect, test } from './support/stories.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Saves a file as it is: its time changes, its text does not. */
function save(file: string): void {
  const absolute = path.join(ROOT, file);
  utimesSync(absolute, statSync(absolute).atime, new Date());
}

interface Running {
  child: ChildProcess;
  url: string;
  dataDir: string;
  output: () => string;
}

async function runDev(): Promise<Running> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'loci-dev-'));
  chmodSync(dataDir, 0o711);
  const port = await takePort();
  const child = spawn('npm', ['run', 'dev'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A terminal gives Ctrl-C to all programs of the foreground: they are one group.
    detached: true,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, url: `http://localhost:${port}`, dataDir, output: () => output };
}

const starts = ({ output, url }: Running): number => output().split(`Loci is ready at ${url}\n`).length - 1;

/** Until it has started so many times; a failure shows what it wrote until then. */
async function untilStarted(dev: Running, times: number): Promise<void> {
  try {
    await expect.poll(() => starts(dev)).toBe(times);
  } catch (error) {
    throw new Error(`The development server wrote:\n${dev.output()}`, { cause: error });
  }
}

test.describe('npm run dev', () => {
  let dev: Running;
  test.beforeEach(async () => {
    dev = await runDev();
  });
  test.afterEach(async () => {
    if (dev.child.exitCode === null && dev.child.pid !== undefined) process.kill(-dev.child.pid, 'SIGKILL');
    await endDatabase(dev.dataDir);
    rmSync(dev.dataDir, { recursive: true, force: true });
  });

  test('updates the page while it is open, restarts with the server, and ends with Ctrl-C @long', async ({
    page,
  }) => {
    await untilStarted(dev, 1);
    const updated: string[] = [];
    page.on('console', (message) => updated.push(message.text()));

    await test.step('the demo signs in and sees its memories', async () => {
      await logInAsDemo(page, dev.url);
    });

    await test.step('a saved component is replaced in the open page', async () => {
      await page.evaluate(() => document.documentElement.setAttribute('data-stayed', ''));
      save('client/memories/memory-row.tsx');
      await expect.poll(() => updated.join('\n')).toMatch(/hot updated: .*memory-row/);
      await expect(page.locator('html[data-stayed]')).toHaveCount(1);
    });

    await test.step('a saved file of the server starts it anew', async () => {
      save('server/log.ts');
      // Its log is the first that the new one writes. Less than the 30 s after which a stop is cut short: the open
      // page's connection must not hold up the old server.
      await expect
        .poll(() => dev.output().split('finishing requests, then stopping')[1] ?? '')
        .toContain('Starting content-collections');
      await untilStarted(dev, 2);
      expect((await page.request.get(`${dev.url}/readyz`)).status()).toBe(200);
    });

    await test.step('Ctrl-C ends the server and its database', async () => {
      const ended = once(dev.child, 'exit');
      if (dev.child.pid !== undefined) process.kill(-dev.child.pid, 'SIGINT');
      await ended;
      await expect.poll(() => existsSync(path.join(dev.dataDir, 'postgres/data/postmaster.pid'))).toBe(false);
    });
  });
});
