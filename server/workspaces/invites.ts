/** Invitations as owners and admins send, read and revoke them. invite-answers.ts handles the addressee's response. */
import { sql } from 'kysely';
import { DAY_MS } from '#shared/constants.ts';
import { INVITE } from '#shared/workspaces/limits.ts';
import { authorize } from '#shared/define/access.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import type { Invite } from '#shared/workspaces/invite.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { actorIn } from '../db/run-mutation.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { writeInRealm } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import type { Member, SessionPerson } from '../http/call.ts';
import { memberOf } from '../http/credentials.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import {
  expireInvites,
  INVITE_COLUMNS,
  inviteNotFound,
  invitesIn,
  isSameAddress,
  revokeInvite,
  whyOver,
  refuseStaff,
} from './invite-rows.ts';

interface NewInvite {
  email: string;
  position: Exclude<Position, 'owner'>;
  limits: Pick<RateLimits, 'mail'>;
  /** Network address of the caller. */
  address: string | null;
}

/**
 * Invites an address; an earlier pending invitation of the address is revoked.
 * @throws forbidden, conflict for a member's address, rate_limited
 */
export async function createInvite(
  context: Context,
  actor: SessionPerson & Member,
  { email, position, limits, address }: NewInvite,
): Promise<Invite> {
  refuseStaff(actor);
  authorize(actor, 'invite.create', { position });
  if (!actor.user.emailVerified) throw new AppError('forbidden', 'Verify your e-mail address first');
  await limits.mail(email, address);
  const { userId, workspaceId } = actor;
  const { value } = await writeInRealm(context, workspaceId, actor, async (tx) => {
    const sender = await actorIn(tx, userId);
    authorize(sender, 'invite.create', { position });
    if (await isMembersAddress(tx.trx, workspaceId, email)) {
      throw new AppError('conflict', 'email: this person is a member of the workspace');
    }
    const earlier = await invitesIn(tx.trx)
      .where('workspaceId', '=', workspaceId)
      .where('status', '=', 'pending')
      .where(sql<boolean>`lower("invite"."email") = ${email.toLowerCase()}`)
      .executeTakeFirst();
    if (earlier) {
      authorize(sender, 'invite.revoke', { position: earlier.position });
      await revokeInvite(tx.trx, earlier, tx.now);
    }
    await refuseTooMany(tx, { userId, workspaceId });
    const now = tx.now.toISOString();
    const invite = await tx.trx
      .insertInto('invite')
      .values({
        id: newId('invite'),
        workspaceId,
        email,
        createdBy: userId,
        acceptedAt: null,
        position,
        status: 'pending',
        expiresAt: new Date(tx.now.getTime() + INVITE.days * DAY_MS).toISOString(),
        lastSentAt: null,
        created: now,
        updated: now,
        tokenHash: null,
        acceptedBy: null,
      })
      .returning(INVITE_COLUMNS)
      .executeTakeFirstOrThrow();
    await emit(tx, 'invite.created', { actor, target: invite, position });
    return invite;
  });
  return value;
}

async function isMembersAddress(db: Database, workspaceId: Id<'workspace'>, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.userId')
    .select('user.id')
    .where('workspace_member.workspaceId', '=', workspaceId)
    .where(sql<boolean>`lower("user"."email") = ${email.toLowerCase()}`)
    .executeTakeFirst();
  return found !== undefined;
}

/** Mail to strangers is what spammers want. @throws rate_limited */
async function refuseTooMany(
  { trx, now }: ServerTx,
  { userId, workspaceId }: { userId: Id<'user'>; workspaceId: Id<'workspace'> },
): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS).toISOString();
  const { rows } = await sql<{ sent: number; open: number }>`
    select
      (select count(*) from "invite" where "createdBy" = ${userId} and "created" > ${since}) as "sent", ${across('account')}
      (select count(*) from "invite" where "workspaceId" = ${workspaceId} and "status" = 'pending'
        and "expiresAt" > ${now.toISOString()}) as "open"`.execute(trx);
  const { sent = 0, open = 0 } = rows[0] ?? {};
  if (sent >= INVITE.perPersonADay) {
    throw new AppError('rate_limited', `You can send ${INVITE.perPersonADay} invitations a day`, {
      retryAfter: DAY_MS / 24 / 1_000,
    });
  }
  if (open >= INVITE.pendingMax) {
    throw new AppError('conflict', `A workspace can have ${INVITE.pendingMax} open invitations`);
  }
}

/** One invitation, for its addressee and for those who may list them. @throws forbidden, not_found */
export async function getInvite(
  context: Context,
  person: SessionPerson,
  { workspaceId, id }: { workspaceId: Id<'workspace'>; id: Id<'invite'> },
): Promise<Invite> {
  await expireInvites(context.db, context.clock.now(), { workspaceId, id });
  const found = await invitesIn(context.db)
    .where('invite.id', '=', id)
    .where('invite.workspaceId', '=', workspaceId)
    .executeTakeFirst();
  const { user } = person;
  if (found && user.emailVerified && isSameAddress(found.email, user.email)) return found;
  authorize(await memberOf(context, person, workspaceId), 'invite.read');
  if (!found) throw inviteNotFound();
  return found;
}

/** Revokes a pending invitation. @throws forbidden, not_found, conflict when it is over */
export async function revokeSent(context: Context, actor: Member, id: Id<'invite'>): Promise<void> {
  authorize(actor, 'invite.read');
  await expireInvites(context.db, context.clock.now(), { workspaceId: actor.workspaceId, id });
  const found = await invitesIn(context.db)
    .where('invite.id', '=', id)
    .where('invite.workspaceId', '=', actor.workspaceId)
    .executeTakeFirstOrThrow(inviteNotFound);
  authorize(actor, 'invite.revoke', { position: found.position });
  const now = context.clock.now();
  const isRevoked = await context.db.transaction().execute(async (trx) => {
    if (!(await revokeInvite(trx, found, now))) return false;
    await emit({ trx, now, origin: context.origin }, 'invite.revoked', { actor, target: found });
    return true;
  });
  if (!isRevoked) throw await whyOver(context.db, found);
}
