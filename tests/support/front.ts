/**
 * The built site for tests: builds the client when the sources changed, and serves it.
 * Knows build commands and the front's mount; the API is whatever a test hands in.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import express, { type Express } from 'express';
import { createMarkdownThreads } from '#server/markdown/markdown-threads.ts';
import { mountWeb } from '#server/ssr/web.ts';
import type { CallApi } from '#shared/site/render.ts';

const root = path.resolve(import.meta.dirname, '../..');
const lock = path.join(root, 'node_modules/.cache/build.lock');

/** Builds dist/ unless it is current. When several test files call this at once, one builds and the others wait. */
export async function ensureBuilt(): Promise<void> {
  mkdirSync(path.dirname(lock), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      // Another process builds. A lock older than two minutes belongs to a dead run.
      if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > 120_000)
        rmSync(lock, { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  try {
    execFileSync(process.execPath, [path.join(root, 'server/build.ts')], { stdio: 'pipe' });
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

export interface Front {
  origin: string;
  app: Express;
  close(): Promise<void>;
}

/** Serves the built site on a free port. `callApi` returns the data of page loaders; by default nothing exists. */
export async function startFront(
  callApi: CallApi = async () => [],
  prepare?: (app: Express) => void,
): Promise<Front> {
  await ensureBuilt();
  const app = express();
  prepare?.(app);
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The test server has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  const markdown = createMarkdownThreads();
  const web = await mountWeb(app, { mode: 'production', publicOrigin: origin, callApi, markdown });
  return {
    origin,
    app,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await web.close();
      markdown.close();
    },
  };
}
