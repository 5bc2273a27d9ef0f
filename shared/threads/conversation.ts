// Actions of readers on a thread: rate answers, export it, follow it live. The bodies are shared by the calls of members
// and of the public.
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { EXPORT_MESSAGES_MAX } from './limits.ts';
import { text } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { message } from './message.ts';
import { RATING_REASONS } from './rating-reasons.ts';
import { thread } from './thread.ts';

const EXPORT_FORMATS = ['markdown', 'json', 'html', 'text'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The address of a message. */
export const inThread = z.object({
  workspaceId: thread.row.shape.workspaceId,
  threadId: thread.row.shape.id,
});

/** 1 = good, -1 = bad, 0 removes an earlier rating. */
export const rateBody = inThread.extend({
  messageId: message.row.shape.id,
  value: z.union([z.literal(1), z.literal(-1), z.literal(0)]),
  reason: z.enum(RATING_REASONS).optional(),
  comment: text(LIMITS.ratingComment).trim().optional(),
});
export type RateBody = z.output<typeof rateBody>;

/** The present rating; without an id when it was removed. */
export const rating = z.object({
  id: idOf('rating').nullable(),
  value: z.union([z.literal(1), z.literal(-1), z.literal(0)]),
  reason: z.enum(RATING_REASONS).nullable(),
  comment: z.string().nullable(),
});
export type Rating = z.output<typeof rating>;

/** A rating as the one who gave it gets it back. */
export const ownRating = rating.extend({ messageId: message.row.shape.id });

/** How many readers rated the message each way. */
export const ratingTotals = z.object({ up: z.number().int(), down: z.number().int() });

/** Which messages leave, and in which form. */
export const exportBody = inThread.extend({
  /** All of them when left out. */
  messageIds: z.array(message.row.shape.id).max(EXPORT_MESSAGES_MAX).optional(),
  format: z.enum(EXPORT_FORMATS).default('markdown'),
  include: z
    .object({ citations: z.boolean().default(true), timestamps: z.boolean().default(true) })
    .default({ citations: true, timestamps: true }),
});
export type ExportBody = z.output<typeof exportBody>;
