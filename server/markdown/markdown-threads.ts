// Markdown of people rendered beside the server's main thread: one thread per server, started with the first text.
import { Worker } from 'node:worker_threads';
import {
  createRenderQueue,
  type RenderQueue,
  type RenderQueueOptions,
} from '#shared/markdown/render-queue.ts';
import type { MarkdownReply } from '#shared/markdown/render-task.ts';
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
      let before: Promise<NodeJS.CpuUsage | undefined>;
      return {
        send(request) {
          before = worker.cpuUsage().catch(ended);
          worker.postMessage(request);
        },
        async spentMs() {
          const { user, system } = (await worker.cpuUsage(await before).catch(ended)) ?? {
            user: 0,
            system: 0,
          };
          return (user + system) / 1_000;
        },
        terminate: () => void worker.terminate(),
      };
    },
  });
}

/** An ended thread has nothing to measure; the queue detects its end by itself. */
function ended(): undefined {
  return undefined;
}
