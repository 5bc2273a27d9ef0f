// Workspaces and their members as the server writes them: founding, joining, positions, leaving (PRODUCT 5.1). Each
// function runs inside writeInRealm of the workspace; rows, audiences and account realms change in one commit.
import { sql } from 'kysely';
import { allow, present } from '#shared/define/access.ts';
import { AppError } from '#shared/errors.ts';
import { isId, newId, type Id } from '#shared/ids.ts';
import type { Actor, Position } from '#shared/permissions.ts';
import { VISIBILITIES, workspaceReads } from '#shared/spaces/visibility.ts';
import type { WorkspaceMember } from '#shared/workspaces/workspace-member.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { notify } from '../notifications/service.ts';
import { joinAudiences, leaveAudiences } from '../sync/memberships.ts';
import type { ServerTx } from '../db/server-tx.ts';

/** The workspace whose realm the transaction writes. @throws not_found in an account realm */
function workspaceIn(tx: ServerTx): Id<'workspace'> {
  if (!isId('workspace', tx.realmId)) throw new AppError('not_found', 'Workspace not found');
  return tx.realmId;
}

/** Founds the workspace of this realm with its founder as owner. @throws conflict when the id or slug is taken */
export async function createWorkspace(
  tx: ServerTx,
  founder: Id<'user'>,
  given: Pick<Workspace, 'id' | 'slug' | 'name'> & Partial<Pick<Workspace, 'description' | 'domain'>>,
): Promise<Workspace> {
  const now = tx.now.toISOString();
  const row: Workspace = {
    ...{
      description: null,
      domain: null,
      ...given,
      ownerId: founder,
      createdBy: founder,
      lastEditedBy: founder,
    },
    ...{ allowPublicSharing: true, publicChat: false, created: now, updated: now, deletedAt: null },
  };
  await tx.trx.insertInto('workspace').values(row).execute();
  await addMember(tx, { userId: founder, position: 'owner', invitedBy: null });
  await tx.touch('workspace', [row.id]);
  return row;
}

/** Adds a person to the workspace. @throws conflict when the person is a member */
export async function addMember(
  tx: ServerTx,
  given: { userId: Id<'user'>; position: Position; invitedBy: Id<'user'> | null },
): Promise<WorkspaceMember> {
  const workspaceId = workspaceIn(tx);
  const now = tx.now.toISOString();
  if ((await findMember(tx, given.userId)) !== undefined) throw new AppError('conflict', 'Already a member');
  const row = { ...given, id: newId('workspace_member'), workspaceId, created: now, updated: now };
  await tx.trx.insertInto('workspace_member').values(row).execute();
  await tx.touch('workspace_member', [given.userId]);
  await joinAudiences(tx, { workspaceId, userId: given.userId });
  return row;
}

/** Gives a member another position. @throws not_found, forbidden; conflict for the last owner */
export async function changePosition(
  tx: ServerTx,
  by: Actor,
  { userId, position }: { userId: Id<'user'>; position: Position },
): Promise<WorkspaceMember> {
  const member = present(await findMember(tx, userId), 'Member');
  const lastOwner = position !== 'owner' && (await isLastOwner(tx, member));
  allow(by, 'member.update', { position: member.position });
  allow(by, 'member.update', { position });
  if (lastOwner) throw new AppError('conflict', 'A workspace keeps at least one owner');
  if (member.position === position) return member;
  const row = { ...member, position, updated: tx.now.toISOString() };
  await tx.update('workspace_member', userId, { position, updated: row.updated });
  if (member.position === 'owner') await handOnOwnership(tx, userId);
  await notify(tx, {
    ...{ userId, workspaceId: workspaceIn(tx), category: 'workspace', triggerId: 'member.position' },
    ...{ title: 'Your position changed', body: `You are now ${position} of this workspace.` },
    ...{ priority: 'medium', subject: workspaceIn(tx) },
  });
  return row;
}

