// Tasks of the Markdown workers, on the server and in the browser alike.
import type { BodyNode } from './body-node.ts';
import { escapeLines } from './escape-markdown.ts';

/** Tasks of the renderer, and the result of each. */
export interface MarkdownTasks {
  /** A tree to draw; null for a text that is always shown as it is. */
  tree: BodyNode[] | null;
  /** Markdown that another program may render. */
  source: string;
}
export type MarkdownTask = keyof MarkdownTasks;

/** One text for a worker, and its reply under the same number. */
export interface MarkdownRequest {
  id: number;
  task: MarkdownTask;
  text: string;
}
export interface MarkdownReply {
  id: number;
  result: MarkdownTasks[MarkdownTask];
}

/** The replacement for the result of a text that exceeds its budget. Costs one pass over the text. */
export const WITHOUT_RESULT: { [T in MarkdownTask]: (text: string) => MarkdownTasks[T] } = {
  tree: () => null,
  source: escapeLines,
};

/** Renders several texts of one page or file in their order. */
export interface RenderMarkdown {
  /** A tree is undefined when the machine was too busy to make it: show the text as it is, and try again. */
  trees(texts: readonly string[]): Promise<(MarkdownTasks['tree'] | undefined)[]>;
  /** A text that the machine was too busy for has all its marks escaped. */
  sources(texts: readonly string[]): Promise<string[]>;
}
