// The declaration of a tool: its input, the API calls that it needs, and whether it writes.
import { z } from 'zod';
import { MCP } from './limits.ts';
import { PAGE_NUMBER_MAX } from '#shared/constants.ts';
import type { EndpointName } from '#shared/endpoints.ts';
import type { Caller } from './caller.ts';

interface ToolCall {
  caller: Caller;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export interface Tool<S extends z.ZodObject = z.ZodObject> {
  title: string;
  /** Read by the model. */
  description: string;
  input: S;
  /** API calls without which the tool is useless; callers that may not make them do not see it. */
  needs: readonly EndpointName[];
  writes?: true;
  run(input: z.output<S>, call: ToolCall): Promise<object>;
}

/** Declares a tool whose `run` receives the parsed input. */
export function defineTool<S extends z.ZodObject>(tool: Tool<S>): Tool {
  return tool;
}

/** An id as short text; the API call checks its form. */
export const idInput = (what: string) => z.string().max(100).describe(what);
export const idsInput = (what: string) => z.array(z.string().max(100)).max(100).describe(what);

export const pageInput = {
  page: z.number().int().min(1).max(PAGE_NUMBER_MAX).default(1).describe('Page, from 1'),
  perPage: z.number().int().min(1).max(MCP.listMax).default(MCP.listDefault).describe('Results on a page'),
};

/** Query parameters of a page. */
export function pageOf({ page, perPage }: { page: number; perPage: number }): Record<string, string> {
  return { page: String(page), perPage: String(perPage) };
}
