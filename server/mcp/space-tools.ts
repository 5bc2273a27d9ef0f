/** Tools that list and read spaces, and file memories in them. */
import { z } from 'zod';
import { LIMITS } from '#shared/constants.ts';
import type { Caller } from './caller.ts';
import { defineTool, idInput, pageInput, pageOf } from './tool.ts';
import { memoryShown, spaceShown } from './untrusted.ts';

interface Page {
  page: number;
  perPage: number;
}

/** The memories filed in a space, newest first; undefined for callers that may not read memories. */
async function contentsOf(caller: Caller, spaceId: string, page: Page) {
  if (!caller.may(['space_memory.list', 'memory.list'])) return undefined;
  const params = { workspaceId: caller.workspaceId };
  const links = await caller.call('space_memory.list', { params, query: { spaceId, ...pageOf(page) } });
  const ids = links.result.map(({ memoryId }) => memoryId);
  if (ids.length === 0) return { total: links.total, page: page.page, memories: [] };
  const query = { id: ids.join(','), perPage: String(ids.length) };
  const { result } = await caller.call('memory.list', { params, query });
  return { total: links.total, page: page.page, memories: result.map(memoryShown) };
}

export async function readSpace(caller: Caller, id: string, page: Page) {
  const { result } = await caller.call('space.get', { params: { workspaceId: caller.workspaceId, id } });
  return { ...spaceShown(result), contents: await contentsOf(caller, id, page) };
}

export const spaceTools = {
  list_spaces: defineTool({
    title: 'List spaces',
    description: 'Lists the spaces, which are named collections of memories, or finds some by their words.',
    input: z.object({
      query: z.string().max(LIMITS.searchQuery).describe('Words of name or description').optional(),
      ...pageInput,
    }),
    needs: ['space.list'],
    async run({ query, ...page }, { caller }) {
      const { workspaceId } = caller;
      const { result, total } =
        query === undefined
          ? await caller.call('space.list', { params: { workspaceId }, query: pageOf(page) })
          : await caller.call('space.search', { body: { workspaceId, query, ...page } });
      return { total, page: page.page, spaces: result.map(spaceShown) };
    },
  }),
  get_space: defineTool({
    title: 'Read a space',
    description: 'Returns one space and the memories that are filed in it.',
    input: z.object({ id: idInput('Id of the space'), ...pageInput }),
    needs: ['space.get'],
    run: ({ id, ...page }, { caller }) => readSpace(caller, id, page),
  }),
  add_to_space: defineTool({
    title: 'File a memory in a space',
    description:
      'Files a memory in a space. All readers of the space can read the memory from then on, so ask before filing into a public or unlisted space.',
    input: z.object({ spaceId: idInput('Id of the space'), memoryId: idInput('Id of the memory') }),
    needs: ['space_memory.create'],
    writes: true,
    async run(input, { caller }) {
      const { workspaceId } = caller;
      const { result } = await caller.call('space_memory.create', { body: { workspaceId, ...input } });
      const { spaceId, memoryId, created } = result;
      return { spaceId, memoryId, created };
    },
  }),
} as const;
