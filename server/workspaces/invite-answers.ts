/**
 * Invitations as their addressees see and answer them. An invitation belongs to an address: it is answered by the account
 * that has proven the address, or by one that names it and shows the token of the mail, which proves it in the same
 * transaction.
 */
import { sql } from 'kysely';
import { displayName } from '#shared/accounts/display-name.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { OpenedInvite } from '#shared/workspaces/invite-endpoints.ts';
import type { Invite } from '#shared/workspaces/invite.ts';
import { proveAddress } from '../accounts/service.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import { writeInRealm, type Written } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import type { SessionPerson } from '../http/call.ts';
import { hashToken } from '../http/credentials.ts';
import {
  expireInvites,
  INVITE_COLUMNS,
  inviteById,
  inviteNotFound,
  isSameAddress,
  overError,
  revokeInvite,
  whyOver,
  refuseStaff,
} from './invite-rows.ts';
import { addMember, findMember } from './membership.ts';

/** An invitation and the token of its mail, if the person followed its link. */
interface Answer {
  id: Id<'invite'>;
  token: string | undefined;
}

/** Details of an invitation for its addressee. @throws not_found, forbidden for other people */
export async function openInvite(
  context: Context,
  person: SessionPerson,
  answer: Answer,
): Promise<OpenedInvite> {
  const { db } = context;
  await expireInvites(db, context.clock.now(), { id: answer.id });
  const found = await describedInvites(db)
    .where('invite.id', '=', answer.id)
    .modifyEnd(across('credential'))
    .executeTakeFirstOrThrow(inviteNotFound);
  requireAddressee(person, found, answer);
  return asOpened(found);
}

/** Details of a pending invitation for the reader of its mail, without an account. @throws not_found */
export async function openMailedInvite(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id, token }: { id: Id<'invite'>; token: string },
): Promise<OpenedInvite> {
  await expireInvites(db, clock.now(), { id });
  // An invitation that is over has no token.
  const found = await describedInvites(db)
    .where('invite.id', '=', id)
    .where('invite.tokenHash', '=', hashToken(token))
    .modifyEnd(across('credential'))
    .executeTakeFirstOrThrow(inviteNotFound);
  return asOpened(found);
}

/** The pending invitations to the address that a person has proven. */
export async function receivedInvites(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { user }: Pick<SessionPerson, 'user'>,
): Promise<OpenedInvite[]> {
  if (!user.emailVerified) return [];
  const found = await describedInvites(db)
    .where(sql<boolean>`lower("invite"."email") = ${user.email.toLowerCase()}`)
    .where('invite.status', '=', 'pending')
    .where('invite.expiresAt', '>', clock.now().toISOString())
    .orderBy('invite.created', 'desc')
    .orderBy('invite.id')
    .modifyEnd(across('account'))
    .execute();
  return found.map(asOpened);
}

/** Invitations with what they say: into which workspace, and from whom. */
function describedInvites(db: Context['db']) {
  return db
    .selectFrom('invite')
    .innerJoin('workspace', 'workspace.id', 'invite.workspaceId')
    .innerJoin('user', 'user.id', 'invite.createdBy')
    .select(INVITE_COLUMNS)
    .select(['invite.tokenHash', 'workspace.name as workspaceName', 'user.email as senderEmail'])
    .select(['user.forename', 'user.surname', 'user.username'])
    .where('workspace.deletedAt', 'is', null);
}

type Described = Awaited<ReturnType<ReturnType<typeof describedInvites>['execute']>>[number];

function asOpened({ tokenHash: _tokenHash, forename, surname, username, ...shown }: Described): OpenedInvite {
  return { ...shown, senderName: displayName({ forename, surname, username }) };
}

/**
 * Makes the addressee a member. A repetition by the same person has no effect while they are a member.
 * @throws not_found, forbidden; conflict when the invitation has ended
 */
