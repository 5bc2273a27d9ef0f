// Webhooks: where changes of a workspace are sent, and the log of deliveries.
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { text, timestamp, webUrl } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';

/** Event types; `changes.lost` means that the receiver has to read all data again. */
export const WEBHOOK_EVENTS = [
  'memory.created',
  'memory.updated',
  'memory.deleted',
  'space.created',
  'space.updated',
  'space.deleted',
  'space_memory.created',
  'space_memory.updated',
  'space_memory.deleted',
  'thread.created',
  'thread.updated',
  'thread.deleted',
  'message.answered',
  'workspace_member.created',
  'workspace_member.updated',
  'workspace_member.deleted',
  'changes.lost',
  'webhook.test',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const webhook = z.object({
  id: idOf('webhook'),
  workspaceId: idOf('workspace'),
  /** Whose sight of the workspace is sent. */
  ownerId: idOf('user'),
  url: webUrl,
  description: text(LIMITS.name).nullable(),
  /** None means all. */
  events: z.array(z.enum(WEBHOOK_EVENTS)).max(WEBHOOK_EVENTS.length),
  enabled: z.boolean(),
  disabledReason: z.string().nullable(),
  /** Time since which every delivery has failed. */
  failingSince: timestamp.nullable(),
  created: timestamp,
  updated: timestamp,
});
export type Webhook = z.infer<typeof webhook>;

/** Fields that owners and admins set. */
export const webhookFields = webhook.pick({ url: true, description: true, events: true, enabled: true });

export const webhookDelivery = z.object({
  id: idOf('webhook_delivery'),
  webhookId: idOf('webhook'),
  event: z.enum(WEBHOOK_EVENTS),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number().int(),
  /** Of the last attempt that was answered. */
  httpStatus: z.number().int().nullable(),
  error: z.string().nullable(),
  /** When it is tried again. */
  nextAt: timestamp.nullable(),
  created: timestamp,
  updated: timestamp,
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;
