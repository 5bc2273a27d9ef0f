/**
 * The protocol server of one request, with the tools and resources that the caller may use. No state is held between requests,
 * so any node can serve any request and a revoked key stops working at the next one.
 */
import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { MCP } from './limits.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { toFailure } from '#shared/errors.ts';
import { asAppError } from '../http/errors.ts';
import type { Logger } from '../log.ts';
import type { Caller } from './caller.ts';
import { memoryTools } from './memory-tools.ts';
import { addResources } from './resources.ts';
import { spaceTools } from './space-tools.ts';
import { threadTools } from './thread-tools.ts';
import type { Tool } from './tool.ts';
import { NOTICE } from './untrusted.ts';

export const TOOLS: Readonly<Record<string, Tool>> = { ...memoryTools, ...spaceTools, ...threadTools };

const INSTRUCTIONS = `${PRODUCT_NAME} keeps what a person or a team saved: notes, links with their pages, and files. Search before you answer about anything that may have been saved, and name the memories that you rely on. ${NOTICE} Save or change memories only when the person asks for it.`;

export function createMcpServer(caller: Caller, log: Logger): McpServer {
  const server = new McpServer(
    { name: 'loci', title: PRODUCT_NAME, version: '1' },
    {
      instructions: INSTRUCTIONS,
      // Tools change only with the caller's rights; changes are not announced.
      capabilities: { tools: { listChanged: false } },
      maxToolInputElements: MCP.argumentsMax,
    },
  );
  for (const [name, tool] of Object.entries(TOOLS)) {
    if (!caller.may(tool.needs)) continue;
    const { title, description, input, writes = false } = tool;
    const annotations = {
      readOnlyHint: !writes,
      destructiveHint: name === 'update_memory',
      // Saving a link fetches its page.
      openWorldHint: name === 'create_memory' || name === 'update_memory',
    };
    server.registerTool(
      name,
      { title, description, inputSchema: input, annotations },
      async (given, context) =>
        resultOf(log, () => tool.run(given, { caller, signal: context.mcpReq.signal })),
    );
  }
  addResources(server, caller);
  return server;
}

/** The result of a tool. Failures have the same code and words as over REST, so the model can read the reason. */
async function resultOf(log: Logger, run: () => Promise<object>): Promise<CallToolResult> {
  try {
    const answer = { notice: NOTICE, ...(await run()) };
    const text = JSON.stringify(answer);
    return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
  } catch (thrown) {
    const failure = asAppError(thrown);
    if (failure === undefined) {
      log.error({ err: thrown }, 'a tool failed');
      throw new Error('Something went wrong on our side', { cause: thrown });
    }
    const { error } = toFailure(failure);
    const retry = failure.retryAfter === undefined ? {} : { retryAfterSeconds: failure.retryAfter };
    return {
      content: [{ type: 'text', text: JSON.stringify({ error: { ...error, ...retry } }) }],
      isError: true,
    };
  }
}
