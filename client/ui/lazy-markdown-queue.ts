/** The worker for Markdown, loaded where a page needs it; the server has its own. */
import type { RenderMarkdown } from '#shared/markdown/render-task.ts';

async function load(): Promise<RenderMarkdown> {
  const { markdownQueue } = await import('#client/ui/markdown-queue.ts');
  return markdownQueue;
}

export const lazyMarkdownQueue: RenderMarkdown = {
  trees: async (texts) => (await load()).trees(texts),
  sources: async (texts) => (await load()).sources(texts),
};
