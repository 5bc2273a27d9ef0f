// The tables of webhooks and their deliveries, with the columns that the API does not show.
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
