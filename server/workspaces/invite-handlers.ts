/** The calls about invitations, one small function per row. */
import { authorize } from '#shared/define/access.ts';
import type { inviteEndpoints } from '#shared/workspaces/invite-endpoints.ts';
import type { Handlers } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { written } from '../http/write.ts';
import {
  acceptInvite,
  declineInvite,
  openInvite,
  openMailedInvite,
  receivedInvites,
} from './invite-answers.ts';
import { expireInvites, invitesIn } from './invite-rows.ts';
import { createInvite, getInvite, revokeSent } from './invites.ts';

export const inviteHandlers = {
  'invite.list': async ({ context, actor, query }) => {
    authorize(actor, 'invite.read');
    const { workspaceId } = actor;
    await expireInvites(context.db, context.clock.now(), { workspaceId });
    const rows = invitesIn(context.db).where('invite.workspaceId', '=', workspaceId);
    return listPage(rows, { table: 'invite', query });
  },
  'invite.create': async ({ context, actor, body: { email, position }, request, limits }) => ({
    result: await createInvite(context, actor, {
      email,
      position,
      limits,
      address: request.address,
    }),
  }),
  'invite.get': async ({ context, actor, params }) => ({ result: await getInvite(context, actor, params) }),
  'invite.open': async ({ context, actor, params, body }) => ({
    result: await openInvite(context, actor, { id: params.id, token: body.token }),
  }),
  'invite.received': async ({ context, actor }) => ({ result: await receivedInvites(context, actor) }),
  'public_invite.open': async ({ context, params, body }) => ({
    result: await openMailedInvite(context, { id: params.id, token: body.token }),
  }),
  'invite.answer': async ({ context, actor, params, body: { status, token } }) => {
    const answer = { id: params.id, token };
    if (status === 'accepted') return written(await acceptInvite(context, actor, answer));
    return { result: await declineInvite(context, actor, answer) };
  },
  'invite.revoke': async ({ context, actor, params }) => {
    await revokeSent(context, actor, params.id);
    return { result: null };
  },
} satisfies Handlers<typeof inviteEndpoints>;
