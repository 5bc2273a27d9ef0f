/** A search worker: connects the host to the thread that started it, with connections of its own to the database. */
import { parentPort, workerData } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../db/database.ts';
import { IndexCache } from './index-cache.ts';
import { find } from './search-host.ts';
import { VectorCache } from './vector-cache.ts';
import { readWordVectors } from './word-vectors.ts';
import type { FromSearchWorker, SearchWorkerData, ToSearchWorker } from './search-protocol.ts';

const MAINTAIN_MS = 2_000;
const SWEEP_MS = 60 * 60_000;
/** Two, so that building an index does not delay other searches. */
const CONNECTIONS = 2;

const port = parentPort;
if (!port) throw new Error('search-worker.ts runs as a worker');
// The only sender is our own pool.
const { databaseUrl, folder, capacity, vectorCapacity } = workerData as SearchWorkerData;
const post = (message: FromSearchWorker): void => port.postMessage(message);
const warn = (what: string, error: unknown): void =>
  post({ type: 'warning', message: `${what}: ${String(error)}` });

const { db } = openDatabase({
  url: databaseUrl,
  name: 'loci search',
  size: CONNECTIONS,
  onError: (error) => warn('an idle search connection broke', error),
});
const cache = new IndexCache({ db, folder, capacity });
const parts = { db, cache, wordVectors: readWordVectors() };
const vectors = new VectorCache({ db, capacity: vectorCapacity });

async function answer({ call, request, indexMs }: ToSearchWorker): Promise<FromSearchWorker> {
  const ended = new AbortController();
  try {
    const found = await Promise.race([
      'find' in request ? find(parts, request.find) : vectors.nearest(request.near),
      sleep(indexMs, undefined, { signal: ended.signal }),
    ]);
    return found ? { type: 'found', call, found } : { type: 'unready', call };
  } catch (error) {
    return { type: 'unready', call, message: String(error) };
  } finally {
    ended.abort();
  }
}

port.on('message', (message: ToSearchWorker) => void answer(message).then(post));

/** Does some work again and again, never twice at a time. */
function repeat(work: () => Promise<void>, everyMs: number): void {
  setTimeout(() => {
    void work()
      .catch((error: unknown) => warn('the search indexes could not be looked after', error))
      .finally(() => repeat(work, everyMs));
  }, everyMs);
}

repeat(() => cache.maintain(), MAINTAIN_MS);
repeat(() => vectors.maintain(), MAINTAIN_MS);
repeat(() => cache.sweep(), SWEEP_MS);
