// Who is in the audiences that grants, positions and the domain of a workspace fill, and who is a guest for it. The effects of
// a change are computed from the tables each time, so no order of changes leaves a reader behind. It writes memberships only;
// the edges are those of edges.ts.
import { sql } from 'kysely';
import { isId, type Id } from '#shared/ids.ts';
import { POSITIONS } from '#shared/permissions.ts';
import { READ_BY } from '#shared/spaces/visibility.ts';
import { domainAudience, guestAudience, guestsAudience, namedAudience } from './audiences.ts';
import { touchRows, type FeedWriter } from '../feed.ts';
import { leaveAudiences } from './memberships.ts';
import { settleSpaceReaders } from './space-audiences.ts';
import { settleMessageReaders } from './windows.ts';

/** The places of a realm under the alias `place`. */
const placesOf = (realmId: string) => sql`(
  select "id", "ownerId", "visibility", "deletedAt" from "space" where "workspaceId" = ${realmId}
  union all select "id", "ownerId", "visibility", "deletedAt" from "thread" where "workspaceId" = ${realmId}) place`;

/**
 * Brings readers in line with places that were created, changed or removed, or whose grants were; to be called after the
 * rows were written.
 */
export async function settlePlaceReaders(
  writer: FeedWriter,
  realmId: string,
  placeIds: readonly string[],
): Promise<void> {
  const changed = [
    ...(await settleNamed(writer, realmId, placeIds)),
    ...(await settleDomain(writer, realmId)),
  ];
  await follow(writer, realmId, changed);
  await touchGrants(writer, realmId, placeIds);
}

/** Brings readers in line with a person who joined, left, or got another position or address. */
export async function settlePersonReaders(
  writer: FeedWriter,
  realmId: string,
  userId: Id<'user'>,
): Promise<void> {
  const { rows } = await sql<{ resourceId: string }>`
    select distinct "resourceId" from "grant"
    where "workspaceId" = ${realmId} and ("userId" = ${userId} or "holder" = any(${POSITIONS}::text[]))`.execute(
    writer.trx,
  );
  const placeIds = rows.map(({ resourceId }) => resourceId);
  const changed = [
    ...(await settleNamed(writer, realmId, placeIds)),
    ...(await settleDomain(writer, realmId)),
  ];
  await follow(writer, realmId, [...changed, userId]);
  // Which grants an admin sees depends on the position.
  await touchGrants(writer, realmId, undefined);
}

/** Brings the readers by domain in line with a workspace whose domain changed. */
export async function settleDomainReaders(writer: FeedWriter, realmId: string): Promise<void> {
  await follow(writer, realmId, await settleDomain(writer, realmId));
}

/**
 * People named for places; returns whose memberships changed. A deleted place still has its members, who can restore it, but no
 * guests. Where the whole workspace reads, members need not be named.
 */
async function settleNamed(
  writer: FeedWriter,
  realmId: string,
  placeIds: readonly string[],
): Promise<string[]> {
  if (placeIds.length === 0) return [];
  const { rows } = await sql<{ userId: string }>`
    with reader as materialized (
      select distinct ${namedAudience('')} || place."id" as "audienceId", person."userId"
      from ${placesOf(realmId)}
      join "grant" g on g."workspaceId" = ${realmId} and g."resourceId" = place."id"
      cross join lateral (
        select g."userId" where g."userId" is not null
        union select m."userId" from "workspace_member" m
        where m."workspaceId" = ${realmId} and m."position" = g."holder"
          and place."visibility" = any(${READ_BY.positions}::text[])) person
      left join "workspace_member" member
        on member."workspaceId" = ${realmId} and member."userId" = person."userId"
      where place."id" = any(${placeIds}::text[]) and place."visibility" = any(${READ_BY.guests}::text[])
        and case when member."userId" is null then place."deletedAt" is null
          else place."ownerId" <> person."userId" and not place."visibility" = any(${READ_BY.workspace}::text[]) end
    ), lost as (
      delete from "sync_audience_member"
      where "realmId" = ${realmId} and "audienceId" = any(${placeIds.map(namedAudience)}::text[])
        and ("audienceId", "userId") not in (select "audienceId", "userId" from reader)
      returning "userId"
    ), gained as (
      insert into "sync_audience_member" ("realmId", "audienceId", "userId")
      select ${realmId}, "audienceId", "userId" from reader on conflict do nothing returning "userId"
    )
    select "userId" from lost union select "userId" from gained`.execute(writer.trx);
  return rows.map(({ userId }) => userId);
}

