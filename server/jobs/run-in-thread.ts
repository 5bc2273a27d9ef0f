// Work on what people send, in a thread of its own: what takes too long or too much memory ends its thread, not the server.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What a thread may take. */
export interface ThreadLimits {
  memoryMb: number;
  /** Milliseconds. */
  limitMs: number;
}

/**
 * Starts the module with `workerData` and resolves to the first message that it posts.
 * @returns undefined when the thread crashed or exceeded its limits
 */
export async function runInThread<T>(
  module: URL,
  workerData: unknown,
  { memoryMb, limitMs }: ThreadLimits,
): Promise<T | undefined> {
  const worker = new Worker(module, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    execArgv: [],
    // Nothing of ours for code that reads what others wrote.
    env: {},
    stdout: true,
    stderr: true,
  });
  const signal = AbortSignal.timeout(limitMs);
  try {
    // An error of the thread, its memory limit included, rejects this as well.
    const [value]: T[] = await once(worker, 'message', { signal });
    return value;
  } catch {
    return undefined;
  } finally {
    await worker.terminate();
  }
}
