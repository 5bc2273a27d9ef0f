// The memory entity: a saved note, link or file; and its head, the part in replicas.
import { z } from 'zod';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { fileName, tags, text, timestamp, webUrl } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { LIMITS } from '../constants.ts';
import { CONTENT_STATUSES, MEMORY_TYPES, ORIGINS } from './memory-kinds.ts';

export const memory = defineEntity('memory', {
  fields: {
    id: idOf('memory'),
    workspaceId: idOf('workspace'),
    ownerId: idOf('user'),
    createdBy: idOf('user'),
    lastEditedBy: idOf('user'),
    /** Home space, set at capture: when the workspace does not read it, it narrows the base audience. */
    spaceId: idOf('space').nullable(),
    type: z.enum(MEMORY_TYPES),
    origin: z.enum(ORIGINS),
    contentStatus: z.enum(CONTENT_STATUSES),
    /** Why the content status is what it is: statusReason, httpStatus, tries, nextTryAt. */
    metadata: z.record(z.string(), z.unknown()),
    title: text(LIMITS.title).nullable(),
    description: text(LIMITS.description).nullable(),
    summary: text(LIMITS.summary).nullable(),
    url: webUrl.nullable(),
    /** Duplicate key of the url, computed by the server. */
    urlKey: z.string().nullable(),
    notes: text(LIMITS.notes).nullable(),
    /** SHA-256 of the notes in hexadecimal, null without notes; names the body in caches and conflict checks. */
    bodyHash: z.string().nullable(),
    /** Size of the notes in UTF-8 bytes. */
    bodyBytes: z.number().int(),
    tags,
    screenshot: z.string().nullable(),
    filename: fileName.nullable(),
    integrationId: z.string().nullable(),
    uploadId: idOf('upload').nullable(),
    archived: z.boolean(),
    created: timestamp,
    updated: timestamp,
    deletedAt: timestamp.nullable(),
  },
  create: ['id', 'workspaceId', 'spaceId', 'origin', 'title', 'description', 'url', 'notes', 'tags', 'archived'],
  update: ['title', 'description', 'url', 'notes', 'tags', 'archived'],
  defaults: { spaceId: null, title: null, description: null, url: null, notes: null, tags: [], archived: false },
  filters: [
    'id', 'url', 'createdBy', 'title', 'contentStatus', 'tags', 'origin', 'type', 'filename', 'integrationId',
    'uploadId', 'archived', 'ownerId', 'lastEditedBy', 'spaceId', 'created', 'updated',
  ],
  orderBy: ['created', 'updated', 'title'],
}); // prettier-ignore
export type Memory = RowOf<typeof memory>;

/** The fields of a new memory that its source may not have. */
export const NEW_MEMORY = {
  ...memory.defaults,
  metadata: {},
  summary: null,
  screenshot: null,
  filename: null,
  uploadId: null,
};

/**
 * A memory in replicas: the row, with notes only up to SYNC.inlineNotesBytes (null when longer). Longer notes have
 * their beginning, a field that rows on older devices may lack.
 */
export const memoryHead = memory.row
  .omit({ urlKey: true, integrationId: true })
  .extend({ beginning: z.string().nullish() });
export type MemoryHead = z.output<typeof memoryHead>;
