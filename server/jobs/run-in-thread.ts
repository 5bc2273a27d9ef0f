// Processes untrusted input in a thread of its own: exceeding the time or memory limit ends the thread, not the server.
import { Worker } from 'node:worker_threads';
import { TIMEOUTS } from '../limits.ts';
import { createWorkerPool, nextMessage } from './worker-pool.ts';

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

const runInPool = createWorkerPool<Worker>({ hasEnded, end: (worker) => worker.terminate() });

/**
 * Sends `input` to a thread of the module, which calls `serveParent`, and resolves to its reply.
 * @returns undefined when the thread crashed or exceeded its limits
 */
export function runInThread<T>(
  module: URL,
  input: unknown,
  { memoryMb, limitMs }: ThreadLimits,
): Promise<T | undefined> {
  return runInPool<T>(
    `${module.href} ${memoryMb}`,
    () => startThread(module, memoryMb),
    (worker) => callThread<T>(worker, input, limitMs),
  );
}

/** A thread that has loaded its module; undefined when it could not. */
export async function startThread(module: URL, memoryMb: number): Promise<Worker | undefined> {
  const worker = new Worker(module, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    execArgv: [],
    env: READER_ENV,
    stdout: true,
    stderr: true,
  });
  // While idle it does not keep the server running; an error between two calls is followed by its exit.
  worker.unref();
  worker.on('error', () => undefined);
  const isReady = await nextMessage(worker, { elapsedMs: TIMEOUTS.workerStart });
  if (isReady !== undefined) return worker;
  await worker.terminate();
  return undefined;
}

/**
 * Sends the next input to a thread and resolves to its reply; one call at a time.
 * @returns undefined when the thread crashed or exceeded the limit, in milliseconds of the processor; it is of no use then
 */
export async function callThread<T>(worker: Worker, input: unknown, limitMs: number): Promise<T | undefined> {
  // Its end is not announced again.
  if (hasEnded(worker)) return undefined;
  const spentMs = measureThread(worker);
  const reply = nextMessage<T>(worker, {
    elapsedMs: limitMs * CLOCK_FACTOR,
    exceeds: async () => (await spentMs()) > limitMs,
    everyMs: limitMs / CHECKS_PER_LIMIT,
  });
  worker.postMessage(input);
  return reply;
}

/** Starts to measure; the result returns the processor time of the thread since then, in milliseconds, 0 once it has ended. */
export function measureThread(worker: Worker): () => Promise<number> {
  const usageSince = (before?: NodeJS.CpuUsage) => worker.cpuUsage(before).catch(() => undefined);
  const before = usageSince();
  return async () => {
    const { user, system } = (await usageSince(await before)) ?? { user: 0, system: 0 };
    return (user + system) / 1_000;
  };
}

function hasEnded(worker: Worker): boolean {
  return worker.threadId === -1;
}
