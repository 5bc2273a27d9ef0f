/** Reads of spaces and links that a person may see; deleted spaces do not exist here. */
import { sql } from 'kysely';
import { LIMITS, RESERVED_SPACE_SLUGS } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import type { Database } from '../db/database.ts';
import type { Member } from '../http/call.ts';
import { readableBy } from '../sync/readable.ts';

/** Who reads, and in which workspace. */
export type Reader = Pick<Member, 'userId' | 'workspaceId'>;

const COLUMNS = [
  ...(['space.id', 'space.workspaceId', 'space.ownerId', 'space.createdBy', 'space.lastEditedBy'] as const),
  ...(['space.name', 'space.description', 'space.color', 'space.cover', 'space.slug'] as const),
  ...(['space.origin', 'space.visibility', 'space.created', 'space.updated'] as const),
] as const;

/** The spaces that the person reads. */
export function spacesFor(db: Database, { userId, workspaceId }: Reader) {
  return db
    .selectFrom('space')
    .select(COLUMNS)
    .where('space.workspaceId', '=', workspaceId)
    .where('space.deletedAt', 'is', null)
    .where(readableBy('space', 'space', { realmId: workspaceId, userId }));
}

/** The links of which the person reads both ends. */
export function linksFor(db: Database, { userId, workspaceId }: Reader) {
  const reader = { realmId: workspaceId, userId };
  return db
    .selectFrom('space_memory')
    .innerJoin('space', 'space.id', 'space_memory.spaceId')
    .innerJoin('memory', 'memory.id', 'space_memory.memoryId')
    .selectAll('space_memory')
    .where('space_memory.workspaceId', '=', workspaceId)
    .where('space.deletedAt', 'is', null)
    .where('memory.deletedAt', 'is', null)
    .where(readableBy('space_memory', 'space_memory', reader));
}

/** The space that has or had this address in a workspace. */
export async function findIdBySlug(
  db: Database,
  { workspaceId, slug, now }: { workspaceId: string; slug: string; now: Date },
): Promise<Id<'space'> | undefined> {
  const { rows } = await sql<{ id: Id<'space'> }>`
    select "id" from "space" where "workspaceId" = ${workspaceId} and "slug" = ${slug}
    union all
    select "targetId" as "id" from "slug_redirect"
    where "scope" = ${workspaceId} and "slug" = ${slug} and "until" > ${now.toISOString()}
    limit 1`.execute(db);
  return rows[0]?.id;
}

/** The slug itself, or with the smallest number that makes it free in its workspace. */
export async function freeSlug(
  db: Database,
  { workspaceId, slug, now, except }: { workspaceId: string; slug: string; now: Date; except?: string },
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const tried = `${slug.slice(0, LIMITS.slugMax - suffix.length).replace(/-+$/, '')}${suffix}`;
    if (RESERVED_SPACE_SLUGS.has(tried)) continue;
    const holder = await findIdBySlug(db, { workspaceId, slug: tried, now });
    if (holder === undefined || holder === except) return tried;
  }
}

/** Id of the workspace with this address in which the user is a member. */
export async function workspaceIdBySlug(
  db: Database,
  { slug, userId, now }: { slug: string; userId: Id<'user'>; now: Date },
): Promise<Id<'workspace'> | undefined> {
  const { rows } = await sql<{ id: Id<'workspace'> }>`
    select w."id" from "workspace" w join "workspace_member" m on m."workspaceId" = w."id" and m."userId" = ${userId}
    where w."deletedAt" is null and (w."slug" = ${slug} or w."id" = (
      select "targetId" from "slug_redirect"
      where "scope" = '' and "slug" = ${slug} and "until" > ${now.toISOString()}))
    order by (w."slug" = ${slug}) desc limit 1`.execute(db);
  return rows[0]?.id;
}
