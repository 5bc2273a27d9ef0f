/** Tools that list and read threads, and ask a question. */
import { z } from 'zod';
import { LIMITS } from '#shared/constants.ts';
import { awaitReply } from './await-reply.ts';
import type { Caller } from './caller.ts';
import { defineTool, idInput, idsInput, pageInput, pageOf } from './tool.ts';
import { messageShown, threadShown } from './untrusted.ts';

async function threadFor(caller: Caller, threadId: string | undefined, question: string) {
  if (threadId !== undefined) return threadId;
  const [line = ''] = question.trim().split('\n', 1);
  const name = [...line].slice(0, LIMITS.name / 2).join('');
  const body = { workspaceId: caller.workspaceId, name, origin: 'api' };
  return (await caller.call('thread.create', { body })).result.id;
}

export const threadTools = {
  list_threads: defineTool({
    title: 'List threads',
    description: 'Lists the conversations about the memories, or finds some by their words.',
    input: z.object({
      query: z.string().max(LIMITS.searchQuery).describe('Words of names and messages').optional(),
      ...pageInput,
    }),
    needs: ['thread.list'],
    async run({ query, ...page }, { caller }) {
      const { workspaceId } = caller;
      const { result, total } =
        query === undefined
          ? await caller.call('thread.list', { params: { workspaceId }, query: pageOf(page) })
          : await caller.call('thread.search', { body: { workspaceId, query, ...page } });
      return { total, page: page.page, threads: result.map(threadShown) };
    },
  }),
  get_thread: defineTool({
    title: 'Read a thread',
    description: 'Returns one thread with its messages, newest first, and the sources of the answers.',
    input: z.object({ id: idInput('Id of the thread'), ...pageInput }),
    needs: ['thread.get', 'message.list'],
    async run({ id, ...page }, { caller }) {
      const { workspaceId } = caller;
      const thread = await caller.call('thread.get', { params: { workspaceId, id } });
      const query = { orderBy: 'createdAt', order: 'desc', ...pageOf(page) };
      const messages = await caller.call('message.list', { params: { workspaceId, threadId: id }, query });
      return {
        ...threadShown(thread.result),
        total: messages.total,
        page: page.page,
        messages: messages.result.map(messageShown),
      };
    },
  }),
  ask: defineTool({
    title: 'Ask the memories',
    description:
      'Asks a question, answered with quotations from the memories and their sources. The question and its answer are kept in a thread: name one to go on with it, otherwise a private one is begun.',
    input: z.object({
      question: z.string().max(LIMITS.message).describe('The question'),
      threadId: idInput('Thread to go on with').optional(),
      spaceIds: idsInput('Answer from these spaces only').optional(),
      memoryIds: idsInput('Answer from these memories only').optional(),
    }),
    needs: ['thread.create', 'message.create', 'message.get'],
    writes: true,
    async run({ question, threadId: wanted, ...sources }, { caller, signal }) {
      const { context, workspaceId } = caller;
      const threadId = await threadFor(caller, wanted, question);
      const inThread = { workspaceId, threadId };
      const { result } = await caller.call('message.create', {
        params: inThread,
        body: { content: question, ...sources },
      });
      const messageId = result.message.id;
      const replyId = await awaitReply(context, { workspaceId, messageId }, signal);
      if (replyId === undefined) {
        return { threadId, messageId, answer: null, hint: 'There is no answer yet; look with get_thread.' };
      }
      const reply = await caller.call('message.get', { params: { ...inThread, id: replyId } });
      return { threadId, messageId, answer: messageShown(reply.result) };
    },
  }),
} as const;