export async function acceptInvite(
  context: Context,
  person: SessionPerson,
  answer: Answer,
): Promise<Written<Invite>> {
  refuseStaff(person);
  const { db, clock } = context;
  await expireInvites(db, clock.now(), { id: answer.id });
  const known = await inviteById(db, answer.id);
  if (!known) throw inviteNotFound();
  const { userId } = person;
  return writeInRealm(context, known.workspaceId, person, async (tx) => {
    const { tokenHash, acceptedBy, ...invite } = await tx.trx
      .selectFrom('invite')
      .select(INVITE_COLUMNS)
      .select(['tokenHash', 'acceptedBy'])
      .where('workspaceId', '=', known.workspaceId)
      .where('id', '=', answer.id)
      .forUpdate()
      .executeTakeFirstOrThrow(inviteNotFound);
    // Read again, because the same request a moment ago may have proven the address.
    const user = await tx.trx
      .selectFrom('user')
      .selectAll()
      .where('id', '=', userId)
      .executeTakeFirstOrThrow(inviteNotFound);
    const proof = requireAddressee({ user }, { ...invite, tokenHash }, answer);
    const isMember = (await findMember(tx, userId)) !== undefined;
    if (invite.status === 'accepted' && acceptedBy === userId && isMember) return invite;
    if (invite.status !== 'pending') throw overError(invite.status);
    const workspace = await tx.trx
      .selectFrom('workspace')
      .select(['name', 'slug'])
      .where('id', '=', invite.workspaceId)
      .where('deletedAt', 'is', null)
      .executeTakeFirstOrThrow(() => new AppError('conflict', 'This workspace was deleted'));
    if (proof === 'mailed') {
      await proveAddress(tx.trx, { userId, email: invite.email, now: tx.now, jobs: context.jobs });
    }
    if (!isMember) await addMember(tx, { userId, position: invite.position, invitedBy: invite.createdBy });
    const now = tx.now.toISOString();
    const accepted = await tx.trx
      .updateTable('invite')
      .set({ status: 'accepted', acceptedAt: now, updated: now, tokenHash: null, acceptedBy: userId })
      .where('workspaceId', '=', invite.workspaceId)
      .where('id', '=', invite.id)
      .returning(INVITE_COLUMNS)
      .executeTakeFirstOrThrow();
    const actor = { userId, workspaceId: invite.workspaceId };
    await emit(tx, 'member.joined', { actor, position: invite.position });
    await emit(tx, 'invite.accepted', { invite, user, workspace });
    return accepted;
  });
}

/** Declines a pending invitation. @throws not_found, forbidden; conflict when it is over */
export async function declineInvite(
  context: Context,
  person: SessionPerson,
  answer: Answer,
): Promise<Invite> {
  refuseStaff(person);
  const { db, clock } = context;
  await expireInvites(db, clock.now(), { id: answer.id });
  const found = await db
    .selectFrom('invite')
    .select(['workspaceId', 'id', 'email', 'tokenHash'])
    .where('id', '=', answer.id)
    .modifyEnd(across('credential'))
    .executeTakeFirstOrThrow(inviteNotFound);
  requireAddressee(person, found, answer);
  const declined = await revokeInvite(db, found, clock.now());
  if (!declined) throw await whyOver(db, found);
  return declined;
}

/**
 * Checks that the person is the addressee: by the account's proven address, or by the token of the mail.
 * @throws forbidden
 */
function requireAddressee(
  { user }: Pick<SessionPerson, 'user'>,
  invite: { email: string; tokenHash: string | null },
  { token }: Answer,
): 'proven' | 'mailed' {
  if (!isSameAddress(invite.email, user.email)) {
    throw new AppError('forbidden', 'This invitation was sent to another e-mail address');
  }
  if (user.emailVerified) return 'proven';
  if (token !== undefined && invite.tokenHash === hashToken(token)) return 'mailed';
  throw new AppError('forbidden', 'Confirm your e-mail address to see this invitation');
}
