// Work on what people send, in a thread of its own: what takes too long or too much memory ends its thread, not the server.
import { once } from 'node:events';
import { Worker, type Transferable } from 'node:worker_threads';

/** What a thread may take. */
export interface ThreadLimits {
  memoryMb: number;
  /** Milliseconds of the processor for a thread, by the clock for a process. */
  limitMs: number;
}

/**
 * By the clock a thread may take so much longer: on a busy machine it waits for its turn, and has done nothing wrong. No more
 * than that, because the lease of a capture runs meanwhile.
 */
const CLOCK_FACTOR = 2;
const CHECKS_PER_LIMIT = 20;

const { NODE_COMPILE_CACHE } = process.env;

/**
 * The environment of code that reads what others wrote: nothing of ours, but where Node keeps what it compiled: a
 * thread that finds its modules there starts in half the time.
 */
export const READER_ENV: Readonly<Record<string, string>> =
  NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/**
 * Starts the module with `workerData`, to which the ports in `transferList` move, and resolves to the first message that it posts.
 * @returns undefined when the thread crashed or exceeded its limits
 */
export async function runInThread<T>(
  module: URL,
  workerData: unknown,
  { memoryMb, limitMs }: ThreadLimits,
  transferList: Transferable[] = [],
): Promise<T | undefined> {
  const worker = new Worker(module, {
    workerData,
    transferList,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    execArgv: [],
    env: READER_ENV,
    stdout: true,
    stderr: true,
  });
  const ended = new AbortController();
  const deadline = setTimeout(() => ended.abort(), limitMs * CLOCK_FACTOR);
  const check = setInterval(() => {
    void spentMs(worker).then((spent) => spent > limitMs && ended.abort());
  }, limitMs / CHECKS_PER_LIMIT);
  try {
    // An error of the thread, its memory limit included, rejects this as well.
    const [value]: T[] = await once(worker, 'message', { signal: ended.signal });
    return value;
  } catch {
    return undefined;
  } finally {
    clearTimeout(deadline);
    clearInterval(check);
    await worker.terminate();
  }
}

/** Processor time of a thread in milliseconds; 0 once it has ended. */
async function spentMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return 0;
  }
}
