// A thread that renders people's Markdown, so that no text can block the server.
import type { MarkdownRequest } from '#shared/markdown/render-task.ts';
import { runMarkdownTask } from '#shared/markdown/run-task.ts';
import { serveParent } from '../jobs/serve-parent.ts';

serveParent((request: MarkdownRequest) => ({ id: request.id, result: runMarkdownTask(request) }));
