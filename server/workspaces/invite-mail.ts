/**
 * The mail of an invitation. Whether the address has an account is looked up here and not in the request, so that the response
 * reveals nothing about it, and the secret of the link is created here, so that no job stores it.
 */
import { randomBytes } from 'node:crypto';
import { displayName } from '#shared/accounts/display-name.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import { INVITED_AS } from '#shared/workspaces/invite.ts';
import { findAccountOf } from '../accounts/service.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import { hashToken } from '../http/credentials.ts';
import { layoutMail, unlinked } from '../providers/mail-layout.ts';
import { INVITE_COLUMNS } from './invite-rows.ts';

const TOKEN_BYTES = 32;

/** Sends the mail of a pending invitation, and notifies the invited person when the address has an account. */
export async function sendInviteMail(context: Context, id: Id<'invite'>): Promise<void> {
  const { db, clock, config } = context;
  const found = await findForMail(context, id);
  if (!found) return;
  const account = await findAccountOf(db, found.email);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const { numUpdatedRows } = await db
    .updateTable('invite')
    .set({ tokenHash: hashToken(token) })
    .where('workspaceId', '=', found.workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const workspace = unlinked(found.workspaceName);
  const sender = displayName(found);
  const title = `${unlinked(sender)} invited you to ${workspace}`;
  const until = new Date(found.expiresAt).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const page = account === undefined ? '/signup' : '/login';
  // The token is in the fragment, which reaches neither servers nor referrers.
  const secret = new URLSearchParams({ token, email: found.email });
  const mail = layoutMail(title, [
    `${unlinked(sender)} (${found.senderEmail}) invited you to join the workspace ${workspace} on ${PRODUCT_NAME} ${INVITED_AS[found.position]}.`,
    { link: `${config.appOrigin}${page}?invite=${id}#${secret.toString()}`, label: 'View invitation' },
    `The invitation is for ${found.email} and expires on ${until}.`,
    'If you do not know the sender, ignore this mail. You join only if you accept.',
  ]);
  await context.mailer.send({ kind: 'invite', to: found.email, ...mail });
  await db
    .updateTable('invite')
    .set({ lastSentAt: clock.now().toISOString() })
    .where('workspaceId', '=', found.workspaceId)
    .where('id', '=', id)
    .execute();
  // An account that has not proven the address is perhaps another person's.
  if (!account?.emailVerified) return;
  await writeInRealm(context, account.id, systemActor, (tx) =>
    emit(tx, 'invite.received', { userId: account.id, invite: found, sender, until }),
  );
}

function findForMail({ db, clock }: Pick<Context, 'db' | 'clock'>, id: Id<'invite'>) {
  return db
    .selectFrom('invite')
    .innerJoin('workspace', 'workspace.id', 'invite.workspaceId')
    .innerJoin('user', 'user.id', 'invite.createdBy')
    .select(INVITE_COLUMNS)
    .select(['workspace.name as workspaceName', 'user.email as senderEmail'])
    .select(['user.forename', 'user.surname', 'user.username'])
    .where('invite.id', '=', id)
    .where('invite.status', '=', 'pending')
    .where('invite.expiresAt', '>', clock.now().toISOString())
    .where('workspace.deletedAt', 'is', null)
    .modifyEnd(across('job'))
    .executeTakeFirst();
}
