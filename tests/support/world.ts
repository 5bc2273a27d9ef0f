/**
 * A whole server for one test file: fresh database, the real app on a random port, and a clock the test moves.
 * It knows no feature; builders and agents stand beside it and take a world.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { createApp } from '#server/app.ts';
import type { Clock } from '#server/clock.ts';
import { parseConfig } from '#server/config.ts';
import { createContext, type Context } from '#server/context.ts';
import { createEffects } from '#server/effects.ts';
import { createJobHandlers } from '#server/job-handlers.ts';
import { createLog } from '#server/log.ts';
import { afterAll } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** The moment at which every world begins. */
export const WORLD_START = new Date('2026-07-01T12:00:00.000Z');

/** A clock that stands still until the test moves it. */
export interface TestClock extends Clock {
  advance(ms: number): void;
  set(moment: Date): void;
}

/** Everything a test of the server needs; `close` in afterAll. */
export interface World {
  database: TestDatabase;
  context: Context;
  clock: TestClock;
  /** Base address of the app, without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

/** What a test may want different from the defaults. */
export interface WorldOptions {
  env?: Readonly<Record<string, string>>;
  /** True mounts pages and files too, which need a build. */
  web?: boolean;
  /** True works on jobs; false (default) leaves them waiting. */
  jobs?: boolean;
  /** A second server on the same database, as two processes would be. */
  database?: TestDatabase;
}

/** A clock for tests. */
export function createTestClock(start: Date = WORLD_START): TestClock {
  let moment = start.getTime();
  return {
    now: () => new Date(moment),
    advance: (ms) => {
      moment += ms;
    },
    set: (next) => {
      moment = next.getTime();
    },
  };
}

/** Builds a world; takes tens of milliseconds. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const database = options.database ?? (await createTestDatabase());
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'loci-world-'));
  const clock = createTestClock();
  const config = parseConfig({
    LOCI_ENV: 'test',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'error',
    // Tests reach nothing beyond this machine.
    EGRESS: 'none',
    APP_ORIGIN: 'http://localhost:4000',
    ...options.env,
  });
  const owned = createContext({
    config,
    databaseUrl: database.url,
    clock,
    log: createLog(config.logLevel),
    effects: createEffects,
  });
  if (options.jobs) await owned.context.jobs.start(createJobHandlers(owned.context));
  const server = createServer();
  // As the product's: a shorter one may end a connection in the moment in which a test uses it again.
  server.keepAliveTimeout = 65_000;
  const app = await createApp(owned.context, { server, web: options.web ?? false });
  server.on('request', app.express);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the test server has no port');
  return {
    database,
    context: owned.context,
    clock,
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      owned.beginStop();
      server.close();
      server.closeAllConnections();
      await app.close();
      await owned.context.jobs.stop();
      await owned.close();
      if (!options.database) await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Where a public address of the application is served on this machine; other addresses stay as they are. Whole origins are
 * compared: the port of another server of a test may begin with the digits of the application's.
 */
export function reachable(world: World, address: string | URL): URL {
  const url = new URL(address);
  if (url.origin !== world.context.config.appOrigin) return url;
  return new URL(url.pathname + url.search, world.url);
}

/** A world for all tests of a file, which closes itself after them; call it at the top of the file. */
export async function openWorld(options?: WorldOptions): Promise<World> {
  const world = await createWorld(options);
  afterAll(() => world.close());
  return world;
}
