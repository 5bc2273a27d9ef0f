/**
 * The devices from which a person logs in. A device is known by the description its browser sends, which is enough to notify
 * the owner of an account of a log-in from elsewhere, and nothing else depends on it.
 */
import type { Kysely } from 'kysely';
import { deviceName } from '#shared/accounts/device-name.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { type ServerTx, systemActor } from '../db/server-tx.ts';
import type { Tables } from '../db/tables.ts';
import { writeInRealm } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';

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
    await emit(tx, 'login.new_device', { ...login, device: deviceName(login.userAgent ?? '') });
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

/** Notifies the person that further passwords are delayed after too many wrong ones. */
export async function notifyGuesses(
  context: Context,
  userId: Id<'user'>,
  address: string | null,
): Promise<void> {
  await writeInRealm(context, userId, systemActor, (tx) => emit(tx, 'login.guessed', { userId, address }));
}
