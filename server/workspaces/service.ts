/** Workspaces as REST founds, renames and closes them: what needs more knowledge than a replica has. */
import { sql } from 'kysely';
import { authorize, requireRow } from '#shared/define/access.ts';
import { DAY_MS } from '#shared/constants.ts';
import { SLUG_REDIRECT_DAYS, WORKSPACE_KEEP_DAYS } from '#shared/workspaces/limits.ts';
import type { Row } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm, type WriteContext, type Written } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import type { Person } from '../http/call.ts';
import type { Writing } from '../http/write.ts';
import { invitesIn } from './invite-rows.ts';
import { appointHeir, createWorkspace, removeMember } from './membership.ts';
import { ownAlone, purgeWorkspace } from './purge.ts';
import { freeSlug, isSlugFree, reserveName, workspacesOf } from './store.ts';
import { asPerson } from '../sync/readable.ts';

export { endGuest } from './guests.ts';
export { isSameAddress } from './invite-rows.ts';

export interface Founding {
  id?: Id<'workspace'>;
  name: string;
  slug?: string;
  description?: string | null;
}

/** Founds a workspace; the founder's own domain becomes its domain, when the address is proven. @throws conflict */
export async function foundWorkspace(
  context: Context,
  { user }: Pick<Person, 'user'>,
  given: Founding,
): Promise<Written<Id<'workspace'>>> {
  const id = given.id ?? newId('workspace');
  return writeInRealm(context, id, asPerson(user.id), async (tx) => {
    const known = await workspacesOf(tx.trx, user.id, id).executeTakeFirst();
    // The same creation again, after a lost response.
    if (known !== undefined && known.createdBy === user.id) return known.id;
    await reserveName(tx.trx, given.slug ?? given.name);
    const slug = given.slug ?? (await freeSlug(tx.trx, given.name, tx.now));
    if (!(await isSlugFree(tx.trx, slug, { now: tx.now }))) throw slugTaken();
    const domain = ownDomainOf(user);
    const { name, description = null } = given;
    await createWorkspace(tx, user.id, { id, name, slug, description, domain });
    return id;
  });
}

/** The closed workspaces that this person may still restore, the last closed first. */
export function deletedWorkspacesOf(db: Database, userId: Id<'user'>, now: Date) {
  const since = new Date(now.getTime() - WORKSPACE_KEEP_DAYS * DAY_MS).toISOString();
  return db
    .selectFrom('workspace')
    .innerJoin('workspace_member', 'workspace_member.workspaceId', 'workspace.id')
    .select(['workspace.id', 'workspace.slug', 'workspace.name'])
    .select((row) => row.ref('workspace.deletedAt').$notNull().as('deletedAt'))
    .where('workspace_member.userId', '=', userId)
    .where('workspace_member.position', '=', 'owner')
    .where('workspace.deletedAt', '>', since)
    .orderBy('workspace.deletedAt', 'desc')
    .modifyEnd(across('account'));
}

/** Restores a closed workspace. @throws forbidden except for an owner within the grace period, and for unknown ones */
export async function restoreWorkspace(
  context: Context,
  person: Pick<Person, 'userId'>,
  id: Id<'workspace'>,
): Promise<Written<void>> {
  return writeInRealm(context, id, asPerson(person.userId), async (tx) => {
    const mine = deletedWorkspacesOf(tx.trx, person.userId, tx.now).where('workspace.id', '=', id);
    if (!(await mine.executeTakeFirst())) {
      throw new AppError('forbidden', 'There is no workspace here that you can take back');
    }
    const updated = tx.now.toISOString();
    await tx.update('workspace', id, { deletedAt: null, updated, lastEditedBy: person.userId });
    await emit(tx, 'workspace.restored', { actor: { userId: person.userId, workspaceId: id } });
  });
}

/** Fields that only the owner may change, because addresses and joining depend on them. */
export interface OwnerFields {
  slug?: string;
  domain?: string | null;
}

