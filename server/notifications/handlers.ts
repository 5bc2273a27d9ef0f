/** The calls about one's own notifications, one small function per row; writes go through the account realm. */
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { notificationEndpoints } from '#shared/notifications/endpoints.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { writeAs, written } from '../http/write.ts';
import { asPerson } from '../sync/readable.ts';

const mine = (context: Context, userId: Id<'user'>) =>
  context.db.selectFrom('notification').selectAll().where('userId', '=', userId);

async function one(context: Context, userId: Id<'user'>, id: Id<'notification'>) {
  const found = await mine(context, userId).where('id', '=', id).executeTakeFirst();
  if (!found) throw new AppError('not_found', 'Notification not found');
  return found;
}

async function remove(context: Context, userId: Id<'user'>, id: Id<'notification'>) {
  await one(context, userId, id);
  const { version } = await writeAs(context, { realmId: userId, ...asPerson(userId) }, ({ at, apply }) =>
    apply('notification.remove', { id, at }),
  );
  return written({ version, value: null });
}

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
} satisfies Handlers<typeof notificationEndpoints>;
