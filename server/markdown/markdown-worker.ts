// A thread that renders people's Markdown, so that no text can block the server. Posts a message when it is ready, then
// replies to one text after the other.
import { parentPort } from 'node:worker_threads';
import type { MarkdownRequest } from '#shared/markdown/render-task.ts';
import { runMarkdownTask } from '#shared/markdown/run-task.ts';

parentPort?.on('message', (request: MarkdownRequest) => {
  parentPort?.postMessage({ id: request.id, result: runMarkdownTask(request) });
});
parentPort?.postMessage('ready');
