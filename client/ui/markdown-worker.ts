// A worker that renders people's Markdown, so that no text can block the page. Posts a message when it is ready, then
// replies to one text after the other.
import type { MarkdownRequest } from '#shared/markdown/render-task.ts';
import { runMarkdownTask } from '#shared/markdown/run-task.ts';

globalThis.addEventListener('message', (event: MessageEvent<MarkdownRequest>) => {
  globalThis.postMessage({ id: event.data.id, result: runMarkdownTask(event.data) });
});
globalThis.postMessage('ready');
