// Carries out the tasks of the Markdown workers; only for workers and for texts whose worst case is known.
import { highlightCode } from './highlight-code.ts';
import { parseMarkdown } from './parse-markdown.ts';
import type { MarkdownReply, MarkdownRequest } from './render-task.ts';
import { safeSource } from './safe-source.ts';

export function runMarkdownTask({
  task,
  text,
}: Pick<MarkdownRequest, 'task' | 'text'>): MarkdownReply['result'] {
  if (task === 'source') return safeSource(text);
  const tree = parseMarkdown(text);
  return tree && highlightCode(tree);
}
