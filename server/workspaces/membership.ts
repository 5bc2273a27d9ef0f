// Workspaces and their members as the server writes them: founding, joining, positions, leaving. Each
// function runs inside writeInRealm of the workspace; rows, audiences and account realms change in one commit.
import { sql } from 'kysely';
import { authorize, requireRow } from '#shared/define/access.ts';
import { AppError } from '#shared/errors.ts';
import { isId, newId, type Id } from '#shared/ids.ts';
import type { Actor, Position } from '#shared/permissions.ts';
import type { Grant } from '#shared/spaces/grant.ts';
import { VISIBILITIES, workspaceReads } from '#shared/spaces/visibility.ts';
import type { WorkspaceMember } from '#shared/workspaces/workspace-member.ts';
import { workspace, type Workspace } from '#shared/workspaces/workspace.ts';
import { emit } from '../events/emit.ts';
import { joinAudiences, leaveAudiences } from '../sync/readers/memberships.ts';
import { settlePersonReaders } from '../sync/readers/named-readers.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { revokeInvitesBeyond } from './invite-rows.ts';

/** The workspace whose realm the transaction writes. @throws not_found in an account realm */
function workspaceIn(tx: ServerTx): Id<'workspace'> {
  if (!isId('workspace', tx.realmId)) throw new AppError('not_found', 'Workspace not found');
  return tx.realmId;
}

const acting = (tx: ServerTx, userId: Id<'user'> | null) => ({ userId, workspaceId: workspaceIn(tx) });

