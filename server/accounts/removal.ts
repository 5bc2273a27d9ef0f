/**
 * The end of an account (PRODUCT 5.16): planned, not done at once, and refused while others would be left without an
 * owner. Signing in again takes the wish back.
 */
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Person } from '../http/call.ts';

const DAY_MS = 86_400_000;
/** Days between the wish to delete an account and its end. */
const ACCOUNT_DELETION_DAYS = 14;

/** Plans the end of an account and signs it out everywhere. @throws conflict naming workspaces that need a new owner */
export async function planRemoval(context: Context, person: Person): Promise<string> {
  const now = context.clock.now();
  const purgeAfter = new Date(now.getTime() + ACCOUNT_DELETION_DAYS * DAY_MS).toISOString();
  const orphaned = await workspacesWithoutOtherOwner(context.db, person.userId);
  if (orphaned.length > 0) {
    throw new AppError('conflict', `Give these workspaces another owner first: ${orphaned.join(', ')}`);
  }
  await context.db.transaction().execute(async (tx) => {
    const row = { userId: person.userId, requested: now.toISOString(), purgeAfter };
    await tx
      .insertInto('account_deletion')
      .values(row)
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(row))
      .execute();
    await tx.deleteFrom('session').where('userId', '=', person.userId).execute();
  });
  return purgeAfter;
}

/** Names of workspaces with other members in which the user is the only owner. */
async function workspacesWithoutOtherOwner(db: Database, userId: Id<'user'>): Promise<string[]> {
  const rows = await db
    .selectFrom('workspace_member as mine')
    .innerJoin('workspace', 'workspace.id', 'mine.workspaceId')
    .select('workspace.name')
    .where('mine.userId', '=', userId)
    .where('mine.position', '=', 'owner')
    .where('workspace.deletedAt', 'is', null)
    .where((row) =>
      row.exists(
        row
          .selectFrom('workspace_member as other')
          .select('other.id')
          .whereRef('other.workspaceId', '=', 'mine.workspaceId')
          .where('other.userId', '!=', userId),
      ),
    )
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('workspace_member as owner')
            .select('owner.id')
            .whereRef('owner.workspaceId', '=', 'mine.workspaceId')
            .where('owner.userId', '!=', userId)
            .where('owner.position', '=', 'owner'),
        ),
      ),
    )
    .execute();
  return rows.map(({ name }) => name);
}
