/**
 * What every browser story starts from: `test` with a running server. Stories of one worker share `server`; a story
 * that stops, kills or fills its server asks for `ownServer` instead.
 */
import { type Page, test as base } from '@playwright/test';
import { startServerProcess, type ServerProcess } from '../../support/server-process.ts';

/** Until the script of a public page answers (client/islands.ts). */
export async function started(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('loci-started').length > 0);
}

export { expect } from '@playwright/test';

interface StoryFixtures {
  /** A server of this story alone; `page.goto` still needs its full url. */
  ownServer: ServerProcess;
}

interface WorkerFixtures {
  server: ServerProcess;
}

/** Playwright's test, with servers; relative addresses mean the shared one. */
export const test = base.extend<StoryFixtures, WorkerFixtures>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape.
    async ({}, run) => {
      const server = await startServerProcess();
      await run(server);
      await server.dispose();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, run) => run(server.url),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape.
  ownServer: async ({}, run) => {
    const server = await startServerProcess();
    await run(server);
    await server.dispose();
  },
});
