// Guests of workspaces as accounts are created and deleted: grants to an address belong to the account that proves it, and
// access by the domain of a workspace belongs to proven addresses at that domain.
import { sql } from 'kysely';
import { isId, type Id } from '#shared/ids.ts';
import type { Grant } from '#shared/spaces/grant.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import { guestsAudience } from '../sync/readers/audiences.ts';
import { settlePersonReaders } from '../sync/readers/named-readers.ts';
import { removeGrantsOf } from './membership.ts';

/** The workspaces in which an account is a guest, or would be one by its address as it is now. */
async function workspacesAbout(db: Database, userId: Id<'user'>): Promise<Id<'workspace'>[]> {
  const { rows } = await sql<{ id: string }>`
    with person as (
      select "id", lower("email") as "email",
        case when not "personal" then "domain" end as "domain"
      from "user" where "id" = ${userId} and "emailVerified")
    select g."workspaceId" as "id" from "grant" g
    where g."userId" = ${userId} or g."holder" = (select "email" from person)
    union select reader."realmId" from "sync_audience_member" reader
    where reader."userId" = ${userId} and reader."audienceId" = ${guestsAudience('')} || reader."realmId"
    union select w."id" from "workspace" w join person on person."domain" = w."domain"
    order by 1 ${across('account')}`.execute(db);
  return rows.map(({ id }) => id).filter((id) => isId('workspace', id));
}

/** Brings what an account reads as a guest in line with its address; safe to run twice. */
export async function settleAddress(context: WriteContext, userId: Id<'user'>): Promise<void> {
  for (const workspaceId of await workspacesAbout(context.db, userId)) {
    await writeInRealm(context, workspaceId, systemActor, async (tx) => {
      const { rows } = await sql<Grant>`
        select g.* from "grant" g
        join "user" person on person."id" = ${userId} and person."emailVerified"
          and lower(person."email") = g."holder"
        where g."workspaceId" = ${workspaceId} and g."userId" is null order by 1`.execute(tx.trx);
      await tx.updateMany(
        'grant',
        rows.map(({ resourceId, holder }) => `${resourceId}/${holder}`),
        { userId },
      );
      for (const row of rows)
        await emit(tx, 'grant.accepted', { actor: { userId, workspaceId }, target: row, level: row.level });
      await settlePersonReaders(tx, workspaceId, userId);
    });
  }
}

/** Revokes all grants of an account that is deleted, in every workspace. */
export async function endGuest(context: WriteContext, userId: Id<'user'>): Promise<void> {
  for (const workspaceId of await workspacesAbout(context.db, userId))
    await writeInRealm(context, workspaceId, systemActor, async (tx) => {
      await removeGrantsOf(tx, userId, null);
      await settlePersonReaders(tx, workspaceId, userId);
    });
}

/** The open workspaces in which a person is a guest, by name. */
export async function sharedWorkspacesOf(
  db: Database,
  userId: Id<'user'>,
): Promise<{ id: Id<'workspace'>; slug: string; name: string }[]> {
  const { rows } = await sql<{ id: Id<'workspace'>; slug: string; name: string }>`
    select w."id", w."slug", w."name" from "workspace" w
    join "sync_audience_member" guest
      on guest."audienceId" = ${guestsAudience('')} || w."id" and guest."userId" = ${userId}
    where w."deletedAt" is null order by lower(w."name"), w."id" ${across('account')}`.execute(db);
  return rows;
}
