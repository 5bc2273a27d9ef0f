/** Tools that search, read, save and change memories. */
import { z } from 'zod';
import { LIMITS } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import { MEMORY_TYPES, pageHashOf } from '#shared/memories/memory-kinds.ts';
import type { Caller } from './caller.ts';
import { defineTool, idInput, idsInput, pageInput } from './tool.ts';
import { hitShown, memoryShown, textPart } from './untrusted.ts';

const position = z.number().int().min(0).max(10_000_000).default(0);
const words = {
  title: z.string().max(LIMITS.title).describe('Title'),
  description: z.string().max(LIMITS.description).describe('One or two sentences about it'),
  notes: z.string().max(LIMITS.notes).describe('The text, in Markdown'),
  url: z.string().max(LIMITS.url).describe('Address of a web page, which is then fetched and read'),
  tags: z.array(z.string().max(LIMITS.tag)).max(LIMITS.tagCount).describe('Tags, in lower case'),
};

/** The stored text of the page behind a link, if there is one. */
async function pageText(caller: Caller, id: string): Promise<string | undefined> {
  try {
    return (await caller.call('memory.page', { params: { workspaceId: caller.workspaceId, id } })).result;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

interface Positions {
  notesFrom: number;
  pageFrom: number;
}

/** A memory with a part of its notes and of its page. */
export async function readMemory(caller: Caller, id: string, { notesFrom, pageFrom }: Positions) {
  const { result } = await caller.call('memory.get', { params: { workspaceId: caller.workspaceId, id } });
  const page = pageHashOf(result) === undefined ? undefined : await pageText(caller, id);
  const { untrusted, ...facts } = memoryShown(result);
  return {
    ...facts,
    untrusted: {
      ...untrusted,
      notes: result.notes === null ? null : textPart(result.notes, notesFrom),
      page: page === undefined ? null : textPart(page, pageFrom),
    },
  };
}

export const memoryTools = {
  search_memories: defineTool({
    title: 'Search memories',
    description:
      'Searches the saved notes, links and files by their words, and by meaning where the server has a model for it, and returns the best passages of each. Operators: "exact phrase", -without, tag:, type:, in:space, before:2026-01-01, after:, is:archived.',
    input: z.object({
      query: z.string().max(LIMITS.searchQuery).default('').describe('Words to look for'),
      spaceIds: idsInput('Only in these spaces').optional(),
      tags: words.tags.describe('Only with one of these tags').optional(),
      types: z.array(z.enum(MEMORY_TYPES)).max(MEMORY_TYPES.length).optional(),
      archived: z.boolean().default(false).describe('Search the archived ones instead'),
      from: z.string().max(40).describe('Saved at or after this ISO time').optional(),
      to: z.string().max(40).describe('Saved at or before this ISO time').optional(),
      ...pageInput,
    }),
    needs: ['memory.search'],
    async run(input, { caller }) {
      const { workspaceId } = caller;
      const { result, total } = await caller.call('memory.search', { body: { workspaceId, ...input } });
      return { total, page: input.page, memories: result.map(hitShown) };
    },
  }),
  get_memory: defineTool({
    title: 'Read a memory',
    description:
      'Returns one memory with its notes and the text of the page behind it. Long texts come in parts: ask again from the position in `next`.',
    input: z.object({
      id: idInput('Id of the memory'),
      notesFrom: position.describe('Position in the notes to read from'),
      pageFrom: position.describe('Position in the page text to read from'),
    }),
    needs: ['memory.get', 'memory.page'],
    run: ({ id, ...positions }, { caller }) => readMemory(caller, id, positions),
  }),
  create_memory: defineTool({
    title: 'Save a memory',
    description:
      'Saves a note, or a link whose page is then fetched. A link that is saved already is returned as it is, with duplicate = true.',
    input: z.object({
      ...z.object(words).partial().shape,
      spaceId: idInput('Space that it is saved in').optional(),
    }),
    needs: ['memory.create'],
    writes: true,
    async run(input, { caller }) {
      const { workspaceId } = caller;
      const { result, duplicate } = await caller.call('memory.create', { body: { workspaceId, ...input } });
      return { duplicate, memory: memoryShown(result) };
    },
  }),
  update_memory: defineTool({
    title: 'Change a memory',
    description:
      'Changes the given fields and leaves the others as they are. Tags replace all tags; notes replace all notes.',
    input: z.object({
      id: idInput('Id of the memory'),
      ...z.object(words).partial().shape,
      archived: z.boolean().describe('Archive it, or bring it back').optional(),
    }),
    needs: ['memory.update'],
    writes: true,
    async run({ id, ...body }, { caller }) {
      const params = { workspaceId: caller.workspaceId, id };
      return { memory: memoryShown((await caller.call('memory.update', { params, body })).result) };
    },
  }),
} as const;
