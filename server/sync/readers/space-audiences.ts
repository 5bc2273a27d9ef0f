// The audiences of large spaces: who is in them follows the space, so that showing or hiding ten thousand memories writes
// one row for each member and none for a memory. It writes memberships only; the edges are those of edges.ts.
import { sql } from 'kysely';
import type { Id } from '#shared/ids.ts';
import { outsidersRead } from '#shared/spaces/visibility.ts';
import {
  filedAudience,
  homeAudience,
  outsideAudience,
  sharedAudiences,
  userAudience,
  visibleAudiences,
  workspaceAudience,
  type VisibleFacts,
} from './audiences.ts';
import { copyEdges, type FeedWriter } from '../feed.ts';

/**
 * A space with more memories has its own audiences. Up to this number its memories are moved within the lock of one write, in
 * about 0.1 s; every pull reads each audience of its reader, so small spaces have none.
 */
export const LARGE_SPACE = 250;

interface LargeSpace extends VisibleFacts {
  hasOutside: boolean;
}

/** The large spaces of a realm, or one of them. */
async function largeSpaces(writer: FeedWriter, realmId: string, spaceId?: string): Promise<LargeSpace[]> {
  const one = spaceId === undefined ? sql`` : sql`and large."spaceId" = ${spaceId}`;
  const { rows } = await sql<LargeSpace>`
    select s."id", s."workspaceId", s."ownerId", s."visibility", s."deletedAt" is not null as "isDeleted", large."hasOutside"
    from "sync_space_audience" large join "space" s on s."workspaceId" = large."realmId" and s."id" = large."spaceId"
    where large."realmId" = ${realmId} ${one}`.execute(writer.trx);
  return rows;
}

/** Audiences of a large space, each with one whose members are in it. */
function membersOf(space: LargeSpace): { audienceId: string; source: string }[] {
  const { id, isDeleted } = space;
  const home = visibleAudiences(space).map((source) => ({ audienceId: homeAudience(id), source }));
  if (isDeleted) return home;
  const filed = visibleAudiences(space).map((source) => ({ audienceId: filedAudience(id), source }));
  const outside = sharedAudiences(space).map((source) => ({ audienceId: outsideAudience(id), source }));
  return [...home, ...filed, ...outside];
}

/**
 * Brings the readers of a large space in line with the space; to be called after the space or its named readers changed.
 * Returns whether the space has audiences of its own.
 */
export async function settleSpaceReaders(
  writer: FeedWriter,
  realmId: string,
  spaceId: string,
): Promise<boolean> {
  const [space] = await largeSpaces(writer, realmId, spaceId);
  if (space === undefined) return false;
  const own = [homeAudience(spaceId), filedAudience(spaceId), outsideAudience(spaceId)];
  const pairs = membersOf(space);
  await sql`
    with reader as materialized (
      select pair."audienceId", member."userId"
      from unnest(${pairs.map(({ audienceId }) => audienceId)}::text[], ${pairs.map(({ source }) => source)}::text[])
        as pair("audienceId", "source")
      join "sync_audience_member" member
        on member."realmId" = ${realmId} and member."audienceId" = pair."source"
    ), lost as (
      delete from "sync_audience_member" where "realmId" = ${realmId} and "audienceId" = any(${own}::text[])
        and ("audienceId", "userId") not in (select "audienceId", "userId" from reader)
    )
    insert into "sync_audience_member" ("realmId", "audienceId", "userId")
    select distinct ${realmId}, "audienceId", "userId" from reader on conflict do nothing`.execute(
    writer.trx,
  );
  return true;
}

/**
 * Adds the memories of a large space that the whole workspace reads to the audience of people outside it. Needed only the first
 * time that they read it, because later changes only change who they are. All other content of the space is in its own
 * audiences, and the feed says which of its memories the workspace reads: so one statement is enough, and the realm is not
 * locked while each memory is read.
 */
export async function openOutside(writer: FeedWriter, realmId: string, spaceId: string): Promise<void> {
  const [space] = await largeSpaces(writer, realmId, spaceId);
  if (space === undefined || space.hasOutside || !outsidersRead(space.visibility)) return;
  await sql`
    update "sync_space_audience" set "hasOutside" = true
    where "realmId" = ${realmId} and "spaceId" = ${spaceId}`.execute(writer.trx);
  await copyEdges(writer, {
    realmId,
    kind: 'memory',
    from: workspaceAudience(realmId),
    to: outsideAudience(spaceId),
    entityIds: sql`select "id" from "memory" where "workspaceId" = ${realmId} and "spaceId" = ${spaceId}
      union select "memoryId" from "space_memory" where "workspaceId" = ${realmId} and "spaceId" = ${spaceId}`,
  });
}

/** To be called after a person has joined the audiences of a workspace; leaving ends every membership by itself. */
export async function joinSpaceAudiences(
  writer: FeedWriter,
  { workspaceId, userId }: { workspaceId: Id<'workspace'>; userId: Id<'user'> },
): Promise<void> {
  const mine = [workspaceAudience(workspaceId), userAudience(userId, workspaceId)];
  const audienceIds = (await largeSpaces(writer, workspaceId))
    .flatMap(membersOf)
    .flatMap(({ audienceId, source }) => (mine.includes(source) ? [audienceId] : []));
  if (audienceIds.length === 0) return;
  await sql`
    insert into "sync_audience_member" ("realmId", "audienceId", "userId")
    select ${workspaceId}, "audienceId", ${userId} from unnest(${audienceIds}::text[]) as "audienceId"
    on conflict do nothing`.execute(writer.trx);
}

/** Of these spaces those that have become large without having audiences of their own. */
export async function findOutgrown(
  writer: FeedWriter,
  realmId: string,
  spaceIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select given."id" from unnest(${[...new Set(spaceIds)]}::text[]) as given("id")
    where not exists (select 1 from "sync_space_audience" large
        where large."realmId" = ${realmId} and large."spaceId" = given."id")
      and greatest(
        (select count(*) from (select 1 from "space_memory"
          where "workspaceId" = ${realmId} and "spaceId" = given."id" limit ${LARGE_SPACE + 1}) filed),
        (select count(*) from (select 1 from "memory"
          where "workspaceId" = ${realmId} and "spaceId" = given."id" limit ${LARGE_SPACE + 1}) homed)
      ) > ${LARGE_SPACE}`.execute(writer.trx);
  return rows.map(({ id }) => id);
}

/** Creates audiences for a space; its content moves there when it is settled next. */
export async function openSpaceAudiences(
  writer: FeedWriter,
  realmId: string,
  spaceId: string,
): Promise<void> {
  await sql`
    insert into "sync_space_audience" ("spaceId", "realmId") values (${spaceId}, ${realmId})
    on conflict do nothing`.execute(writer.trx);
  await openOutside(writer, realmId, spaceId);
  await settleSpaceReaders(writer, realmId, spaceId);
}

/** Removed spaces have no readers. */
export async function endSpaceAudiences(
  writer: FeedWriter,
  realmId: string,
  spaceIds: readonly string[],
): Promise<void> {
  const own = spaceIds.flatMap((id) => [homeAudience(id), filedAudience(id), outsideAudience(id)]);
  await sql`
    delete from "sync_audience_member" where "realmId" = ${realmId} and "audienceId" = any(${own}::text[])`.execute(
    writer.trx,
  );
}
