/**
 * What every browser story starts from: `test` with a running server. Stories of one worker share `server`; a story
 * that stops, kills or fills its server asks for `ownServer` instead.
 */
import { type Page, test as base } from '@playwright/test';
import { startStoryServer, type StoryServer } from './servers.ts';

/** Until the script of a public page answers (client/islands.ts). */
export async function started(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('loci-started').length > 0);
}

export { expect } from '@playwright/test';

interface StoryFixtures {
  /** A server of this story alone; `page.goto` still needs its full url. */
  ownServer: StoryServer;
}

interface WorkerFixtures {
  server: StoryServer;
}

let stories = 0;

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
});
