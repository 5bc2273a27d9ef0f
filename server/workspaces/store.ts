/** Reads of workspaces and members beyond plain rows: by address, with names, with what the reader may see. */
import { sql } from 'kysely';
import { slugify } from '#shared/define/fields.ts';
import { LIMITS, RESERVED_WORKSPACE_SLUGS } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import type { Database } from '../db/database.ts';

const COLUMNS = [
  ...(['workspace.id', 'workspace.ownerId', 'workspace.createdBy', 'workspace.lastEditedBy'] as const),
  ...(['workspace.slug', 'workspace.domain', 'workspace.name', 'workspace.description'] as const),
  ...(['workspace.allowPublicSharing', 'workspace.publicChat'] as const),
  ...(['workspace.created', 'workspace.updated'] as const),
] as const;

const MEMBER_COLUMNS = [
  ...(['workspace_member.id', 'workspace_member.workspaceId', 'workspace_member.userId'] as const),
  ...(['workspace_member.invitedBy', 'workspace_member.position', 'workspace_member.created'] as const),
  ...(['workspace_member.updated', 'user.forename', 'user.surname', 'user.username'] as const),
] as const;

/** The open workspaces in which the user is a member. */
export function workspacesOf(db: Database, userId: Id<'user'>) {
  return db
    .selectFrom('workspace')
    .innerJoin('workspace_member', 'workspace_member.workspaceId', 'workspace.id')
    .select(COLUMNS)
    .where('workspace_member.userId', '=', userId)
    .where('workspace.deletedAt', 'is', null);
}

/** The workspace that has or had this address. */
export async function findIdBySlug(
  db: Database,
  slug: string,
  now: Date,
): Promise<Id<'workspace'> | undefined> {
  const { rows } = await sql<{ id: Id<'workspace'> }>`
    select "id" from "workspace" where "slug" = ${slug}
    union all
    select "targetId" as "id" from "slug_redirect"
    where "scope" = '' and "slug" = ${slug} and "until" > ${now.toISOString()}
    limit 1`.execute(db);
  return rows[0]?.id;
}

/** Members with their names; addresses only for readers whose position allows it, one's own always. */
export function membersOf(
  db: Database,
  workspaceId: Id<'workspace'>,
  reader: { userId: Id<'user'>; readsEmails: boolean },
) {
  return db
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.userId')
    .select(MEMBER_COLUMNS)
    .select((row) =>
      row
        .case()
        .when(sql<boolean>`${reader.readsEmails} or ${sql.ref('user.id')} = ${reader.userId}`)
        .then(row.ref('user.email'))
        .end()
        .as('email'),
    )
    .where('workspace_member.workspaceId', '=', workspaceId);
}

/** True when no other workspace has the address or had it within the time of redirects. */
export async function isSlugFree(
  db: Database,
  slug: string,
  { except, now }: { except?: string; now: Date },
): Promise<boolean> {
  const holder = await findIdBySlug(db, slug, now);
  return holder === undefined || holder === except;
}

/** A free address made of a name: the plain form, else with the smallest free number. */
export async function freeSlug(db: Database, name: string, now: Date): Promise<string> {
  const base = slugify(name);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const slug = `${base.slice(0, LIMITS.slugMax - suffix.length).replace(/-+$/, '')}${suffix}`;
    if (!RESERVED_WORKSPACE_SLUGS.has(slug) && (await isSlugFree(db, slug, { now }))) return slug;
  }
}
