/**
 * Deletion of an account after its grace period: the person's own workspaces are deleted, memberships end, private content
 * passes to the workspace's owner, and the person's name is removed. Content in shared workspaces stays there, by a deleted
 * user.
 */
import { sql } from 'kysely';
import { isId, type Id } from '#shared/ids.ts';
import type { Database } from '../db/database.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';
import { forgetRealm } from '../sync/retention.ts';
import { endGuest, endMembership, forgetInvitesOf, purgeOwnWorkspaces } from '../workspaces/service.ts';
import { workspacesOf } from './service.ts';
import { forgetOtherWaysIn } from './ways-in.ts';

/** Removes the accounts that are due; returns how many. One that cannot go yet is tried again with the next clean-up. */
export async function purgeAccounts(context: WriteContext, now: Date): Promise<number> {
  const due = await context.db
    .selectFrom('account_deletion')
    .select('userId')
    .where('purgeAfter', '<', now.toISOString())
    .execute();
  let purged = 0;
  for (const { userId } of due) {
    if (!isId('user', userId)) continue;
    try {
      await purgeAccount(context, userId);
      purged += 1;
    } catch (error) {
      context.log.error({ err: error, userId }, 'an account could not be removed');
    }
  }
  return purged;
}

async function purgeAccount(context: WriteContext, userId: Id<'user'>): Promise<void> {
  await purgeOwnWorkspaces(context, userId);
  for (const workspaceId of await workspacesOf(context, userId))
    await endMembership(context, workspaceId, userId);
  await writeInRealm(context, userId, systemActor, async ({ trx }) => {
    await trx.deleteFrom('notification').where('userId', '=', userId).execute();
    await trx.deleteFrom('notification_setting').where('userId', '=', userId).execute();
    await trx.deleteFrom('notification_digest_item').where('userId', '=', userId).execute();
    await trx.deleteFrom('login_device').where('userId', '=', userId).execute();
    await trx.deleteFrom('session').where('userId', '=', userId).execute();
    await trx.deleteFrom('user_password').where('userId', '=', userId).execute();
    await forgetOtherWaysIn(trx, userId);
    await trx.deleteFrom('email_token').where('userId', '=', userId).execute();
    await trx.deleteFrom('email_change').where('userId', '=', userId).execute();
    await trx.deleteFrom('idempotency_key').where('caller', '=', userId).execute();
    await forgetInvitesOf(trx, userId);
    await anonymize(trx, userId);
    await trx.deleteFrom('account_deletion').where('userId', '=', userId).execute();
  });
  await endGuest(context, userId);
  await forgetRealm(context.db, userId);
}

/** Content refers to the row, so the row stays, without all data that identified the person. */
async function anonymize(trx: Database, userId: Id<'user'>): Promise<void> {
  const email = `${userId}@deleted.invalid`;
  await sql`
    update "user" set "source" = 'email', "githubId" = null, "googleId" = null, "forename" = 'Deleted',
      "surname" = 'user', "username" = null, "email" = ${email}, "domain" = 'deleted.invalid', "personal" = false,
      "emailVerified" = false
    where "id" = ${userId}`.execute(trx);
}
