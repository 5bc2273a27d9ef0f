// The thread entity: a conversation about saved memories.
import { z } from 'zod';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { nameText, text, timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { LIMITS } from '../constants.ts';
import { visibilitySchema } from '../spaces/visibility-schema.ts';

export const THREAD_ORIGINS = ['web', 'email', 'api', 'unknown'] as const;

export const thread = defineEntity('thread', {
  fields: {
    id: idOf('thread'),
    workspaceId: idOf('workspace'),
    ownerId: idOf('user'),
    /** Null for a thread begun by a visitor of a public space. */
    createdBy: idOf('user').nullable(),
    lastEditedBy: idOf('user').nullable(),
    name: nameText,
    summary: text(LIMITS.summary).nullable(),
    origin: z.enum(THREAD_ORIGINS),
    visibility: visibilitySchema,
    /** The last message that the public sees, when the public view was frozen there; null = a live view. */
    publicUntil: idOf('message').nullable(),
    created: timestamp,
    updated: timestamp,
    deletedAt: timestamp.nullable(),
  },
  create: ['id', 'workspaceId', 'name', 'origin', 'visibility'],
  update: ['name', 'visibility', 'publicUntil'],
  defaults: { origin: 'web', visibility: 'private', publicUntil: null },
  filters: ['id', 'name', 'createdBy', 'ownerId', 'summary', 'lastEditedBy', 'visibility', 'origin'],
  orderBy: ['created', 'updated', 'name'],
});
export type Thread = RowOf<typeof thread>;
