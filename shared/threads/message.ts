// The message entity: one turn of a thread, in the order of createdAt.
import { z } from 'zod';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { text, timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { LIMITS } from '../constants.ts';
import { citations } from './citation.ts';

const MESSAGE_ROLES = ['user', 'assistant', 'system'] as const;

export const message = defineEntity('message', {
  fields: {
    id: idOf('message'),
    workspaceId: idOf('workspace'),
    threadId: idOf('thread'),
    role: z.enum(MESSAGE_ROLES),
    content: text(LIMITS.message),
    /** The sources of an answer; empty for messages of people. */
    citations,
    /** The message that this one answers; null for messages of people. */
    replyTo: idOf('message').nullable(),
    /** The answer that was written again in place of this one, which is kept; null for what the thread says now. */
    versionOf: idOf('message').nullable(),
    /** When the text was written, if an answer was written again; its place in the thread stays that of the first one. */
    rewrittenAt: timestamp.nullable(),
    /** Null for the assistant and for visitors. */
    createdBy: idOf('user').nullable(),
    createdAt: timestamp,
  },
  create: ['id', 'content'],
  update: [],
  defaults: { citations: [], replyTo: null, versionOf: null, rewrittenAt: null },
  filters: ['id', 'role', 'content', 'createdAt'],
  orderBy: ['createdAt'],
});
export type Message = RowOf<typeof message>;

/** The sources that a message is to be answered from; all that its author can read when both are omitted. */
export const answeredFrom = z.object({
  memoryIds: z.array(idOf('memory')).max(100).optional(),
  spaceIds: z.array(idOf('space')).max(100).optional(),
});
