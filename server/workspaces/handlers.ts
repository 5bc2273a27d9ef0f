/** The calls about workspaces, members and invitations. For the public, one without public content does not exist. */
import { sql } from 'kysely';
import { authorize } from '#shared/define/access.ts';
import { AppError } from '#shared/errors.ts';
import { isId, type Id } from '#shared/ids.ts';
import { can } from '#shared/permissions.ts';
import type { workspaceEndpoints } from '#shared/workspaces/endpoints.ts';
import type { inviteEndpoints } from '#shared/workspaces/invite-endpoints.ts';
import type { publicWorkspaceEndpoints } from '#shared/workspaces/public-endpoints.ts';
import type { PublicWorkspace } from '#shared/workspaces/public-workspace.ts';
import { requireRecentProof } from '../accounts/service.ts';
import type { Context } from '../context.ts';
import { emit } from '../events/emit.ts';
import type { Handlers, Member, SessionPerson } from '../http/call.ts';
import { memberOf, onlyWorkspaceOf } from '../http/credentials.ts';
import { listPage } from '../http/list-page.ts';
import { writeAs, written } from '../http/write.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { publiclyReadable } from '../sync/public.ts';
import { sharedWorkspacesOf } from './guests.ts';
import {
  acceptInvite,
  declineInvite,
  openInvite,
  openMailedInvite,
  receivedInvites,
} from './invite-answers.ts';
import { expireInvites, invitesIn } from './invite-rows.ts';
import { createInvite, getInvite, revokeSent } from './invites.ts';
import { addSampleSpace } from './sample-space.ts';
import { changePosition, removeMember, transferOwnership } from './membership.ts';
import {
  changeOwnerFields,
  deletedWorkspacesOf,
  foundWorkspace,
  restoreWorkspace,
  type OwnerFields,
} from './service.ts';
import { usageOf } from './usage.ts';
import { findIdBySlug, membersOf, workspacesOf } from './store.ts';
import { readerIn } from '../sync/readable.ts';

const notMine = () => new AppError('forbidden', 'You are not a member of this workspace');

async function shown(context: Context, userId: Id<'user'>, id: Id<'workspace'>) {
  return workspacesOf(context.db, userId, id).executeTakeFirstOrThrow(notMine);
}

interface WorkspaceFields extends OwnerFields {
  name?: string;
  description?: string | null;
  allowPublicSharing?: boolean;
  publicChat?: boolean;
}

async function change(context: Context, actor: Member, { slug, domain, ...fields }: WorkspaceFields) {
  const { version } = await writeAs(context, readerIn(actor), async (writing) => {
    await writing.apply('workspace.update', { at: writing.at, ...fields });
    await changeOwnerFields(writing, actor, { slug, domain });
  });
  return written({ version, value: await shown(context, actor.userId, actor.workspaceId) });
}

const membersFor = (context: Context, actor: Member) =>
  membersOf(context.db, actor.workspaceId, {
    userId: actor.userId,
    readsEmails: can(actor, 'member.read_email'),
  });

async function oneMember(context: Context, actor: Member, id: string) {
  const column = isId('user', id) ? 'workspace_member.userId' : 'workspace_member.id';
  return membersFor(context, actor)
    .where(column, '=', id)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'Member not found'));
}

/** Staff who act as a person may not change permissions. */
const refuseStaff = (actor: SessionPerson): void =>
  refuseImpersonation(actor, 'Members and workspaces stay as they are while impersonating');

async function publicWorkspace({ db }: Context, id = ''): Promise<PublicWorkspace> {
  const { rows } = await sql<PublicWorkspace>`
    select w."id", w."slug", w."name", w."description", w."created",
      (select count(*) from "space" where "space"."workspaceId" = ${id} and ${publiclyReadable('space', 'list')})
        as "spaceCount",
      (select count(*) from "thread" where "thread"."workspaceId" = ${id} and ${publiclyReadable('thread', 'list')})
        as "threadCount"
    from "workspace" w where w."id" = ${id} and w."deletedAt" is null`.execute(db);
  const row = rows[0];
  if (row === undefined || row.spaceCount + row.threadCount === 0) {
    throw new AppError('not_found', 'Workspace not found');
  }
  return row;
}

