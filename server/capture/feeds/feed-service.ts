/** Feeds as people manage them: followed with their newest entries, paused, filed elsewhere, checked now, left. */
import { authorize, requireRow } from '#shared/define/access.ts';
import { slugify } from '#shared/define/fields.ts';
import type { PageQuery } from '#shared/define/list-query.ts';
import { AppError } from '#shared/errors.ts';
import { feed, FEEDS_MAX, type Feed } from '#shared/capture/feed.ts';
import { newId, type Id } from '#shared/ids.ts';
import { can } from '#shared/permissions.ts';
import { placeSubject } from '#shared/spaces/granted-subject.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/database.ts';
import type { Member } from '../../http/call.ts';
import { listPage } from '../../http/list-page.ts';
import { writeAs, type Writing } from '../../http/write.ts';
import { checkFeed, nextCheck, saveEntries } from './feed-check.ts';
import { fetchFeed } from './feed-fetch.ts';
import { FEED_LIMITS } from './feed-limits.ts';
import { readerIn } from '../../sync/readable.ts';

const COLUMNS = feed.keyof().options;

/** The feeds that the person may manage: others' are not there for members. */
function feedsFor({ db }: Pick<Context, 'db'>, actor: Member) {
  const feeds = db.selectFrom('feed').select(COLUMNS).where('feed.workspaceId', '=', actor.workspaceId);
  return can(actor, 'feed.manage') ? feeds : feeds.where('feed.ownerId', '=', actor.userId);
}

/** One page of feeds. @throws forbidden for guests */
export function listFeeds(context: Context, actor: Member, query: PageQuery) {
  return listPage(feedsFor(context, actor), { table: 'feed', query });
}

/** One feed. @throws not_found */
export async function getFeed(context: Context, actor: Member, id: Id<'feed'>): Promise<Feed> {
  const found = await feedsFor(context, actor).where('feed.id', '=', id).executeTakeFirst();
  return requireRow(found, 'Feed');
}

/**
 * Follows the feed at an address, or the one that the page there names, and saves its newest entries.
 * @throws forbidden, not_found for the space, invalid when there is no feed, conflict when it is followed already or too many are
 */
export async function followFeed(
  context: Context,
  actor: Member,
  given: { url: string; spaceId: Id<'space'> | null },
): Promise<Feed> {
  authorize(actor, 'feed.create');
  const { workspaceId, userId } = actor;
  await refuseKnown(context.db, actor, given.url);
  if (given.spaceId !== null) {
    const { spaceId } = given;
    // Before fetching for a person who may not file there.
    await writeAs(context, readerIn(actor), (writing) => requirePlace(writing, spaceId));
  }
  const fetched = await fetchFeed(context.egress, given.url, { etag: null, lastModified: null });
  if (fetched.kind !== 'feed')
    throw new AppError(
      'invalid',
      `url: ${fetched.kind === 'failed' ? fetched.reason : 'There is no feed at this address.'}`,
    );
  const title = fetched.title ?? URL.parse(fetched.feedUrl)?.host ?? fetched.feedUrl;
  const { value } = await writeAs(context, readerIn(actor), async (writing) => {
    const now = writing.tx.now.toISOString();
    // Others of the same person may have been followed during the fetch.
    await refuseKnown(writing.tx.trx, actor, fetched.feedUrl);
    const spaceId = given.spaceId ?? (await makeSpace(writing, title));
    if (given.spaceId !== null) await requirePlace(writing, given.spaceId);
    const id = newId('feed');
    await writing.tx.trx
      .insertInto('feed')
      .values({
        id,
        workspaceId,
        spaceId,
        title,
        ownerId: userId,
        url: fetched.feedUrl,
        state: 'active',
        problem: null,
        failingSince: null,
        etag: fetched.etag,
        lastModified: fetched.lastModified,
        checkedAt: now,
        nextAt: nextCheck(writing.tx.now, null),
        created: now,
        updated: now,
      })
      .execute();
    await saveEntries(writing, { workspaceId, id, spaceId }, fetched.entries, FEED_LIMITS.firstEntries);
    return id;
  });
  return getFeed(context, actor, value);
}

async function refuseKnown(db: Database, { workspaceId, userId }: Member, url: string): Promise<void> {
  const feeds = await db
    .selectFrom('feed')
    .select('url')
    .where('workspaceId', '=', workspaceId)
    .where('ownerId', '=', userId)
    .execute();
  if (feeds.some((each) => each.url === url))
    throw new AppError('conflict', 'url: You follow this feed already');
  if (feeds.length >= FEEDS_MAX)
    throw new AppError('conflict', `A person can follow ${FEEDS_MAX} feeds in a workspace`);
}

/** @throws not_found, forbidden */
async function requirePlace({ tx, actor }: Writing, spaceId: Id<'space'>): Promise<void> {
  const space = await tx.get('space', spaceId);
  if (space === undefined || space.deletedAt !== null) throw new AppError('not_found', 'Space not found');
  const who = await actor();
  authorize(who, 'space.file', await placeSubject(tx, who, space));
}

async function makeSpace({ apply, at }: Writing, title: string): Promise<Id<'space'>> {
  const id = newId('space');
  const name = title.slice(0, 120).trim();
  await apply('space.create', {
    id,
    at,
    name,
    slug: slugify(name),
    description: null,
    origin: 'web',
    visibility: 'private',
    publishText: true,
  });
  return id;
}

/** Changes a feed. @throws not_found, forbidden */
export async function changeFeed(
  context: Context,
  actor: Member,
  id: Id<'feed'>,
  change: Partial<Pick<Feed, 'spaceId' | 'state'>>,
): Promise<Feed> {
  const before = await getFeed(context, actor, id);
  const { workspaceId, userId } = actor;
  authorize(actor, 'feed.manage', before);
  await writeAs(context, readerIn(actor), async (writing) => {
    if (change.spaceId !== undefined) {
      // The memories in it will be the owner's.
      if (before.ownerId !== userId)
        throw new AppError('forbidden', 'Only who follows a feed chooses its space');
      await requirePlace(writing, change.spaceId);
    }
    const now = writing.tx.now.toISOString();
    await writing.tx.trx
      .updateTable('feed')
      .set({
        ...change,
        ...(change.state === 'paused' && { nextAt: null }),
        ...(change.state === 'active' && { nextAt: now, problem: null, failingSince: null }),
        updated: now,
      })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .execute();
  });
  return getFeed(context, actor, id);
}

/** Stops following. @throws not_found, forbidden */
export async function leaveFeed(context: Context, actor: Member, id: Id<'feed'>): Promise<void> {
  authorize(actor, 'feed.manage', await getFeed(context, actor, id));
  const { workspaceId } = actor;
  await writeAs(context, readerIn(actor), ({ tx }) =>
    tx.trx.deleteFrom('feed').where('workspaceId', '=', workspaceId).where('id', '=', id).execute(),
  );
}

/** Checks a feed now. @throws not_found, forbidden, conflict while it is paused */
export async function checkNow(context: Context, actor: Member, id: Id<'feed'>): Promise<Feed> {
  const feed = await getFeed(context, actor, id);
  authorize(actor, 'feed.manage', feed);
  if (feed.state === 'paused') throw new AppError('conflict', 'The feed is paused');
  await checkFeed(context, { workspaceId: actor.workspaceId, feedId: id });
  return getFeed(context, actor, id);
}
