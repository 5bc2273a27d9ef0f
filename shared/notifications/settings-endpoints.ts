// The calls about what a person wants to be notified of, and about the browsers that receive push messages.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { LIMITS } from '../constants.ts';
import { notificationSettings, notificationSettingsBody } from './settings.ts';

const subscription = z
  .object({
    /** Of the session in that browser. */
    id: idOf('session'),
    /** The session that makes the call has this subscription. */
    current: z.boolean(),
    userAgent: z.string(),
    created: timestamp,
  })
  .meta({ id: 'PushSubscription' });

/** Bytes of a key in base64url, as browsers return them. */
const key = (length: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+={0,2}$/, 'Not in base64url')
    .refine((text) => byteLength(text) === length, `Must have ${length} bytes`);

function byteLength(base64url: string): number {
  return Math.floor((base64url.replace(/=+$/, '').length * 3) / 4);
}

export const notificationSettingsEndpoints = {
  'notification_settings.get': defineEndpoint({
    method: 'GET',
    path: '/v1/auth/notifications',
    summary: 'What the person is notified of, and how.',
    auth: 'session',
    result: notificationSettings,
  }),
  'notification_settings.replace': defineEndpoint({
    method: 'PUT',
    path: '/v1/auth/notifications',
    summary:
      'Replaces what the person is notified of. What is left out takes its default; unknown names are ignored, and locked values stay.',
    auth: 'session',
    body: notificationSettingsBody,
    result: notificationSettings,
  }),
  'public_notification.unsubscribe': defineEndpoint({
    method: 'POST',
    path: '/v1/public/unsubscribe/{token}',
    summary:
      'Turns the e-mails of one category off for the person whom the link was mailed to (RFC 8058). Needs no session; the same again changes nothing.',
    auth: 'public',
    params: z.object({ token: z.string().max(LIMITS.title) }),
    result: z.object({ category: z.string() }),
  }),
  'push.key': defineEndpoint({
    method: 'GET',
    path: '/v1/push/key',
    summary: 'The public key (VAPID) with which a browser subscribes to push messages.',
    auth: 'session',
    result: z.object({ publicKey: z.string() }),
  }),
  'push.list': defineEndpoint({
    method: 'GET',
    path: '/v1/push/subscriptions',
    summary: 'The browsers that receive push messages for the person.',
    auth: 'session',
    result: z.array(subscription),
  }),
  'push.subscribe': defineEndpoint({
    method: 'POST',
    path: '/v1/push/subscriptions',
    summary: 'Sends push messages to this browser until its session ends.',
    auth: 'session',
    body: z.object({
      endpoint: z.url({ protocol: /^https?$/ }).max(LIMITS.url),
      keys: z.object({ p256dh: key(65), auth: key(16) }),
    }),
    example: {
      endpoint: 'https://push.example/send/dGhlLWJyb3dzZXI',
      keys: {
        p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
        auth: 'tBHItJI5svbpez7KI4CCXg',
      },
    },
    result: subscription,
    status: 201,
  }),
  'push.unsubscribe': defineEndpoint({
    method: 'DELETE',
    path: '/v1/push/subscriptions/{id}',
    summary: 'Ends push messages to a browser.',
    auth: 'session',
    params: z.object({ id: idOf('session') }),
    result: z.null(),
  }),
} as const;
