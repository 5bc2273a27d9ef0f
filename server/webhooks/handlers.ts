/** The calls about webhooks, one small function per row. */
import type { webhookEndpoints } from '#shared/webhooks/endpoints.ts';
import type { Handlers } from '../http/call.ts';
import {
  createWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  renewWebhookSecret,
  replayDelivery,
  testWebhook,
  updateWebhook,
} from './service.ts';

export const webhookHandlers = {
  'webhook.list': ({ context, actor, query }) => listWebhooks(context, actor, query),
  'webhook.create': async ({ context, actor, body }) => ({
    result: await createWebhook(context, actor, body),
  }),
  'webhook.get': async ({ context, actor, params }) => ({
    result: await getWebhook(context, actor, params.id),
  }),
  'webhook.update': async ({ context, actor, params, body }) => ({
    result: await updateWebhook(context, actor, params.id, body),
  }),
  'webhook.remove': ({ context, actor, params }) => removeWebhook(context, actor, params.id),
  'webhook.renew_secret': async ({ context, actor, params }) => ({
    result: await renewWebhookSecret(context, actor, params.id),
  }),
  'webhook.test': async ({ context, actor, params }) => ({
    result: await testWebhook(context, actor, params.id),
  }),
  'webhook_delivery.list': ({ context, actor, params: { webhookId }, query }) =>
    listDeliveries(context, actor, { webhookId, query }),
  'webhook_delivery.replay': async ({ context, actor, params: { webhookId, id } }) => ({
    result: await replayDelivery(context, actor, { webhookId, id }),
  }),
} satisfies Handlers<typeof webhookEndpoints>;
