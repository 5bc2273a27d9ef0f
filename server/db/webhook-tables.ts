// The tables of webhooks and of what was sent to them, beyond what the API shows.
import type { Generated } from 'kysely';
import type { Webhook, WebhookDelivery } from '#shared/webhooks/webhook.ts';
import type { Id } from '#shared/ids.ts';
import type { SecretColumns } from './secret-columns.ts';

export interface WebhookTable extends Webhook, SecretColumns {
  /** Up to where changes were turned into deliveries. */
  cursor: string;
}

export interface WebhookDeliveryTable extends Omit<WebhookDelivery, 'attempts'> {
  workspaceId: Id<'workspace'>;
  ownerId: Id<'user'>;
  payload: string;
  attempts: Generated<number>;
}
