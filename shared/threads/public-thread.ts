// Public fields of a thread and its messages: no user ids, no private sources.
import { z } from 'zod';
import { space } from '../spaces/space.ts';
import { publicPlace } from '../workspaces/public-workspace.ts';
import { publicCitation } from './citation.ts';
import { message } from './message.ts';
import { thread } from './thread.ts';

export const publicThread = thread.row
  .pick({ id: true, workspaceId: true, name: true, summary: true, created: true, updated: true })
  .extend({
    visibility: z.enum(['public', 'unlisted']),
    messageCount: z.number().int(),
    /** Later messages are not shown; `updated` is then the time of the last message. */
    frozen: z.boolean(),
    workspace: publicPlace,
    /** Null also for a thread that a visitor began. */
    author: z.string().nullable(),
    /** The space that a visitor asked; null for a thread of a member. */
    askedIn: space.row.pick({ slug: true, name: true }).nullable(),
    /** The visitor who began it may ask further questions with its key, until it expires. */
    takesQuestions: z.boolean(),
  });
export type PublicThread = z.output<typeof publicThread>;

export const publicMessage = message.row
  .pick({ id: true, role: true, content: true, createdAt: true })
  .extend({ citations: z.array(publicCitation) });
export type PublicMessage = z.output<typeof publicMessage>;
