/**
 * Decisions of staff on reports, and the notification of the owner. Only staff can read who reported; sync/public.ts
 * reads these tables and applies the decision to the page.
 */
import { sql } from 'kysely';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { ReportDecision } from '#shared/site/report-endpoints.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import { writeInRealm } from '../db/transaction.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { emit } from '../events/emit.ts';
import { asPerson } from '../sync/readable.ts';

/** A reported resource, whatever its visibility. */
interface Subject {
  kind: 'space' | 'thread';
  id: string;
  name: string;
  workspaceId: Id<'workspace'>;
  ownerId: Id<'user'>;
}

export interface Decision {
  resourceId: string;
  decision: ReportDecision;
  note: string | undefined;
  staffId: Id<'user'>;
}

/** Settles all open reports of a resource. @throws not_found */
export async function decideReports(context: Context, given: Decision): Promise<number> {
  const subject = await findSubject(context, given.resourceId);
  const { value } = await writeInRealm(context, subject.workspaceId, asPerson(given.staffId), async (tx) => {
    const reports = await closeReports(tx, given);
    await apply(tx, subject, given.decision);
    const { decision, note } = given;
    await emit(tx, 'report.decided', {
      // Who decided is the server's own matter, as with staff who view an account.
      actor: { userId: null, workspaceId: subject.workspaceId },
      target: subject,
      decision,
      note,
      appeal: context.config.contactEmail,
    });
    return reports;
  });
  return value;
}

async function findSubject({ db }: Context, resourceId: string): Promise<Subject> {
  const { rows } = await sql<Subject>`
    select 'space' as "kind", "id", "name", "workspaceId", "ownerId" from "space" where "id" = ${resourceId}
    union all
    select 'thread', "id", "name", "workspaceId", "ownerId" from "thread" where "id" = ${resourceId}
    ${across('staff')}`.execute(db);
  const subject = rows[0];
  if (subject === undefined) throw new AppError('not_found', 'There is no such space or thread');
  return subject;
}

async function closeReports(
  { trx, now }: ServerTx,
  { resourceId, decision, staffId }: Decision,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('internal_event')
    .set({ decidedAt: now.toISOString(), decision, decidedBy: staffId })
    .where('resourceId', '=', resourceId)
    .where('decidedAt', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Dismissing reverts the effects of reports and earlier decisions; other decisions end the effects of reports. */
async function apply(
  tx: ServerTx,
  { kind, id, workspaceId }: Subject,
  decision: ReportDecision,
): Promise<void> {
  const since = tx.now.toISOString();
  await tx.trx
    .deleteFrom('hidden_resource')
    .where('workspaceId', '=', workspaceId)
    .where('resourceId', '=', id)
    .execute();
  if (decision === 'hide')
    await tx.trx
      .insertInto('hidden_resource')
      .values({ workspaceId, resourceId: id, since, closed: true })
      .execute();
  if (decision === 'make_private') await tx.update(kind, id, { visibility: 'private', updated: since });
  if (decision === 'dismiss')
    await tx.trx.deleteFrom('suspended_workspace').where('workspaceId', '=', workspaceId).execute();
  if (decision === 'suspend_workspace') {
    await tx.trx
      .insertInto('suspended_workspace')
      .values({ workspaceId, since })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
