/** Reads of spaces and links that a person may see; deleted spaces do not exist here. */
import { sql } from 'kysely';
import { LIMITS } from '#shared/constants.ts';
import { RESERVED_SPACE_SLUGS } from '#shared/spaces/limits.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { READ_BY } from '#shared/spaces/visibility.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { columnsOf } from '../db/entity-columns.ts';
import { isGuestIn, readableBy, readerIn, type WorkspaceReader } from '../sync/readable.ts';

export type Reader = WorkspaceReader;

const COLUMNS = columnsOf('space', ['deletedAt']);

export function spacesFor(db: Database, reader: Reader) {
  return db
    .selectFrom('space')
    .select(COLUMNS)
    .where('space.workspaceId', '=', reader.workspaceId)
    .where('space.deletedAt', 'is', null)
    .where(readableBy('space', 'space', readerIn(reader)));
}

/** Refuses to limit a key or token to what the person cannot read. @throws invalid */
export async function requireReadableSpaces(
  db: Database,
  reader: Reader,
  spaceIds: readonly Id<'space'>[],
): Promise<void> {
  const readable = await spacesFor(db, reader).where('space.id', 'in', spaceIds).execute();
  if (readable.length < spaceIds.length) throw new AppError('invalid', 'spaceIds: a space was not found');
}

/** The links for which the person can read both ends. */
export function linksFor(db: Database, member: Reader) {
  const reader = readerIn(member);
  return db
    .selectFrom('space_memory')
    .innerJoin('space', (join) =>
      join
        .onRef('space.workspaceId', '=', 'space_memory.workspaceId')
        .onRef('space.id', '=', 'space_memory.spaceId'),
    )
    .innerJoin('memory', (join) =>
      join
        .onRef('memory.workspaceId', '=', 'space_memory.workspaceId')
        .onRef('memory.id', '=', 'space_memory.memoryId'),
    )
    .selectAll('space_memory')
    .where('space_memory.workspaceId', '=', member.workspaceId)
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

/** Id of the workspace with this address in which the user is a member or a guest. */
export async function workspaceIdBySlug(
  db: Database,
  { slug, userId, now }: { slug: string; userId: Id<'user'>; now: Date },
): Promise<Id<'workspace'> | undefined> {
  const { rows } = await sql<{ id: Id<'workspace'>; isMember: boolean }>`
    select w."id", exists (
        select 1 from "workspace_member" m where m."workspaceId" = w."id" and m."userId" = ${userId}) as "isMember"
    from "workspace" w
    where w."deletedAt" is null and (w."slug" = ${slug} or w."id" = (
        select "targetId" from "slug_redirect"
        where "scope" = '' and "slug" = ${slug} and "until" > ${now.toISOString()}))
    order by (w."slug" = ${slug}) desc ${across('address')}`.execute(db);
  for (const { id, isMember } of rows) if (isMember || (await isGuest(db, id, userId))) return id;
  return undefined;
}

async function isGuest(db: Database, workspaceId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 where ${isGuestIn(workspaceId, userId)}`.execute(db);
  return rows.length > 0;
}

/** Filed memories whose own home, another space, hides them from the workspace: they are read here by links alone. */
export async function withdrawnFrom(
  db: Database,
  workspaceId: string,
  spaceId: Id<'space'>,
): Promise<{ id: Id<'memory'>; ownerId: Id<'user'> }[]> {
  const { rows } = await sql<{ id: Id<'memory'>; ownerId: Id<'user'> }>`
    select m."id", m."ownerId" from "space_memory" link
    join "memory" m on m."workspaceId" = link."workspaceId" and m."id" = link."memoryId"
    join "space" home on home."workspaceId" = m."workspaceId" and home."id" = m."spaceId"
    where link."workspaceId" = ${workspaceId} and link."spaceId" = ${spaceId} and home."id" <> ${spaceId} and not home."visibility" = any(${READ_BY.workspace}::text[])
    order by m."id"`.execute(db);
  return rows;
}
