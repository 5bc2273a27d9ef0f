/** Notices to the people who run this server. */
import { sql } from 'kysely';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { writeInRealms } from '../db/transaction.ts';
import { notify, type Notice } from '../notifications/service.ts';
import { systemActor } from '../db/server-tx.ts';

/** Notifies everyone who runs this server. */
export async function notifyStaff(
  context: Context,
  notice: Omit<Notice, 'userId' | 'workspaceId'>,
): Promise<void> {
  const { rows } = await sql<{ id: Id<'user'> }>`
    select "id" from "user" where lower("email") = any(${[...context.config.staffEmails]}::text[])
      and "emailVerified" order by "id"`.execute(context.db);
  const [first, ...others] = rows.map(({ id }) => id);
  if (first === undefined) return;
  await writeInRealms(context, [first, ...others], systemActor, async (tx) => {
    for (const userId of [first, ...others]) await notify(tx, { ...notice, userId, workspaceId: null });
  });
}
