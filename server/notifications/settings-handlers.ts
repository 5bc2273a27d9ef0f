/** The calls about notification settings and push messages, one small function per row. */
import { settingsFrom } from '#shared/notifications/settings.ts';
import type { notificationSettingsEndpoints } from '#shared/notifications/settings-endpoints.ts';
import type { Handlers, SessionPerson } from '../http/call.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { pushIdentity } from './push-keys.ts';
import { subscribe, subscriptionsOf, unsubscribeBrowser } from './push.ts';
import { readSettings, storeSettings } from './settings-store.ts';
import { unsubscribe } from './unsubscribe.ts';

/** Staff who act as a person must neither silence nor redirect the person's notifications. @throws forbidden */
const refuseStaff = (actor: SessionPerson): void =>
  refuseImpersonation(actor, 'Notifications cannot be changed while impersonating');

export const notificationSettingsHandlers = {
  'notification_settings.get': async ({ context, actor }) => ({
    result: await readSettings(context.db, actor.userId),
  }),
  'notification_settings.replace': async ({ context, actor, body }) => {
    refuseStaff(actor);
    const settings = settingsFrom(body);
    await storeSettings(context, actor.userId, settings);
    return { result: settings };
  },
  'public_notification.unsubscribe': async ({ context, params }) => ({
    result: { category: await unsubscribe(context, params.token) },
  }),
  'push.key': async ({ context }) => ({
    result: { publicKey: (await pushIdentity(context)).publicKey },
  }),
  'push.list': async ({ context, actor }) => ({ result: await subscriptionsOf(context, actor).execute() }),
  'push.subscribe': async ({ context, actor, body }) => {
    refuseStaff(actor);
    await subscribe(context, actor, body);
    const made = subscriptionsOf(context, actor).where('subscription.sessionId', '=', actor.credential.id);
    return { result: await made.executeTakeFirstOrThrow() };
  },
  'push.unsubscribe': async ({ context, actor, params }) => {
    refuseStaff(actor);
    await unsubscribeBrowser(context, actor.userId, params.id);
    return { result: null };
  },
} satisfies Handlers<typeof notificationSettingsEndpoints>;
