// A thread as it looks to other people, for those who decide who sees it.
import { z } from 'zod';
import { SPACE_VIEWERS } from '../spaces/visibility.ts';
import { message } from './message.ts';
import { thread } from './thread.ts';

/** Messages that one view lists, the newest ones; the total counts all. */
export const THREAD_VIEW_MAX = 50;

const viewedMessage = message.row.pick({ id: true, role: true, content: true, createdAt: true });

export const threadView = z
  .object({
    viewer: z.enum(SPACE_VIEWERS),
    /** Whether they see the thread at all. */
    reads: z.boolean(),
    thread: thread.row.pick({ name: true, summary: true }).nullable(),
    /** Oldest first. */
    messages: z.array(viewedMessage),
    total: z.number().int(),
  })
  .meta({ id: 'ThreadView' });
export type ThreadView = z.output<typeof threadView>;
