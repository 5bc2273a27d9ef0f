/**
 * The devices from which a person logs in. A device is known by the description its browser sends, which is enough to notify
 * the owner of an account of a log-in from elsewhere, and nothing else depends on it.
 */
import type { Kysely } from 'kysely';
import { deviceName } from '#shared/accounts/device-name.ts';
import type { Id } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import { type ServerTx, systemActor } from '../db/server-tx.ts';
import type { Tables } from '../db/tables.ts';
import { writeInRealm } from '../db/transaction.ts';
import { notify } from '../notifications/service.ts';

interface Login {
  userId: Id<'user'>;
  userAgent: string | undefined;
  address: string | null;
}

/** Adds the device to those of the person; false when it is among them. */
export async function rememberDevice(
  db: Kysely<Tables>,
  { userId, userAgent = '' }: Pick<Login, 'userId' | 'userAgent'>,
  now: Date,
): Promise<boolean> {
  const at = now.toISOString();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('login_device')
    .values({ userId, device: deviceName(userAgent), created: at, lastSeen: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows !== 0n;
}

/** Notifies the person of a log-in on a device that is not among theirs. Call it before the session is opened. */
export async function recordLogin(context: Context, login: Login): Promise<void> {
  const { db, clock } = context;
  const { numUpdatedRows } = await db
    .updateTable('login_device')
    .set({ lastSeen: clock.now().toISOString() })
    .where('userId', '=', login.userId)
    .where('device', '=', deviceName(login.userAgent ?? ''))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  await writeInRealm(context, login.userId, systemActor, async (tx) => {
    const hadSome = await rememberSessions(tx, login.userId);
    const isNew = await rememberDevice(tx.trx, login, tx.now);
    if (!isNew || !hadSome) return;
    const device = deviceName(login.userAgent ?? '');
    const from = login.address === null ? '' : ` The log-in came from the address ${login.address}.`;
    const link = await accountLink(tx, login.userId);
    await notify(tx, {
      userId: login.userId,
      workspaceId: null,
      triggerId: 'login.new_device',
      subject: device,
      title: `New log-in: ${device}`,
      body: `If this was not you, change your password and log the other sessions out.${from}`,
      priority: 'high',
      ...(link === undefined ? {} : { link }),
    });
  });
}

/** Devices of sessions that are older than this list; false for an account that was on no device before. */
async function rememberSessions({ trx, now }: ServerTx, userId: Id<'user'>): Promise<boolean> {
  const known = await trx
    .selectFrom('login_device')
    .select('device')
    .where('userId', '=', userId)
    .limit(1)
    .executeTakeFirst();
  if (known) return true;
  const sessions = await trx
    .selectFrom('session')
    .select('userAgent')
    .where('userId', '=', userId)
    .where('impersonator', 'is', null)
    .execute();
  for (const { userAgent } of sessions) await rememberDevice(trx, { userId, userAgent }, now);
  return sessions.length > 0;
}

/** The account page, which is inside a workspace; undefined for a person without one. */
export async function accountLink({ trx }: ServerTx, userId: Id<'user'>): Promise<string | undefined> {
  const found = await trx
    .selectFrom('workspace_member')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspaceId')
    .select('workspace.slug')
    .where('workspace_member.userId', '=', userId)
    .where('workspace.deletedAt', 'is', null)
    .orderBy('workspace_member.created')
    .limit(1)
    .modifyEnd(across('account'))
    .executeTakeFirst();
  return found && pathTo('settings_account', { workspace_slug: found.slug });
}

/** Notifies the person that further passwords are delayed after too many wrong ones. */
export async function notifyGuesses(
  context: Context,
  userId: Id<'user'>,
  address: string | null,
): Promise<void> {
  await writeInRealm(context, userId, systemActor, async (tx) => {
    const link = await accountLink(tx, userId);
    const from = address === null ? '' : ` The last one came from the address ${address}.`;
    await notify(tx, {
      userId,
      workspaceId: null,
      triggerId: 'login.guessed',
      subject: userId,
      title: 'Wrong passwords for your account',
      body: `Several wrong passwords were tried. New devices can now try one password a minute; devices you have used before are not affected.${from}`,
      priority: 'high',
      ...(link === undefined ? {} : { link }),
    });
  });
}

/** Notifies the person of another password; a separate mail says the same. */
export async function notifyPasswordChanged(tx: ServerTx, userId: Id<'user'>): Promise<void> {
  const link = await accountLink(tx, userId);
  await notify(tx, {
    userId,
    workspaceId: null,
    triggerId: 'password.changed',
    subject: userId,
    title: 'Your password was changed',
    body: 'You were logged out on every other device. If this was not you, reset your password at once.',
    priority: 'high',
    ...(link === undefined ? {} : { link }),
  });
}
