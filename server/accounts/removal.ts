/**
 * Deletion of an account: scheduled, not immediate, and refused while others would be left without an owner. Signing in again
 * cancels it.
 */
import type { ExpressionBuilder } from 'kysely';
import type { RemovalPlan } from '#shared/accounts/endpoints.ts';
import { ACCOUNT_KEEP_DAYS } from '#shared/accounts/limits.ts';
import { DAY_MS } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { emit } from '../events/emit.ts';
import type { Person } from '../http/call.ts';

/** Plans the end of an account and signs it out everywhere. @throws conflict naming workspaces that need a new owner */
export async function planRemoval(context: Context, person: Person): Promise<string> {
  const now = context.clock.now();
  const purgeAfter = new Date(now.getTime() + ACCOUNT_KEEP_DAYS * DAY_MS).toISOString();
  const { blocking } = await removalPlanOf(context.db, person.userId);
  if (blocking.length > 0) {
    const names = blocking.map(({ name }) => name).join(', ');
    throw new AppError('conflict', `Give these workspaces another owner first: ${names}`);
  }
  await context.db.transaction().execute(async (tx) => {
    const row = { userId: person.userId, requested: now.toISOString(), purgeAfter };
    await tx
      .insertInto('account_deletion')
      .values(row)
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(row))
      .execute();
    await tx.deleteFrom('session').where('userId', '=', person.userId).execute();
    await emit({ trx: tx, now, origin: context.origin }, 'account.removed', { actor: person });
  });
  return purgeAfter;
}

/** Plan for each workspace of the person, ordered by name. */
export async function removalPlanOf(db: Database, userId: Id<'user'>): Promise<RemovalPlan> {
  const others = (row: ExpressionBuilder<Tables, 'workspace_member'>) =>
    row
      .selectFrom('workspace_member as other')
      .select('other.id')
      .whereRef('other.workspaceId', '=', 'workspace_member.workspaceId')
      .where('other.userId', '!=', userId);
  const rows = await db
    .selectFrom('workspace_member')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspaceId')
    .select(['workspace.id', 'workspace.slug', 'workspace.name', 'workspace_member.position'])
    .select((row) => [
      row.exists(others(row)).as('hasOthers'),
      row
        .exists(
          others(row)
            .where('other.position', '=', 'owner')
            .where(({ not, exists, selectFrom }) =>
              not(
                exists(
                  selectFrom('account_deletion')
                    .select('account_deletion.userId')
                    .whereRef('account_deletion.userId', '=', 'other.userId'),
                ),
              ),
            ),
        )
        .as('hasOtherOwner'),
    ])
    .where('workspace_member.userId', '=', userId)
    .where('workspace.deletedAt', 'is', null)
    .orderBy('workspace.name')
    .modifyEnd(across('account'))
    .execute();
  const plan: RemovalPlan = { blocking: [], deleted: [], left: [] };
  for (const { position, hasOthers, hasOtherOwner, ...workspace } of rows) {
    if (!hasOthers) plan.deleted.push(workspace);
    else if (position === 'owner' && !hasOtherOwner) plan.blocking.push(workspace);
    else plan.left.push(workspace);
  }
  return plan;
}