export const workspaceHandlers = {
  'workspace.list': ({ context, actor, query }) =>
    listPage(workspacesOf(context.db, actor.userId, onlyWorkspaceOf(actor)), { table: 'workspace', query }),
  'workspace.create': async ({ context, actor, body }) => {
    const { version, value: id } = await foundWorkspace(context, actor, body);
    return written({ version, value: await shown(context, actor.userId, id) });
  },
  'workspace.get': async ({ context, actor }) => ({
    result: await shown(context, actor.userId, actor.workspaceId),
  }),
  'workspace.get_by_slug': async ({ context, actor, params }) => {
    const id = await findIdBySlug(context.db, params.slug, context.clock.now());
    if (id === undefined) throw notMine();
    const { workspaceId } = await memberOf(context, actor, id);
    return { result: await shown(context, actor.userId, workspaceId) };
  },
  'workspace.usage': async ({ context, actor }) => {
    authorize(actor, 'usage.read');
    const full = can(actor, 'usage.read_full');
    return { result: await usageOf(context, actor.workspaceId, full) };
  },
  'workspace.replace': ({ context, actor, body }) => change(context, actor, body),
  'workspace.update': ({ context, actor, body }) => change(context, actor, body),
  'workspace.remove': async ({ context, actor }) => {
    refuseStaff(actor);
    const { version } = await writeAs(context, readerIn(actor), async ({ tx, at, ...writing }) => {
      authorize(await writing.actor(), 'workspace.remove');
      await tx.update('workspace', actor.workspaceId, { deletedAt: at, updated: at });
      await emit(tx, 'workspace.removed', { actor });
    });
    return written({ version, value: null });
  },
  'workspace.add_sample': async ({ context, actor }) => {
    const { version, value: spaceId } = await addSampleSpace(context, actor);
    return written({ version, value: { spaceId } });
  },
  'workspace.suspension': async ({ context, actor }) => {
    const found = await context.db
      .selectFrom('suspended_workspace')
      .select('since')
      .where('workspaceId', '=', actor.workspaceId)
      .executeTakeFirst();
    return { result: found ? { ...found, contact: context.config.contactEmail ?? null } : null };
  },
  'workspace.list_deleted': async ({ context, actor }) => ({
    result: await deletedWorkspacesOf(context.db, actor.userId, context.clock.now()).execute(),
  }),
  'workspace.list_shared': async ({ context, actor }) => ({
    result: await sharedWorkspacesOf(context.db, actor.userId),
  }),
  'workspace.restore': async ({ context, actor, params: { workspaceId } }) => {
    refuseStaff(actor);
    const { version } = await restoreWorkspace(context, actor, workspaceId);
    return written({ version, value: await shown(context, actor.userId, workspaceId) });
  },
  'workspace.transfer': async ({ context, actor, body }) => {
    await requireRecentProof(context, actor);
    const { version } = await writeAs(context, readerIn(actor), async ({ tx, ...writing }) =>
      transferOwnership(tx, await writing.actor(), body.userId),
    );
    return written({ version, value: await shown(context, actor.userId, actor.workspaceId) });
  },
  'workspace_member.list': ({ context, actor, query }) =>
    listPage(membersFor(context, actor), { table: 'workspace_member', query }),
  'workspace_member.get': async ({ context, actor, params }) => ({
    result: await oneMember(context, actor, params.id),
  }),
  'workspace_member.update': async ({ context, actor, params, body }) => {
    refuseStaff(actor);
    const { userId } = await oneMember(context, actor, params.id);
    const { version } = await writeAs(context, readerIn(actor), async ({ tx, ...writing }) =>
      changePosition(tx, await writing.actor(), { userId, position: body.position }),
    );
    return written({ version, value: await oneMember(context, actor, params.id) });
  },
  'workspace_member.remove': async ({ context, actor, params }) => {
    refuseStaff(actor);
    const { userId } = await oneMember(context, actor, params.id);
    const { version } = await writeAs(context, readerIn(actor), async ({ tx, ...writing }) =>
      removeMember(tx, await writing.actor(), userId),
    );
    return written({ version, value: null });
  },
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
  'invite.revoke': ({ context, actor, params }) => revokeSent(context, actor, params.id),
  'public_workspace.get_by_slug': async ({ context, params }) => ({
    result: await publicWorkspace(context, await findIdBySlug(context.db, params.slug, context.clock.now())),
  }),
  'public_workspace.get': async ({ context, params }) => ({
    result: await publicWorkspace(context, params.id),
  }),
} satisfies Handlers<typeof workspaceEndpoints & typeof inviteEndpoints & typeof publicWorkspaceEndpoints>;
