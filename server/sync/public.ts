// Anonymous reads: the part of the read rule for people without an account. Direct addresses reach public and unlisted
// resources; lists, search and feeds only public ones that no reports have hidden.
import { sql, type RawBuilder } from 'kysely';
import { anonymousReads, VISIBILITIES, VISIBILITY } from '#shared/spaces/visibility.ts';

const REACHED = VISIBILITIES.filter(anonymousReads);
const LISTED = VISIBILITIES.filter((visibility) => VISIBILITY[visibility].indexable);

/**
 * Reach of a look-up: `address` for people with the link, `list` for lists and search, `cited` for links on pages: as wide as
 * an address, but without content hidden by reports.
 */
export type PublicReach = 'address' | 'list' | 'cited';

/** Predicate for a row of space or thread under its alias in the query, deleted workspaces included. */
export function publiclyReadable(alias: 'space' | 'thread', reach: PublicReach): RawBuilder<boolean> {
  const values = reach === 'list' ? LISTED : REACHED;
  const visible = sql`${sql.ref(`${alias}.visibility`)} = any(${values}::text[])
    and ${sql.ref(`${alias}.deletedAt`)} is null
    and exists (select 1 from "workspace" place
      where place."id" = ${sql.ref(`${alias}.workspaceId`)} and place."deletedAt" is null)
    and ${hasStayingOwner(sql.ref(`${alias}.workspaceId`))}
    and not exists (select 1 from "suspended_workspace" suspended
      where suspended."workspaceId" = ${sql.ref(`${alias}.workspaceId`)})`;
  // Reports remove a resource from lists; only a decision also closes its address.
  const byDecision = reach === 'address' ? sql`and hidden."closed"` : sql``;
  const stillAsked = alias === 'thread' ? sql`and ${isStillAsked}` : sql``;
  return sql<boolean>`(${visible} ${stillAsked} and not exists (
    select 1 from "hidden_resource" hidden
    where hidden."workspaceId" = ${sql.ref(`${alias}.workspaceId`)}
      and hidden."resourceId" = ${sql.ref(`${alias}.id`)} ${byDecision}))`;
}

/** Predicate for a workspace: its public content closes when its only owner requests the deletion of the account. */
export function hasStayingOwner(workspaceId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from "workspace_member" m
    left join "account_deletion" leaving on leaving."userId" = m."userId"
    where m."workspaceId" = ${workspaceId} and m."position" = 'owner' and leaving."userId" is null)`;
}

/**
 * A thread that a visitor began is public only through the space whose page has the question, while that publishes the memories
 * that the answer may quote. True for every other row of thread.
 */
const isStillAsked = sql<boolean>`not exists (select 1 from "visitor_thread" v
  where v."workspaceId" = "thread"."workspaceId" and v."threadId" = "thread"."id" and not exists (select 1 from "space"
    where "space"."workspaceId" = v."workspaceId" and "space"."id" = v."spaceId" and ${publiclyReadable('space', 'address')}
      and ("space"."publishText" or not v."withText")))`;

/** Time of the last change of a thread's public view: messages after a freeze change neither date nor order. */
export const publicThreadUpdated = sql<string>`coalesce((select last."createdAt" from "message" last
  where last."workspaceId" = "thread"."workspaceId" and last."id" = "thread"."publicUntil"), "thread"."updated")`;

/** When what the public sees of a row of memory has changed last: private notes move no date and no order. */
export const publicMemoryUpdated = sql<string>`coalesce("memory"."publicUpdated", "memory"."created")`;
