// The notification entity; it belongs to one user, in the account realm.
import { z } from 'zod';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { text, timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { LIMITS } from '../constants.ts';

const NOTIFICATION_CATEGORIES = ['security', 'billing', 'workspace', 'internal', 'transactional'] as const;
export type NotificationCategory = (typeof NOTIFICATION_CATEGORIES)[number];
const PRIORITIES = ['low', 'medium', 'high'] as const;

export const notification = defineEntity('notification', {
  fields: {
    id: idOf('notification'),
    userId: idOf('user'),
    /** Null for events of the account itself. */
    workspaceId: idOf('workspace').nullable(),
    category: z.enum(NOTIFICATION_CATEGORIES),
    /** Name of the event that caused it, for example `memory.conflict`. */
    triggerId: z.string(),
    title: text(LIMITS.title),
    body: text(LIMITS.description),
    priority: z.enum(PRIORITIES),
    /** link = path inside the app; count = how often it happened within ten minutes. */
    metadata: z.record(z.string(), z.unknown()),
    seen: z.boolean(),
    status: z.enum(['active', 'archived']),
    created: timestamp,
    updated: timestamp,
  },
  create: [],
  update: ['seen', 'status'],
  defaults: {},
  filters: ['status', 'workspaceId', 'category', 'triggerId', 'title', 'body', 'priority', 'updated', 'seen'],
  orderBy: ['created', 'updated'],
});
export type Notification = RowOf<typeof notification>;
