// The calls about workspaces and their members.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { timestamp } from '../define/fields.ts';
import { listQuery } from '../define/list-query.ts';
import { idOf } from '../define/id-schema.ts';
import { POSITIONS } from '../permissions.ts';
import { usage } from './usage.ts';
import { memberHead, workspaceMember } from './workspace-member.ts';
import { workspace } from './workspace.ts';

const { shape } = workspace.row;
const inWorkspace = z.object({ workspaceId: idOf('workspace') });
/** A workspace as REST shows it. */
const shown = workspace.row.omit({ deletedAt: true }).meta({ id: 'Workspace' });

/** A member with the names that members see of each other; the address only for positions that may see it. */
const memberShown = memberHead.extend({ email: z.string().nullable() }).meta({ id: 'WorkspaceMember' });
const oneMember = inWorkspace.extend({
  /** Id of the membership or of the user. */
  id: z.union([idOf('workspace_member'), idOf('user')]),
});

export const workspaceEndpoints = {
  'workspace.list': defineEndpoint({
    method: 'GET',
    path: '/v1/workspaces',
    summary: 'Lists the workspaces in which the person is a member.',
    auth: 'user',
    scope: 'workspaces:read',
    limitable: true,
    query: listQuery(workspace),
    result: z.array(shown),
    list: true,
  }),
  'workspace.create': defineEndpoint({
    method: 'POST',
    path: '/v1/workspaces',
    summary: 'Founds a workspace with the person as owner; without a slug one is made of the name.',
    auth: 'session',
    body: workspace.createArgs.extend({ id: shape.id.optional(), slug: shape.slug.optional() }),
    result: shown,
    status: 201,
  }),
  'workspace.get': defineEndpoint({
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}',
    summary: 'One workspace.',
    auth: 'member',
    scope: 'workspaces:read',
    limitable: true,
    params: inWorkspace,
    result: shown,
  }),
  'workspace.get_by_slug': defineEndpoint({
    method: 'GET',
    path: '/v1/workspaces/slug/{slug}',
    summary: 'One workspace by its address; an earlier address answers for 90 days too.',
    auth: 'user',
    scope: 'workspaces:read',
    limitable: true,
    params: z.object({ slug: z.string().max(100) }),
    result: shown,
  }),
  'workspace.usage': defineEndpoint({
    method: 'GET',
    path: '/v1/workspaces/usage/{workspaceId}',
    summary: 'What the workspace holds and uses; members get the totals, owners and admins everything.',
    auth: 'member',
    scope: 'workspaces:read',
    params: inWorkspace,
    result: usage,
  }),
  'workspace.replace': defineEndpoint({
    method: 'PUT',
    path: '/v1/workspaces/{workspaceId}',
    summary: 'Replaces all editable fields; slug and domain are the owner’s.',
    auth: 'session_member',
    params: inWorkspace,
    body: workspace.replaceArgs,
    result: shown,
  }),
  'workspace.update': defineEndpoint({
    method: 'PATCH',
    path: '/v1/workspaces/{workspaceId}',
    summary: 'Changes the given fields; slug and domain are the owner’s.',
    auth: 'session_member',
    params: inWorkspace,
    body: workspace.patchArgs,
    result: shown,
  }),
  'workspace.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/workspaces/{workspaceId}',
    summary: 'Closes the workspace; its content is deleted 14 days later.',
    auth: 'session_member',
    params: inWorkspace,
    result: z.null(),
  }),
  'workspace.add_sample': defineEndpoint({
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/sample',
    summary: 'Adds a sample space with a few memories, once.',
    auth: 'session_member',
    params: inWorkspace,
    result: z.object({ spaceId: idOf('space') }),
  }),
  'workspace.suspension': defineEndpoint({
    method: 'GET',
    path: '/v1/workspaces/{workspaceId}/suspension',
    summary: 'Since when nothing of the workspace is shown on the web, by a decision on reports, or null.',
    auth: 'session_member',
    params: inWorkspace,
    result: z
      .object({
        since: timestamp,
        /** Where the decision can be appealed. */
        contact: z.string().nullable(),
      })
      .meta({ id: 'Suspension' })
      .nullable(),
  }),
  'workspace.list_deleted': defineEndpoint({
    method: 'GET',
    path: '/v1/workspaces/deleted',
    summary: 'Lists the closed workspaces that the person, as an owner, can still take back.',
    auth: 'session',
    result: z.array(
      workspace.row.pick({ id: true, slug: true, name: true }).extend({ deletedAt: timestamp }),
    ),
  }),
  'workspace.list_shared': defineEndpoint({
    method: 'GET',
    path: '/v1/workspaces/shared',
    summary: 'Lists the workspaces in which something is shared with the person, who is no member there.',
    auth: 'session',
    result: z.array(workspace.row.pick({ id: true, slug: true, name: true })),
  }),
  'workspace.restore': defineEndpoint({
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/restore',
    summary: 'Takes back a closed workspace within 14 days; for its owners.',
    auth: 'session',
    params: inWorkspace,
    result: shown,
  }),
  'workspace.transfer': defineEndpoint({
    method: 'POST',
    path: '/v1/workspaces/{workspaceId}/transfer',
    summary: 'Makes another member the owner of the workspace, and the person who calls an admin.',
    auth: 'session_member',
    params: inWorkspace,
    body: z.object({ userId: idOf('user') }),
    result: shown,
  }),
  'workspace_member.list': defineEndpoint({
    method: 'GET',
    path: '/v1/workspace_members/{workspaceId}',
    summary: 'Lists the members of a workspace.',
    auth: 'member',
    scope: 'members:read',
    params: inWorkspace,
    query: listQuery(workspaceMember),
    result: z.array(memberShown),
    list: true,
  }),
  'workspace_member.get': defineEndpoint({
    method: 'GET',
    path: '/v1/workspace_members/{workspaceId}/{id}',
    summary: 'One member, by the id of the membership or of the user.',
    auth: 'member',
    scope: 'members:read',
    params: oneMember,
    result: memberShown,
  }),
  'workspace_member.update': defineEndpoint({
    method: 'PATCH',
    path: '/v1/workspace_members/{workspaceId}/{id}',
    summary: 'Gives a member another position.',
    auth: 'session_member',
    params: oneMember,
    body: z.object({ position: z.enum(POSITIONS) }),
    result: memberShown,
  }),
  'workspace_member.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/workspace_members/{workspaceId}/{id}',
    summary: 'Ends a membership; with the own id this is leaving.',
    auth: 'session_member',
    params: oneMember,
    result: z.null(),
  }),
} as const;
