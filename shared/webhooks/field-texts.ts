/** Descriptions of fields in the API reference: webhooks and deliveries. */
import type { FieldTexts, RowTexts } from '../define/field-texts.ts';
import type { webhook, webhookDelivery } from './webhook.ts';

const webhookTexts = {
  ownerId: 'Id of the member who named the address; what that person may read is what is sent.',
  url: 'Gets a POST for each event; must be reachable from the server.',
  description: 'To tell webhooks apart; null for none.',
  events: 'Events that are sent; an empty list means all.',
  enabled: 'False sends nothing; true again also forgets earlier failures.',
  disabledReason: 'Why the server disabled it; null while it is enabled.',
  failingSince: 'Since when nothing could be delivered, in UTC; null when the last delivery arrived.',
} satisfies RowTexts<{ row: typeof webhook }>;

const deliveryTexts = {
  webhookId: 'Id of the webhook that it went to.',
  event: 'The event in it.',
  status: '`pending` is tried again, `failed` is not.',
  attempts: 'How often it was sent; about three days of tries end in `failed`.',
  httpStatus: 'Of the last attempt that was answered; null before the first.',
  error: 'Why the last attempt failed; null when it did not.',
  nextAt: 'Next attempt, in UTC; null when there is none.',
} satisfies RowTexts<{ row: typeof webhookDelivery }>;

const secret = 'Signs deliveries by the rules of Standard Webhooks; shown this once.';

export const webhookFieldTexts = {
  Webhook: { ...webhookTexts, secret },
  NewWebhook: { ...webhookTexts, secret },
  WebhookDelivery: deliveryTexts,
} as const satisfies FieldTexts;
