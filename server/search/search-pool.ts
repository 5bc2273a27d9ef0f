/**
 * The server's side of search: workers that hold the indexes, started on first use, each for its share of the
 * workspaces. When a worker is slow, overloaded or dead, callers search the database instead.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Config } from '../config.ts';
import { countWait } from '../db/waiting-time.ts';
import { TIMEOUTS } from '../limits.ts';
import type { Logger } from '../log.ts';
import type {
  FindRequest,
  Found,
  FromSearchWorker,
  NearMemory,
  NearRequest,
  SearchResponse,
  SearchWorkerData,
  ToSearchWorker,
} from './search-protocol.ts';

export interface SearchPool {
  /** One page, or undefined when no worker found it in time. `indexMs` may be longer than for a person who types. */
  find(request: FindRequest, indexMs?: number): Promise<Found | undefined>;
  /** The memories nearest to a vector, best first; undefined when no worker found them in time. */
  near(request: NearRequest): Promise<NearMemory[] | undefined>;
  /** Threads that run now, for tests. */
  threads(): readonly Worker[];
  close(): Promise<void>;
}

/** Searches that may wait for one worker. */
const WAITING_MAX = 200;
/** After its end a worker stays down for so long, so that what ended it does not do so at each search. */
const RESTART_MS = 1_000;
const WORKERS_MAX = 2;
/** A worker beyond this ends instead of the process; its indexes are outside of this heap. */
const HEAP_MB = 512;
/** Share of the search memory for vectors, where an embedding model is set. */
const VECTOR_SHARE = 0.5;

interface Shard {
  worker: Worker | undefined;
  /** Not before this time, by `performance.now`. */
  startAt: number;
  waiting: Map<number, (found: SearchResponse | undefined) => void>;
}

/** A pool; no worker runs before the first search. */
export function createSearchPool(given: { config: Config; databaseUrl: string; log: Logger }): SearchPool {
  const { config, databaseUrl, log } = given;
  const size = Math.max(1, Math.min(WORKERS_MAX, availableParallelism() - 1));
  const bytes = (config.searchMemoryMb * 1024 * 1024) / size;
  const vectorCapacity = config.embeddings === undefined ? 0 : bytes * VECTOR_SHARE;
  const workerData: SearchWorkerData = {
    databaseUrl,
    folder: path.join(config.dataDir, 'search'),
    capacity: bytes - vectorCapacity,
    vectorCapacity,
  };
  const shards = Array.from({ length: size }, (): Shard => ({
    worker: undefined,
    startAt: 0,
    waiting: new Map(),
  }));
  let calls = 0;
  let closed = false;

  function start(shard: Shard): Worker {
    const worker = new Worker(new URL('./search-worker.ts', import.meta.url), {
      name: 'search',
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    worker.unref();
    worker.on('message', (message: FromSearchWorker) => {
      if ('message' in message && message.message !== undefined) log.warn(`search: ${message.message}`);
      if (message.type === 'warning') return;
      shard.waiting.get(message.call)?.(message.type === 'found' ? message.found : undefined);
    });
    worker.on('error', (error) => log.error({ error }, 'a search worker failed'));
    worker.on('exit', () => {
      if (shard.worker !== worker) return;
      shard.worker = undefined;
      shard.startAt = performance.now() + RESTART_MS;
      for (const settle of shard.waiting.values()) settle(undefined);
    });
    return worker;
  }

  async function ask(
    workspaceId: string,
    request: ToSearchWorker['request'],
    indexMs: number = TIMEOUTS.searchIndex,
  ): Promise<SearchResponse | undefined> {
    const shard = shards[shardOf(workspaceId, size)];
    const isDown = !shard?.worker && performance.now() < (shard?.startAt ?? 0);
    if (!shard || closed || isDown || shard.waiting.size >= WAITING_MAX) return undefined;
    shard.worker ??= start(shard);
    const { worker, waiting } = shard;
    calls += 1;
    const call = calls;
    const reply = new Promise<SearchResponse | undefined>((resolve) => {
      const settle = (found: SearchResponse | undefined): void => {
        clearTimeout(deadline);
        waiting.delete(call);
        resolve(found);
      };
      const deadline = setTimeout(() => settle(undefined), indexMs + TIMEOUTS.searchThread);
      waiting.set(call, settle);
      worker.postMessage({ call, request, indexMs } satisfies ToSearchWorker);
    });
    return countWait(() => reply);
  }

  return {
    async find(request, indexMs) {
      const found = await ask(request.workspaceId, { find: request }, indexMs);
      return Array.isArray(found) ? undefined : found;
    },
    async near(request) {
      const found = await ask(request.workspaceId, { near: request });
      return Array.isArray(found) ? found : undefined;
    },
    threads: () => shards.flatMap(({ worker }) => worker ?? []),
    async close() {
      closed = true;
      await Promise.all(shards.map(async ({ worker }) => worker?.terminate()));
    },
  };
}

function shardOf(workspaceId: string, size: number): number {
  return createHash('sha1').update(workspaceId).digest().readUInt32BE() % size;
}
