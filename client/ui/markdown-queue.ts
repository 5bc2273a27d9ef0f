// The page's one worker for Markdown of people, started with the first text that needs it.
import { createRenderQueue } from '#shared/markdown/render-queue.ts';
import type { MarkdownReply } from '#shared/markdown/render-task.ts';

export const markdownQueue = createRenderQueue({
  start({ onReady, onReply, onFailure }) {
    const worker = new Worker(new URL('./markdown-worker.ts', import.meta.url), {
      type: 'module',
      name: 'markdown',
    });
    worker.addEventListener('message', ({ data }: MessageEvent<'ready' | MarkdownReply>) => {
      if (data === 'ready') onReady();
      else onReply(data);
    });
    worker.addEventListener('error', onFailure);
    return {
      send: (request) => worker.postMessage(request),
      terminate: () => worker.terminate(),
    };
  },
});
