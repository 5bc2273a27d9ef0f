/** The calls about one's own notifications, their settings and push messages; writes go through the account realm. */
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { notificationEndpoints } from '#shared/notifications/endpoints.ts';
import type { notificationSettingsEndpoints } from '#shared/notifications/settings-endpoints.ts';
import { settingsFrom } from '#shared/notifications/settings.ts';
import type { Context } from '../context.ts';
import type { Handlers, SessionPerson } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { writeAs, written } from '../http/write.ts';
import { pushIdentity } from './push-keys.ts';
import { subscribe, subscriptionsOf, unsubscribeBrowser } from './push.ts';
import { readSettings, storeSettings } from './settings-store.ts';
import { unsubscribe } from './unsubscribe.ts';
import { asPerson } from '../sync/readable.ts';

const mine = (context: Context, userId: Id<'user'>) =>
  context.db.selectFrom('notification').selectAll().where('userId', '=', userId);

async function one(context: Context, userId: Id<'user'>, id: Id<'notification'>) {
  return mine(context, userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'Notification not found'));
}

async function remove(context: Context, userId: Id<'user'>, id: Id<'notification'>) {
  await one(context, userId, id);
  const { version } = await writeAs(context, { realmId: userId, ...asPerson(userId) }, ({ at, apply }) =>
    apply('notification.remove', { id, at }),
  );
  return written({ version, value: null });
}

/** Staff who act as a person must neither silence nor redirect the person's notifications. @throws forbidden */
const refuseStaff = (actor: SessionPerson): void =>
  refuseImpersonation(actor, 'Notifications cannot be changed while impersonating');

export const notificationHandlers = {
  'notification.list': ({ context, actor, query }) =>
    listPage(mine(context, actor.userId), { table: 'notification', query }),
  'notification.get': async ({ context, actor, params }) => ({
    result: await one(context, actor.userId, params.id),
  }),
  'notification.update': async ({ context, actor: { userId }, params: { id }, body }) => {
    await one(context, userId, id);
    const { version } = await writeAs(context, { realmId: userId, ...asPerson(userId) }, ({ at, apply }) =>
      apply('notification.update', { ...body, id, at }),
    );
    return written({ version, value: await one(context, userId, id) });
  },
  'notification.remove': ({ context, actor, params }) => remove(context, actor.userId, params.id),
  'notification.remove_singular': ({ context, actor, params }) => remove(context, actor.userId, params.id),
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
  },
} satisfies Handlers<typeof notificationEndpoints & typeof notificationSettingsEndpoints>;
