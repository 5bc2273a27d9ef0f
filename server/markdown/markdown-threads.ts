// Markdown of people rendered beside the server's main thread: one thread per server, started with the first text.
import { Worker } from 'node:worker_threads';
import {
  createRenderQueue,
  type RenderQueue,
  type RenderQueueOptions,
} from '#shared/markdown/render-queue.ts';
import type { MarkdownReply } from '#shared/markdown/render-task.ts';
import { measureThread } from '../jobs/run-in-thread.ts';
import { TIMEOUTS } from '../limits.ts';

const WORKER = new URL('./markdown-worker.ts', import.meta.url);
/** A text that needs more than this ends its thread and is shown as it is. */
const MEMORY_MB = 256;

/** Starts no thread before the first text. */
export function createMarkdownThreads(limits: Omit<RenderQueueOptions, 'start'> = {}): RenderQueue {
  return createRenderQueue({
    budgetMs: TIMEOUTS.markdown,
    limitMs: TIMEOUTS.markdownElapsed,
    waitMs: TIMEOUTS.markdownQueue,
    startMs: TIMEOUTS.workerStart,
    ...limits,
    start({ onReady, onReply, onFailure }) {
      const worker = new Worker(WORKER, {
        resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
        execArgv: [],
      });
      worker.unref();
      worker.on('message', (message: 'ready' | MarkdownReply) => {
        if (message === 'ready') onReady();
        else onReply(message);
      });
      worker.on('error', onFailure);
      worker.on('exit', onFailure);
      let spentMs = async () => 0;
      return {
        send(request) {
          spentMs = measureThread(worker);
          worker.postMessage(request);
        },
        spentMs: () => spentMs(),
        terminate: () => void worker.terminate(),
      };
    },
  });
}