/** @throws forbidden; conflict when the address is in use; invalid for a domain that is not the owner's */
export async function changeOwnerFields(
  writing: Writing,
  person: Person,
  { slug, domain }: OwnerFields,
): Promise<void> {
  const { tx } = writing;
  const row = requireRow(await tx.get('workspace', tx.realmId), 'Workspace');
  const renamed = slug !== undefined && slug !== row.slug;
  const moved = domain !== undefined && domain !== row.domain;
  if (!renamed && !moved) return;
  authorize(await writing.actor(), 'workspace.rename_slug');
  if (moved) requireOwnDomain(person.user, domain);
  if (renamed) await redirectSlug(writing, row, slug);
  await tx.update('workspace', row.id, {
    ...(renamed ? { slug } : {}),
    ...(moved ? { domain } : {}),
    updated: writing.at,
    lastEditedBy: person.userId,
  });
}

/** The domain that a person may claim: of an address that is proven to be theirs, and not a mail provider's. */
function ownDomainOf(user: Row<'user'>): string | null {
  return user.emailVerified && !user.personal ? user.domain : null;
}

function requireOwnDomain(user: Row<'user'>, domain: string | null): void {
  if (domain === null) return;
  if (domain.toLowerCase() !== ownDomainOf(user)) {
    throw new AppError(
      'invalid',
      'domain: only the domain of your own verified address, and of no mail provider',
    );
  }
}

async function redirectSlug({ tx }: Writing, row: { id: string; slug: string }, slug: string): Promise<void> {
  if (!(await isSlugFree(tx.trx, slug, { except: row.id, now: tx.now }))) throw slugTaken();
  const until = new Date(tx.now.getTime() + SLUG_REDIRECT_DAYS * DAY_MS).toISOString();
  const old = { scope: '', slug: row.slug, targetId: row.id, until };
  await tx.trx.deleteFrom('slug_redirect').where('scope', '=', '').where('slug', '=', slug).execute();
  await tx.trx
    .insertInto('slug_redirect')
    .values(old)
    .onConflict((conflict) => conflict.columns(['scope', 'slug']).doUpdateSet(old))
    .execute();
}

function slugTaken(): AppError {
  return new AppError('conflict', 'slug: this address is taken');
}

/** Ends the membership of a deleted person. Without another owner or an admin to succeed, the workspace is closed instead. */
export async function endMembership(
  context: WriteContext,
  workspaceId: Id<'workspace'>,
  userId: Id<'user'>,
): Promise<void> {
  await writeInRealm(context, workspaceId, systemActor, async (tx) => {
    if (await appointHeir(tx, userId)) return removeMember(tx, { userId, position: 'owner' }, userId);
    const now = tx.now.toISOString();
    await tx.update('workspace', workspaceId, { deletedAt: now, updated: now });
  });
}

/** Permanently deletes the workspaces in which the person is the only member. */
export async function purgeOwnWorkspaces(context: WriteContext, userId: Id<'user'>): Promise<void> {
  for (const id of await ownAlone(context.db, userId)) await purgeWorkspace(context, id);
}

/** The address to which this invitation was sent, while it is pending. */
export async function invitedAddress(
  db: Database,
  { id, now }: { id: Id<'invite'>; now: Date },
): Promise<string | undefined> {
  const found = await invitesIn(db)
    .where('invite.id', '=', id)
    .where('invite.status', '=', 'pending')
    .where('invite.expiresAt', '>', now.toISOString())
    .modifyEnd(across('credential'))
    .executeTakeFirst();
  return found?.email;
}

/** Deletes the invitations to the address that a person has proven. */
export async function forgetInvitesOf(db: Database, userId: Id<'user'>): Promise<void> {
  await sql`
    delete from "invite" using "user" u
    where u."id" = ${userId} and u."emailVerified" and lower("invite"."email") = lower(u."email")
    ${across('account')}`.execute(db);
}
