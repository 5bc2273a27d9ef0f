// A replica whose worker is an engine of the same process, for tests without a browser. Messages are cloned and
// delivered later, as between threads.
import { SYNC } from '#shared/sync/limits.ts';
import type { Id } from '#shared/ids.ts';
import { Replica } from '#client/replica/replica.ts';
import type { FromWorker, WorkerPort } from '#client/replica/wire.ts';
import { packedStore } from '#client/replica/worker/kv-store.ts';
import { createEngine, type EngineOptions } from '#client/replica/worker/engine.ts';

/** A port to an engine in this process. */
export function enginePort(options: Omit<EngineOptions, 'post'>): WorkerPort {
  const listeners: ((message: FromWorker) => void)[] = [];
  const engine = createEngine({
    ...options,
    post: (message) => {
      const copy = structuredClone(message);
      queueMicrotask(() => listeners.forEach((listener) => listener(copy)));
    },
  });
  return {
    send: (message) => engine.receive(structuredClone(message)),
    listen: (listener) => listeners.push(listener),
    terminate: () => undefined,
  };
}

/** A replica of a person whose server is the given fetch; everything stays in memory by default. */
export function replicaInProcess(given: {
  userId: Id<'user'>;
  fetch: typeof fetch;
  kvStore?: EngineOptions['kvStore'];
  check?: EngineOptions['check'];
  /** What stands between page and worker. */
  between?: (port: WorkerPort) => WorkerPort;
}): Replica {
  const { fetch, kvStore = packedStore, check } = given;
  const port = enginePort({ fetch, kvStore, ...(check ? { check } : {}) });
  return new Replica({
    port: given.between?.(port) ?? port,
    session: { userId: given.userId, token: 'token', apiBase: '', memoryOnly: given.kvStore === undefined },
  });
}

function isThere<T>(value: T): value is Exclude<T, false | undefined | null> {
  return value !== false && value !== undefined && value !== null;
}

/** Waits until the condition holds; fails with its last value after the time. */
export async function until<T>(
  read: () => T | Promise<T>,
  timeoutMs = 60_000,
): Promise<Exclude<T, false | undefined | null>> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (isThere(value)) return value;
    if (Date.now() > end) throw new Error(`Still ${String(value)} after ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** How long the watchdog waits, with a margin for slow machines. */
export const WATCHDOG_WAIT_MS = SYNC.watchdogMs + 3_000;
