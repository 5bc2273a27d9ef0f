// The calls about one's own notifications.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { listQuery } from '../define/list-query.ts';
import { notification } from './notification.ts';

const shown = notification.row.meta({ id: 'Notification' });
const one = z.object({ id: notification.row.shape.id });

export const notificationEndpoints = {
  'notification.list': defineEndpoint({
    method: 'GET',
    path: '/v1/notifications',
    summary: 'Lists the own notifications.',
    auth: 'session',
    query: listQuery({ ...notification, filters: [...notification.filters, 'metadata'] as const }),
    result: z.array(shown),
    list: true,
  }),
  'notification.get': defineEndpoint({
    method: 'GET',
    path: '/v1/notifications/{id}',
    summary: 'One of the own notifications.',
    auth: 'session',
    params: one,
    result: shown,
  }),
  'notification.update': defineEndpoint({
    method: 'PUT',
    path: '/v1/notifications/{id}',
    summary: 'Marks a notification as seen, or archives it.',
    auth: 'session',
    params: one,
    body: notification.patchArgs,
    result: shown,
  }),
  'notification.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/notifications/{id}',
    summary: 'Removes a notification.',
    auth: 'session',
    params: one,
    result: z.null(),
  }),
  'notification.remove_singular': defineEndpoint({
    method: 'DELETE',
    path: '/v1/notification/{id}',
    stateCall: 'notification.get',
    summary:
      'Removes a notification; the same as DELETE /v1/notifications/{id}, for clients of the older address.',
    auth: 'session',
    params: one,
    result: z.null(),
  }),
} as const;
