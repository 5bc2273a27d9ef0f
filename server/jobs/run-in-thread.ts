// Processes untrusted input in a thread of its own: exceeding the time or memory limit ends the thread, not the server.
import { once } from 'node:events';
import { Worker, type Transferable } from 'node:worker_threads';
import { TIMEOUTS } from '../limits.ts';
import { createIdleWorkers } from './idle-workers.ts';

export interface ThreadLimits {
  memoryMb: number;
  /** Milliseconds of the processor for a thread, by the clock for a process, both once it has loaded. */
  limitMs: number;
}

/**
 * Wall-clock limit of a thread as a multiple of its CPU limit. It ends one that sleeps forever, but not one that waits on a
 * busy machine.
 */
const CLOCK_FACTOR = 10;
const CHECKS_PER_LIMIT = 20;

const { NODE_COMPILE_CACHE } = process.env;

/**
 * The environment of code that parses untrusted input: none of our variables except Node's compile cache, which halves the
 * start time of a thread.
 */
export const READER_ENV: Readonly<Record<string, string>> =
  NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

const idleThreads = createIdleWorkers<Worker>({
  hasEnded: (worker) => worker.threadId === -1,
  end: (worker) => void worker.terminate(),
});

/**
 * Sends `input`, to which the ports in `transferList` move, to a thread of the module, which calls `serveParent`, and
 * resolves to its reply.
 * @returns undefined when the thread crashed or exceeded its limits
 */
export async function runInThread<T>(
  module: URL,
  input: unknown,
  { memoryMb, limitMs }: ThreadLimits,
  transferList: Transferable[] = [],
): Promise<T | undefined> {
  const kind = `${module.href} ${memoryMb}`;
  const worker = idleThreads.take(kind) ?? (await startThread(module, memoryMb));
  if (worker === undefined) return undefined;
  let reply: T | undefined;
  try {
    reply = await callThread<T>(worker, input, limitMs, transferList);
    return reply;
  } finally {
    if (reply === undefined) await worker.terminate();
    else {
      // It does not keep the server running.
      worker.unref();
      idleThreads.keep(kind, worker);
    }
  }
}

/** A thread that has loaded its module; undefined when it could not. */
export async function startThread(
  module: URL,
  memoryMb: number,
  workerData?: unknown,
): Promise<Worker | undefined> {
  const worker = new Worker(module, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    execArgv: [],
    env: READER_ENV,
    stdout: true,
    stderr: true,
  });
  // An error between two calls ends the thread like any other, and must not end the server.
  worker.on('error', () => undefined);
  const isReady = await nextMessage(worker, (end) => {
    const deadline = setTimeout(end, TIMEOUTS.workerStart);
    return () => clearTimeout(deadline);
  });
  if (isReady !== undefined) return worker;
  await worker.terminate();
  return undefined;
}

/**
 * Sends the next input to a thread and resolves to its reply; one call at a time.
 * @returns undefined when the thread crashed or exceeded the limit, in milliseconds of the processor; it is of no use then
 */
export function callThread<T>(
  worker: Worker,
  input: unknown,
  limitMs: number,
  transferList: Transferable[] = [],
): Promise<T | undefined> {
  const reply = nextMessage<T>(worker, (end) => {
    const before = worker.cpuUsage().catch(hasEnded);
    const deadline = setTimeout(end, limitMs * CLOCK_FACTOR);
    const check = setInterval(() => {
      void spentMs(worker, before).then((spent) => spent > limitMs && end());
    }, limitMs / CHECKS_PER_LIMIT);
    return () => {
      clearTimeout(deadline);
      clearInterval(check);
    };
  });
  worker.postMessage(input, transferList);
  return reply;
}

/** The next message of a thread; undefined when it ends before, or `limit` calls back. */
async function nextMessage<T>(
  worker: Worker,
  limit: (end: () => void) => () => void,
): Promise<T | undefined> {
  // It ended before, so its end is not announced again.
  if (worker.threadId === -1) return undefined;
  const ended = new AbortController();
  const end = () => ended.abort();
  worker.once('exit', end);
  const stop = limit(end);
  try {
    // An error of the thread, its memory limit included, rejects this as well.
    const [value]: T[] = await once(worker, 'message', { signal: ended.signal });
    return value;
  } catch {
    return undefined;
  } finally {
    stop();
    worker.off('exit', end);
  }
}

/** Processor time of a thread since an earlier reading, in milliseconds; 0 once it has ended. */
async function spentMs(worker: Worker, before: Promise<NodeJS.CpuUsage | undefined>): Promise<number> {
  const usage = await worker.cpuUsage(await before).catch(hasEnded);
  return usage === undefined ? 0 : (usage.user + usage.system) / 1_000;
}

function hasEnded(): undefined {
  return undefined;
}
