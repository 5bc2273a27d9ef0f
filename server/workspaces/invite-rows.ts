/**
 * The stored invitations and the changes of their status that need no person at the call. An invitation leaves `pending`
 * once, by a conditional update, so two requests never both succeed.
 */
import { DAY_MS } from '#shared/constants.ts';
import { INVITE } from '#shared/workspaces/limits.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { can, POSITIONS, type Position } from '#shared/permissions.ts';
import type { Invite } from '#shared/workspaces/invite.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { columnsOf } from '../db/entity-columns.ts';
import type { ServerTx } from '../db/server-tx.ts';
import type { SessionPerson } from '../http/call.ts';
import { refuseImpersonation } from '../http/person-checks.ts';

/** The columns that callers are shown. */
export const INVITE_COLUMNS = columnsOf('invite', []);

/** Invitations as callers are shown them. */
export function invitesIn(db: Database) {
  return db.selectFrom('invite').select(INVITE_COLUMNS);
}

/** One invitation, as a person presents it: its id determines the workspace. */
export function inviteById(db: Database, id: Id<'invite'>): Promise<Invite | undefined> {
  return invitesIn(db).where('invite.id', '=', id).modifyEnd(across('credential')).executeTakeFirst();
}

/** Addresses are compared without regard to case, as accounts are. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Ends expired pending invitations: all of them, those of a workspace, or one. */
export async function expireInvites(
  db: Database,
  now: Date,
  only: { workspaceId?: Id<'workspace'>; id?: Id<'invite'> } = {},
): Promise<void> {
  const at = now.toISOString();
  let update = db
    .updateTable('invite')
    .set({ status: 'expired', tokenHash: null, updated: at })
    .where('status', '=', 'pending')
    .where('expiresAt', '<=', at);
  if (only.id !== undefined) update = update.where('id', '=', only.id);
  update =
    only.workspaceId === undefined
      ? update.modifyEnd(across(only.id === undefined ? 'purge' : 'credential'))
      : update.where('workspaceId', '=', only.workspaceId);
  await update.execute();
}

type InviteAddress = Pick<Invite, 'workspaceId' | 'id'>;

/** Revokes a pending invitation; undefined when it was no longer pending. */
export function revokeInvite(
  db: Database,
  { workspaceId, id }: InviteAddress,
  now: Date,
): Promise<Invite | undefined> {
  return db
    .updateTable('invite')
    .set({ status: 'revoked', tokenHash: null, updated: now.toISOString() })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning(INVITE_COLUMNS)
    .executeTakeFirst();
}

interface Sender {
  workspaceId: Id<'workspace'>;
  userId: Id<'user'>;
  /** Undefined for a former member. */
  position: Position | undefined;
}

/** Revokes what a member has sent and, in the new position or as a former member, could not send any more. */
export async function revokeInvitesBeyond(
  { trx, now }: ServerTx,
  { workspaceId, userId, position }: Sender,
): Promise<void> {
  const beyond = POSITIONS.filter(
    (invited) => position === undefined || !can({ userId, position }, 'invite.create', { position: invited }),
  );
  if (beyond.length === 0) return;
  await trx
    .updateTable('invite')
    .set({ status: 'revoked', tokenHash: null, updated: now.toISOString() })
    .where('workspaceId', '=', workspaceId)
    .where('createdBy', '=', userId)
    .where('status', '=', 'pending')
    .where('position', 'in', beyond)
    .execute();
}

/** Deletes invitations that were over long ago, because they name people who may never have joined. */
export async function forgetInvites(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - INVITE.keepDays * DAY_MS).toISOString();
  await db
    .deleteFrom('invite')
    .where('status', '!=', 'pending')
    .where('updated', '<', before)
    .modifyEnd(across('purge'))
    .execute();
}

/** Why an invitation that is no longer pending cannot be answered or revoked. */
export async function whyOver(db: Database, { workspaceId, id }: InviteAddress): Promise<AppError> {
  const row = await db
    .selectFrom('invite')
    .select('status')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? overError(row.status) : inviteNotFound();
}

export function overError(status: Invite['status']): AppError {
  const words = {
    pending: 'is open',
    accepted: 'was accepted',
    expired: 'has expired',
    revoked: 'was revoked',
  };
  return new AppError('conflict', `This invitation ${words[status]}`);
}

export function inviteNotFound(): AppError {
  return new AppError('not_found', 'Invitation not found');
}

/** Staff who act as a person can neither invite people nor join a workspace in the person's name. @throws forbidden */
export const refuseStaff = (person: Pick<SessionPerson, 'credential'>): void =>
  refuseImpersonation(person, 'Invitations cannot be sent or answered while impersonating');
