/**
 * What every browser story starts from: `test` with a running server. Stories of one worker share `server`; a story
 * that stops, kills or fills its server asks for `ownServer` instead.
 */
import { freemem, loadavg, totalmem } from 'node:os';
import { type Page, type TestInfo, test as base } from '@playwright/test';
import { forgetEndedServers, startedServers, startStoryServer, type StoryServer } from './servers.ts';

/** Until the script of a public page answers (client/islands.ts). */
export async function started(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('loci-started').length > 0);
}

export { expect } from '@playwright/test';

interface StoryFixtures {
  /** A server of this story alone; `page.goto` still needs its full url. */
  ownServer: StoryServer;
  /** Tells of a failure what the machine and the servers were doing. */
  failureReport: void;
}

interface WorkerFixtures {
  server: StoryServer;
}

/** Lines of a server's log that the report of a failure holds. */
const LOG_LINES = 40;
const GIB = 1024 ** 3;

let stories = 0;

/** Attaches and prints what a reader of the report wants to know before running the story again. */
async function reportFailure(info: TestInfo): Promise<void> {
  const load = loadavg().map((value) => value.toFixed(1));
  const memory = [freemem(), totalmem()].map((bytes) => (bytes / GIB).toFixed(1));
  const logs = [...startedServers].map(({ url, output }) => {
    const lines = output().trimEnd().split('\n').slice(-LOG_LINES);
    return `The last lines of the server at ${url}:\n${lines.join('\n')}`;
  });
  const body = [`load ${load.join(' ')}, ${memory[0]} of ${memory[1]} GB free`, ...logs].join('\n\n');
  await info.attach('machine and servers', { body, contentType: 'text/plain' });
  console.error(`${info.titlePath.join(' › ')}\n${body}\n`);
}

/** Playwright's test, with servers; relative addresses mean the shared one. */
export const test = base.extend<StoryFixtures, WorkerFixtures>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape.
    async ({}, run) => {
      const server = await startStoryServer();
      await run(server);
      await server.dispose();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, run) => run(server.url),
  // The address that this story's browsers are known by, so that no story uses up the quota of another.
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape.
  extraHTTPHeaders: async ({}, run, { workerIndex }) => {
    stories += 1;
    await run({ 'x-forwarded-for': `10.${workerIndex % 256}.${stories % 256}.1` });
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape.
  ownServer: async ({}, run) => {
    const server = await startStoryServer();
    await run(server);
    await server.dispose();
  },
  failureReport: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape.
    async ({}, run, info) => {
      forgetEndedServers();
      await run();
      if (info.status !== info.expectedStatus) await reportFailure(info);
    },
    { auto: true },
  ],
});