/** Creates the workspace of this realm with its creator as owner. @throws conflict when the id or slug is in use */
export async function createWorkspace(
  tx: ServerTx,
  founder: Id<'user'>,
  given: Pick<Workspace, 'id' | 'slug' | 'name'> & Partial<Pick<Workspace, 'description' | 'domain'>>,
): Promise<Workspace> {
  const now = tx.now.toISOString();
  const row: Workspace = {
    ...workspace.defaults,
    ...given,
    ownerId: founder,
    createdBy: founder,
    lastEditedBy: founder,
    created: now,
    updated: now,
    deletedAt: null,
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
  await settlePersonReaders(tx, workspaceId, given.userId);
  return row;
}

/** Changes the position of a member. @throws not_found, forbidden; conflict for the last owner */
export async function changePosition(
  tx: ServerTx,
  by: Actor,
  { userId, position }: { userId: Id<'user'>; position: Position },
): Promise<WorkspaceMember> {
  const member = requireRow(await findMember(tx, userId), 'Member');
  const lastOwner = position !== 'owner' && (await isLastOwner(tx, member));
  authorize(by, 'member.update', { position: member.position });
  authorize(by, 'member.update', { position });
  if (lastOwner) throw new AppError('conflict', 'A workspace keeps at least one owner');
  if (member.position === position) return member;
  const row = { ...member, position, updated: tx.now.toISOString() };
  await tx.update('workspace_member', userId, { position, updated: row.updated });
  if (member.position === 'owner') await handOnOwnership(tx, userId);
  await settlePersonReaders(tx, workspaceIn(tx), userId);
  await revokeInvitesBeyond(tx, { workspaceId: workspaceIn(tx), userId, position });
  await emit(tx, 'member.position', {
    actor: acting(tx, by.userId),
    target: userId,
    from: member.position,
    to: position,
  });
  return row;
}

/**
 * Makes another member the workspace's owner and the present owner an admin. @throws not_found, forbidden; conflict when
 * the other is the person who calls
 */
export async function transferOwnership(tx: ServerTx, by: Actor, userId: Id<'user'>): Promise<void> {
  authorize(by, 'workspace.transfer');
  if (by.userId === userId) throw new AppError('conflict', 'userId: you own the workspace already');
  await changePosition(tx, by, { userId, position: 'owner' });
  await changePosition(tx, by, { userId: by.userId, position: 'admin' });
  await tx.update('workspace', workspaceIn(tx), { ownerId: userId, updated: tx.now.toISOString() });
  await emit(tx, 'workspace.transferred', { actor: acting(tx, by.userId), target: userId });
}

/**
 * Ends a membership, by the person or by someone who may. Private spaces and threads pass to the workspace's owner,
 * who gets a notice; memories stay. @throws not_found, forbidden; conflict for the last owner
 */
export async function removeMember(tx: ServerTx, by: Actor, userId: Id<'user'>): Promise<void> {
  const workspaceId = workspaceIn(tx);
  const member = requireRow(await findMember(tx, userId), 'Member');
  const lastOwner = await isLastOwner(tx, member);
  if (by.userId !== userId) authorize(by, 'member.remove', { position: member.position });
  if (lastOwner) throw new AppError('conflict', 'A workspace keeps at least one owner');
  await sql`delete from "workspace_member" where "workspaceId" = ${workspaceId} and "userId" = ${userId}`.execute(
    tx.trx,
  );
  await tx.touch('workspace_member', [userId]);
  const ownerId = await handOnOwnership(tx, userId);
  await removeGrantsOf(tx, userId, by.userId);
  await leaveAudiences(tx, { workspaceId, userId });
  await sql`delete from "sidebar" where "workspaceId" = ${workspaceId} and "userId" = ${userId}`.execute(
    tx.trx,
  );
  await tx.touch('sidebar', [userId]);
  await handOnPrivateThings(tx, userId, ownerId);
  await settlePersonReaders(tx, workspaceId, userId);
  await revokeInvitesBeyond(tx, { workspaceId, userId, position: undefined });
  await emit(tx, by.userId === userId ? 'member.left' : 'member.removed', {
    actor: acting(tx, by.userId),
    target: userId,
    position: member.position,
  });
}

/** Revokes all grants of one person by account or address; `by` is null where no person does it. */
export async function removeGrantsOf(tx: ServerTx, userId: Id<'user'>, by: Id<'user'> | null): Promise<void> {
  const { rows } = await sql<Grant>`
    select * from "grant"
    where "workspaceId" = ${tx.realmId} and "userId" = ${userId} order by "created", "resourceId"`.execute(
    tx.trx,
  );
  for (const row of rows)
    await emit(tx, by === userId ? 'grant.left' : 'grant.removed', {
      actor: acting(tx, by),
      target: row,
      level: row.level,
    });
  await tx.removeMany(
    'grant',
    rows.map(({ resourceId, holder }) => `${resourceId}/${holder}`),
  );
}

/** The membership of a person in the workspace of this transaction. */
export async function findMember(tx: ServerTx, userId: Id<'user'>): Promise<WorkspaceMember | undefined> {
  const { rows } = await sql<WorkspaceMember>`
    select * from "workspace_member"
    where "workspaceId" = ${tx.realmId} and "userId" = ${userId}`.execute(tx.trx);
  return rows[0];
}

async function isLastOwner(tx: ServerTx, member: WorkspaceMember): Promise<boolean> {
  if (member.position !== 'owner') return false;
  const { rows } = await sql`
    select 1 from "workspace_member" m
    where m."workspaceId" = ${tx.realmId} and m."position" = 'owner' and m."userId" <> ${member.userId}
      and ${STAYS} limit 1`.execute(tx.trx);
  return rows.length === 0;
}

/** Predicate for a member `m` whose account is not about to be deleted: one that is counts for no owner. */
const STAYS = sql<boolean>`not exists (select 1 from "account_deletion" d where d."userId" = m."userId")`;

/**
 * Ensures that the workspace has an owner when this one leaves: if there is no other, the longest-serving admin becomes one.
 * False when there is no admin either.
 */
export async function appointHeir(tx: ServerTx, userId: Id<'user'>): Promise<boolean> {
  const member = await findMember(tx, userId);
  if (member === undefined || !(await isLastOwner(tx, member))) return true;
  const { rows } = await sql<{ userId: Id<'user'> }>`
    select m."userId" from "workspace_member" m
    where m."workspaceId" = ${tx.realmId} and m."position" = 'admin' and ${STAYS}
    order by m."created", m."userId" limit 1`.execute(tx.trx);
  const [heir] = rows;
  if (heir === undefined) return false;
  await changePosition(tx, { userId, position: 'owner' }, { userId: heir.userId, position: 'owner' });
  return true;
}

/** Sets the workspace's owner after this person is no longer one: the longest-serving owner. */
async function handOnOwnership(tx: ServerTx, from: Id<'user'>): Promise<Id<'user'>> {
  const workspaceId = workspaceIn(tx);
  const { rows } = await sql<{ ownerId: Id<'user'>; heir: Id<'user'> }>`
    select w."ownerId", (select m."userId" from "workspace_member" m
      where m."workspaceId" = w."id" and m."position" = 'owner' and m."userId" <> ${from}
      order by ${STAYS} desc, m."created", m."userId" limit 1) as "heir"
    from "workspace" w where w."id" = ${workspaceId}`.execute(tx.trx);
  const { ownerId, heir } = requireRow(rows[0], 'Workspace');
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
  await emit(tx, 'member.inherited', { workspaceId: workspaceIn(tx), from, to, counts });
}
