// The audit log as other features write it: in the transaction of the recorded action, with its request. Details are chosen by
// the caller, field by field, and never hold a secret.
import { sql, type Kysely } from 'kysely';
import type { AuditAction } from '#shared/audit/audit-event.ts';
import { LIMITS } from '#shared/constants.ts';
import { newId, type Id } from '#shared/ids.ts';
import { across } from '../db/across.ts';
import type { Tables } from '../db/tables.ts';
import type { RequestOrigin } from '../request-origin.ts';

/** The transaction, its time, and the request that it belongs to. */
export interface AuditTx {
  trx: Kysely<Tables>;
  now: Date;
  origin: RequestOrigin | undefined;
}

interface Target {
  kind: string;
  id: string;
  name: string | null;
}

export interface AuditEntry {
  action: AuditAction;
  /** Who did it, or to whose account it happened; null when no person is behind it. */
  actorId: Id<'user'> | null;
  /** Member of staff behind the person, if the request does not name one. */
  impersonatorId?: Id<'user'> | undefined;
  target?: Target;
  details?: Readonly<Record<string, string | number | boolean | null>>;
}

const USER_AGENT_MAX = 300;

/** Adds an event to the log of a workspace; without one, of every workspace that the actor is a member of. */
export async function recordAudit(
  tx: AuditTx,
  workspaceId: Id<'workspace'> | undefined,
  { action, actorId, impersonatorId, target, details = {} }: AuditEntry,
): Promise<void> {
  const { trx, now, origin } = tx;
  const workspaceIds = workspaceId === undefined ? await workspacesOf(tx, actorId) : [workspaceId];
  if (workspaceIds.length === 0) return;
  const event = {
    action,
    actorId,
    actorName: actorId === null ? null : await nameOf(trx, actorId),
    impersonatorId: impersonatorId ?? origin?.impersonator ?? null,
    via: origin?.via ?? ('system' as const),
    targetKind: target?.kind ?? null,
    targetId: target?.id ?? null,
    targetName: target?.name?.slice(0, LIMITS.title) ?? null,
    details: JSON.stringify(details),
    address: origin?.address ?? null,
    userAgent: origin?.userAgent?.slice(0, USER_AGENT_MAX) ?? null,
    created: now.toISOString(),
  };
  await trx
    .insertInto('audit_event')
    .values(workspaceIds.map((workspaceId) => ({ ...event, workspaceId, id: newId('internal_event') })))
    .execute();
}

async function workspacesOf({ trx }: AuditTx, userId: Id<'user'> | null): Promise<Id<'workspace'>[]> {
  const memberships = await trx
    .selectFrom('workspace_member')
    .select('workspaceId')
    .where('userId', '=', userId)
    .modifyEnd(across('account'))
    .execute();
  return memberships.map(({ workspaceId }) => workspaceId);
}

async function nameOf(db: Kysely<Tables>, userId: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(nullif(trim(concat_ws(' ', "forename", "surname")), ''), "username", "email") as "name"
    from "user" where "id" = ${userId}`.execute(db);
  return rows[0]?.name ?? null;
}
