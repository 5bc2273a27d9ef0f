// The calls about webhooks, for owners and admins.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { idOf } from '../define/id-schema.ts';
import { pageQuery } from '../define/list-query.ts';
import { webhook, webhookDelivery, webhookFields } from './webhook.ts';

const shown = webhook.meta({ id: 'Webhook' });
const deliveryShown = webhookDelivery.meta({ id: 'WebhookDelivery' });
const withSecret = webhook.extend({ secret: z.string() }).meta({ id: 'NewWebhook' });
const inWorkspace = z.object({ workspaceId: idOf('workspace') });
const one = inWorkspace.extend({ id: idOf('webhook') });
const ofWebhook = inWorkspace.extend({ webhookId: idOf('webhook') });

export const webhookEndpoints = {
  'webhook.list': defineEndpoint({
    method: 'GET',
    path: '/v1/webhooks/{workspaceId}',
    summary: 'Lists the webhooks of a workspace.',
    auth: 'session_member',
    params: inWorkspace,
    query: pageQuery(['created', 'updated']),
    result: z.array(shown),
    list: true,
  }),
  'webhook.create': defineEndpoint({
    method: 'POST',
    path: '/v1/webhooks/{workspaceId}',
    summary:
      'Sends changes of the workspace to an address from now on, as far as the person who creates it sees them. The signing secret is in this answer and nowhere else.',
    auth: 'session_member',
    params: inWorkspace,
    body: webhookFields.omit({ enabled: true }).extend({
      description: webhookFields.shape.description.default(null),
      events: webhookFields.shape.events.default([]),
    }),
    result: withSecret,
    status: 201,
    secret: true,
  }),
  'webhook.get': defineEndpoint({
    method: 'GET',
    path: '/v1/webhooks/{workspaceId}/{id}',
    summary: 'One webhook.',
    auth: 'session_member',
    params: one,
    result: shown,
  }),
  'webhook.update': defineEndpoint({
    method: 'PATCH',
    path: '/v1/webhooks/{workspaceId}/{id}',
    summary:
      'Changes a webhook, or enables it again. The person who changes the address becomes its author: what they may read is what is sent.',
    auth: 'session_member',
    params: one,
    body: webhookFields.partial(),
    result: shown,
  }),
  'webhook.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/webhooks/{workspaceId}/{id}',
    summary: 'Removes a webhook and its log.',
    auth: 'session_member',
    params: one,
    result: z.null(),
  }),
  'webhook.renew_secret': defineEndpoint({
    method: 'POST',
    path: '/v1/webhooks/{workspaceId}/{id}/secret',
    summary: 'Makes a new signing secret; the earlier one stops at once.',
    auth: 'session_member',
    params: one,
    result: z.object({ secret: z.string() }),
    secret: true,
  }),
  'webhook.test': defineEndpoint({
    method: 'POST',
    path: '/v1/webhooks/{workspaceId}/{id}/test',
    summary: 'Sends the event webhook.test.',
    auth: 'session_member',
    params: one,
    result: deliveryShown,
    status: 202,
  }),
  'webhook_delivery.list': defineEndpoint({
    method: 'GET',
    path: '/v1/webhooks/{workspaceId}/{webhookId}/deliveries',
    summary: 'What was sent to a webhook in the last 30 days, and what came of it.',
    auth: 'session_member',
    params: ofWebhook,
    query: pageQuery(['created', 'updated']),
    result: z.array(deliveryShown),
    list: true,
  }),
  'webhook_delivery.replay': defineEndpoint({
    method: 'POST',
    path: '/v1/webhooks/{workspaceId}/{webhookId}/deliveries/{id}/replay',
    summary: 'Sends a delivery again, with the same id.',
    auth: 'session_member',
    params: ofWebhook.extend({ id: idOf('webhook_delivery') }),
    result: deliveryShown,
    status: 202,
  }),
} as const;