/**
 * Ends a membership, by the person or by someone who may. Private spaces and threads pass to the workspace's owner,
 * who is told; memories stay. @throws not_found, forbidden; conflict for the last owner
 */
export async function removeMember(tx: ServerTx, by: Actor, userId: Id<'user'>): Promise<void> {
  const workspaceId = workspaceIn(tx);
  const member = present(await findMember(tx, userId), 'Member');
  const lastOwner = await isLastOwner(tx, member);
  if (by.userId !== userId) allow(by, 'member.remove', { position: member.position });
  if (lastOwner) throw new AppError('conflict', 'A workspace keeps at least one owner');
  await sql`delete from "workspace_member" where "workspaceId" = ${workspaceId} and "userId" = ${userId}`.execute(
    tx.trx,
  );
  await tx.touch('workspace_member', [userId]);
  const ownerId = await handOnOwnership(tx, userId);
  await leaveAudiences(tx, { workspaceId, userId });
  await handOnPrivateThings(tx, userId, ownerId);
  if (by.userId === userId) return;
  await notify(tx, {
    ...{
      userId,
      workspaceId: null,
      category: 'workspace',
      triggerId: 'member.removed',
      subject: workspaceId,
    },
    ...{ title: 'You left a workspace', body: 'An administrator ended your membership.', priority: 'medium' },
  });
}

async function findMember(tx: ServerTx, userId: Id<'user'>): Promise<WorkspaceMember | undefined> {
  const { rows } = await sql<WorkspaceMember>`
    select * from "workspace_member"
    where "workspaceId" = ${tx.realmId} and "userId" = ${userId}`.execute(tx.trx);
  return rows[0];
}

async function isLastOwner(tx: ServerTx, member: WorkspaceMember): Promise<boolean> {
  if (member.position !== 'owner') return false;
  const { rows } = await sql<{ owners: number }>`
    select count(*) as owners from "workspace_member"
    where "workspaceId" = ${tx.realmId} and "position" = 'owner'`.execute(tx.trx);
  return (rows[0]?.owners ?? 0) < 2;
}

/** The workspace's owner after this person is owner no longer: the longest-serving owner takes over. */
async function handOnOwnership(tx: ServerTx, from: Id<'user'>): Promise<Id<'user'>> {
  const workspaceId = workspaceIn(tx);
  const { rows } = await sql<{ ownerId: Id<'user'>; heir: Id<'user'> }>`
    select w."ownerId", (select m."userId" from "workspace_member" m
      where m."workspaceId" = w."id" and m."position" = 'owner' and m."userId" <> ${from}
      order by m."created", m."userId" limit 1) as "heir"
    from "workspace" w where w."id" = ${workspaceId}`.execute(tx.trx);
  const { ownerId, heir } = present(rows[0], 'Workspace');
  if (ownerId !== from) return ownerId;
  await tx.update('workspace', workspaceId, { ownerId: heir, updated: tx.now.toISOString() });
  return heir;
}

const PRIVATE_VALUES = VISIBILITIES.filter((visibility) => !workspaceReads(visibility));

async function handOnPrivateThings(tx: ServerTx, from: Id<'user'>, to: Id<'user'>): Promise<void> {
  const counts = { space: 0, thread: 0 };
  for (const kind of ['space', 'thread'] as const) {
    const { rows } = await sql<{ id: string }>`
      select "id" from ${sql.table(kind)} where "workspaceId" = ${tx.realmId} and "ownerId" = ${from}
        and "visibility" = any(${PRIVATE_VALUES}::text[])`.execute(tx.trx);
    for (const { id } of rows) await tx.update(kind, id, { ownerId: to });
    counts[kind] = rows.length;
  }
  if (counts.space + counts.thread === 0) return;
  await notify(tx, {
    ...{ userId: to, workspaceId: workspaceIn(tx), category: 'workspace', triggerId: 'member.inherited' },
    ...{ title: 'Private content of a former member is yours now', priority: 'medium', subject: from },
    body: `${counts.space} private spaces and ${counts.thread} private threads passed to you.`,
  });
}
