/**
 * Whether this process is alive, whether it should get traffic, and whether there is room to write.
 * Parts with a condition of their own add a check; none of this needs a login.
 */
import { statfs } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Router, type RequestHandler } from 'express';
import { AppError, toFailure } from '#shared/errors.ts';
import type { Context } from '../context.ts';
import { isMigrated } from '../db/migrate.ts';
import { TIMEOUTS } from '../limits.ts';
import { callsAt } from './calls.ts';

/** Below this, writes are refused while reads go on. */
export const MIN_FREE_BYTES = 512 * 1024 * 1024;

const DISK_CHECK_INTERVAL_MS = 5_000;

type ReadinessCheck = () => Promise<boolean>;

/** Free bytes on the disk of a folder; a test may replace it. */
export type FreeBytes = (folder: string) => Promise<number>;

const freeBytesOf: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

export interface Health {
  routes: Router;
  /** Refuses writes while the disk is nearly full. */
  refuseWritesWhenFull: RequestHandler;
  /** Whether there is room for writes, for callers outside of the routes of the API. */
  hasRoom: () => Promise<boolean>;
}

/** Builds both for a context; loop lag is measured from now on. */
export function createHealth(context: Context, freeBytes: FreeBytes = freeBytesOf): Health {
  const loop = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();
  const hasRoom = cached(
    DISK_CHECK_INTERVAL_MS,
    async () => (await freeBytes(context.config.dataDir)) >= MIN_FREE_BYTES,
  );
  const checks: Record<string, ReadinessCheck> = {
    database: async () => (await context.pool.query('select 1')).rowCount === 1,
    migrations: () => isMigrated(context.pool),
    disk: hasRoom,
    accepting: async () => !context.stopping.aborted,
  };
  const routes = Router();
  routes.get('/healthz', (_req, res) => {
    const lagMs = Math.round(loop.percentile(99) / 1e6);
    loop.reset();
    res
      .status(lagMs < TIMEOUTS.eventLoop ? 200 : 503)
      .json({ status: lagMs < TIMEOUTS.eventLoop ? 'ok' : 'slow', lagMs });
  });
  routes.get('/readyz', async (_req, res) => {
    const results = await Promise.all(
      Object.entries(checks).map(
        async ([name, check]) => [name, await within(TIMEOUTS.readiness, check)] as const,
      ),
    );
    const ready = results.every(([, passed]) => passed);
    res
      .status(ready ? 200 : 503)
      .json({ status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(results) });
  });
  const refuseWritesWhenFull: RequestHandler = async (req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD' || req.method === 'OPTIONS') return next();
    if (isSpaceless(req.method, req.baseUrl + req.path) || (await hasRoom())) return next();
    const failure = outOfSpace();
    res.status(failure.status).set('Retry-After', String(failure.retryAfter)).json(toFailure(failure));
  };
  return { routes, refuseWritesWhenFull, hasRoom };
}

/** The failure of a write while the disk is nearly full. */
export function outOfSpace(): AppError {
  return new AppError('unavailable', 'The server is out of disk space; reading still works', {
    retryAfter: 60,
  });
}

/** People can still read, search, sync their replica and sign in and out. */
function isSpaceless(method: string, path: string): boolean {
  return callsAt(path).some((call) => call.method === method && call.spaceless === true);
}

/** A check that fails or takes too long has not passed; readiness must respond either way. */
async function within(timeoutMs: number, check: ReadinessCheck): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  try {
    return await Promise.race([check(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the check at most once per interval and returns the last result in between. */
function cached(intervalMs: number, ask: () => Promise<boolean>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  let asked = -Infinity;
  return () => {
    if (answer && performance.now() - asked < intervalMs) return answer;
    asked = performance.now();
    answer = ask();
    return answer;
  };
}
