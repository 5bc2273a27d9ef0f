// The calls about invitations into a workspace.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { idOf } from '../define/id-schema.ts';
import { listQuery } from '../define/list-query.ts';
import { POSITIONS } from '../permissions.ts';
import { invite } from './invite.ts';

const inviteShown = invite.row.meta({ id: 'Invite' });
const { id } = invite.row.shape;
const inWorkspace = z.object({ workspaceId: idOf('workspace') });
/** From the mail: it proves the address of an account that has not proven it yet. */
const mailedToken = z.string().min(1, 'Required').max(200);
/** An invitation as its addressee sees it. */
const openedInvite = inviteShown
  .extend({
    workspaceName: z.string(),
    /** Name and address of the person who invites. */
    senderName: z.string(),
    senderEmail: z.string(),
  })
  .meta({ id: 'OpenedInvite' });
export type OpenedInvite = z.output<typeof openedInvite>;

/** Positions that a person can be invited to; only members can become owners. */
export const INVITED_POSITIONS = POSITIONS.filter((position) => position !== 'owner');

export const inviteEndpoints = {
  'invite.list': defineEndpoint({
    method: 'GET',
    path: '/v1/invites/{workspaceId}',
    summary: 'Lists the invitations of a workspace, for owners and admins.',
    auth: 'session_member',
    params: inWorkspace,
    query: listQuery(invite),
    result: z.array(inviteShown),
    list: true,
  }),
  'invite.create': defineEndpoint({
    method: 'POST',
    path: '/v1/invites',
    summary: 'Invites an address by mail, or again: an earlier pending invitation of the address is revoked.',
    auth: 'session_member',
    body: invite.createArgs.extend({
      position: z.enum(INVITED_POSITIONS, { error: 'Invite an admin, a member or a read-only member' }),
    }),
    result: inviteShown,
    status: 201,
  }),
  'invite.get': defineEndpoint({
    method: 'GET',
    path: '/v1/invites/{workspaceId}/{id}',
    summary: 'One invitation, for owners and admins and for the person it was sent to.',
    auth: 'session',
    params: inWorkspace.extend({ id }),
    result: inviteShown,
  }),
  'invite.open': defineEndpoint({
    method: 'POST',
    path: '/v1/invites/{id}/open',
    summary: 'What an invitation says to the person it was sent to: workspace, sender and position.',
    auth: 'session',
    params: z.object({ id }),
    body: z.object({ token: mailedToken.optional() }),
    result: openedInvite,
  }),
  'invite.received': defineEndpoint({
    method: 'GET',
    path: '/v1/invites',
    summary: 'Pending invitations to the confirmed address of the signed-in person, newest first.',
    auth: 'session',
    result: z.array(openedInvite),
  }),
  'public_invite.open': defineEndpoint({
    method: 'POST',
    path: '/v1/public/invites/{id}/open',
    spaceless: true,
    summary: 'What a pending invitation says to the reader of its mail, who may have no account yet.',
    auth: 'public',
    rate: 'login',
    params: z.object({ id }),
    body: z.object({ token: mailedToken }),
    result: openedInvite,
  }),
  'invite.answer': defineEndpoint({
    method: 'PUT',
    path: '/v1/invites/{id}',
    summary: 'Accepts an invitation or, with the status revoked, declines it; for the person it was sent to.',
    auth: 'session',
    params: z.object({ id }),
    body: z.object({ status: z.enum(['accepted', 'revoked']), token: mailedToken.optional() }),
    result: inviteShown,
  }),
  'invite.revoke': defineEndpoint({
    method: 'DELETE',
    path: '/v1/invites/{workspaceId}/{id}',
    summary: 'Revokes a pending invitation.',
    auth: 'session_member',
    params: inWorkspace.extend({ id }),
    result: z.null(),
  }),
} as const;