/** People of the workspace's domain, while it has content for them; returns whose memberships changed. */
async function settleDomain(writer: FeedWriter, realmId: string): Promise<string[]> {
  const audienceId = domainAudience(realmId);
  const { rows } = await sql<{ userId: string }>`
    with reader as materialized (
      select person."id" as "userId" from "workspace" w
      join "user" person on person."domain" = w."domain" and person."emailVerified" and not person."personal"
      where w."id" = ${realmId}
        and exists (select 1 from ${placesOf(realmId)}
          where place."visibility" = any(${READ_BY.domain}::text[]) and place."deletedAt" is null)
        and not exists (select 1 from "workspace_member" member
          where member."workspaceId" = ${realmId} and member."userId" = person."id")
    ), lost as (
      delete from "sync_audience_member" where "realmId" = ${realmId} and "audienceId" = ${audienceId}
        and "userId" not in (select "userId" from reader)
      returning "userId"
    ), gained as (
      insert into "sync_audience_member" ("realmId", "audienceId", "userId")
      select ${realmId}, ${audienceId}, "userId" from reader on conflict do nothing returning "userId"
    )
    select "userId" from lost union select "userId" from gained`.execute(writer.trx);
  return rows.map(({ userId }) => userId);
}

/** Settles what depends on memberships: large spaces, messages, and guest status. */
async function follow(writer: FeedWriter, realmId: string, userIds: readonly string[]): Promise<void> {
  const people = [...new Set(userIds)].sort();
  if (people.length === 0) return;
  const { rows: large } = await sql<{ id: string }>`
    select s."id" from "sync_space_audience" large
    join "space" s on s."workspaceId" = large."realmId" and s."id" = large."spaceId"
    where large."realmId" = ${realmId} and s."visibility" = any(${READ_BY.outsiders}::text[]) order by 1`.execute(
    writer.trx,
  );
  for (const { id } of large) await settleSpaceReaders(writer, realmId, id);
  await settleGuests(writer, realmId, people);
  const { rows: windows } = await sql<{ threadId: string }>`
    select distinct "threadId" from "sync_window"
    where "realmId" = ${realmId} and "userId" = any(${people}::text[]) order by 1`.execute(writer.trx);
  for (const { threadId } of windows) await settleMessageReaders(writer, realmId, threadId);
}

/** Adds non-members who read some content as guests, and removes those without any. */
async function settleGuests(writer: FeedWriter, realmId: string, people: readonly string[]): Promise<void> {
  if (!isId('workspace', realmId)) return;
  const { rows } = await sql<{ userId: Id<'user'>; isMember: boolean; isGuest: boolean; reads: boolean }>`
    select person."userId",
      exists (select 1 from "workspace_member" m
        where m."workspaceId" = ${realmId} and m."userId" = person."userId") as "isMember",
      exists (select 1 from "sync_audience_member" guest
        where guest."realmId" = ${realmId} and guest."audienceId" = ${guestsAudience(realmId)} and guest."userId" = person."userId") as "isGuest",
      exists (select 1 from "sync_audience_member" reader
        where reader."realmId" = ${realmId} and reader."userId" = person."userId"
          and (reader."audienceId" = ${domainAudience(realmId)}
            or starts_with(reader."audienceId", ${namedAudience('')}))) as "reads"
    from unnest(${people}::text[]) as person("userId") order by 1`.execute(writer.trx);
  for (const { userId, isMember, isGuest, reads } of rows) {
    if (isMember && isGuest) await endGuest(writer, realmId, userId);
    if (isMember || isGuest === reads) continue;
    if (reads) await beginGuest(writer, realmId, userId);
    else await leaveAudiences(writer, { workspaceId: realmId, userId });
  }
}

async function beginGuest(writer: FeedWriter, workspaceId: Id<'workspace'>, userId: Id<'user'>) {
  await sql`
    insert into "sync_audience_member" ("realmId", "audienceId", "userId")
    values (${workspaceId}, ${guestsAudience(workspaceId)}, ${userId}),
           (${workspaceId}, ${guestAudience(userId, workspaceId)}, ${userId})
    on conflict do nothing`.execute(writer.trx);
  // The person's open streams read the account for the workspaces to follow.
  await writer.versions.lock([userId]);
}

/** A guest who became a member reads on as one. */
async function endGuest(writer: FeedWriter, workspaceId: Id<'workspace'>, userId: Id<'user'>) {
  const own = [guestsAudience(workspaceId), guestAudience(userId, workspaceId)];
  await sql`
    delete from "sync_audience_member"
    where "realmId" = ${workspaceId} and "userId" = ${userId} and "audienceId" = any(${own}::text[])`.execute(
    writer.trx,
  );
}

/** Settles who reads the grants of places, or all of a realm. */
async function touchGrants(
  writer: FeedWriter,
  realmId: string,
  placeIds: readonly string[] | undefined,
): Promise<void> {
  const some = placeIds === undefined ? sql`` : sql`and "resourceId" = any(${placeIds}::text[])`;
  const { rows } = await sql<{ id: string }>`
    select "resourceId" || '/' || "holder" as "id" from "grant"
    where "workspaceId" = ${realmId} ${some} order by 1`.execute(writer.trx);
  const ids = rows.map(({ id }) => id);
  await touchRows(writer, { realmId, kind: 'grant', ids, reason: 'audience' });
}
