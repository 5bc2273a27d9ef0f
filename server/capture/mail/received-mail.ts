// The received mails: one that is sent again is not saved again, and the number per address is limited.
import { DAY_MS, HOUR_MS } from '#shared/constants.ts';
import type { Database } from '../../db/database.ts';
import { across } from '../../db/across.ts';
import type { Recipient } from './mail-address.ts';
import { MAIL_LIMITS } from './mail-limits.ts';
import { MailRefusal } from './mail-refusal.ts';

type Owner = Pick<Recipient, 'workspaceId' | 'userId'>;

const mailsOf = (db: Database, { workspaceId, userId }: Owner) =>
  db.selectFrom('received_mail').where('workspaceId', '=', workspaceId).where('userId', '=', userId);

/** Whether the mail is saved already. */
export async function isReceived(db: Database, owner: Owner, key: string): Promise<boolean> {
  const found = await mailsOf(db, owner).select('received').where('key', '=', key).executeTakeFirst();
  return found !== undefined;
}

/**
 * Counts a mail under the lock of the workspace.
 * @returns false for one that is saved already
 * @throws MailRefusal when the address has had too many
 */
export async function recordReceived(trx: Database, owner: Owner, key: string, now: Date): Promise<boolean> {
  if (await isReceived(trx, owner, key)) return false;
  const dayAgo = new Date(now.getTime() - DAY_MS).toISOString();
  const today = await mailsOf(trx, owner).select('received').where('received', '>', dayAgo).execute();
  const lastHour = today.filter(({ received }) => Date.parse(received) > now.getTime() - HOUR_MS);
  if (lastHour.length >= MAIL_LIMITS.perHour || today.length >= MAIL_LIMITS.perDay)
    throw new MailRefusal(451, 'This address has had too many mails, try again later');
  const { workspaceId, userId } = owner;
  await trx
    .insertInto('received_mail')
    .values({ workspaceId, userId, key, received: now.toISOString() })
    .execute();
  return true;
}

/** Forgets mails that no server sends again any more. */
export async function forgetReceivedMails(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - MAIL_LIMITS.rememberedDays * DAY_MS).toISOString();
  await db.deleteFrom('received_mail').where('received', '<', before).modifyEnd(across('purge')).execute();
}
