// The message entity (specification section 3): one turn of a thread, in the order of createdAt.
import { z } from 'zod';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { text, timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { LIMITS } from '../constants.ts';
import { citations } from './citation.ts';

export const MESSAGE_ROLES = ['user', 'assistant', 'system'] as const;

export const message = defineEntity('message', {
  fields: {
    id: idOf('message'),
    workspaceId: idOf('workspace'),
    threadId: idOf('thread'),
    role: z.enum(MESSAGE_ROLES),
    content: text(LIMITS.message),
    /** The sources of an answer; empty for everything that people write. */
    citations,
    /** Null for the assistant and for visitors. */
    createdBy: idOf('user').nullable(),
    createdAt: timestamp,
  },
  create: ['id', 'content'],
  update: [],
  filters: ['id', 'role', 'content', 'createdAt'],
  orderBy: ['createdAt'],
});
export type Message = RowOf<typeof message>;
