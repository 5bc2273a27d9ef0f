/**
 * Looks for new entries of feeds. Every check ends in one transaction that reads which entries are saved, so that a check that
 * runs twice, or whose server is killed, saves none twice. Entries are saved in the name of the feed's follower, with that
 * person's present permissions.
 */
import { DAY_MS, LIMITS, MINUTE_MS } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import type { Feed } from '#shared/capture/feed.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Context } from '../../context.ts';
import { across } from '../../db/across.ts';
import { type ServerTx, systemActor } from '../../db/server-tx.ts';
import { writeInRealm } from '../../db/transaction.ts';
import { emit } from '../../events/emit.ts';
import { writeAs, type Writing } from '../../http/write.ts';
import { fetchFeed, type FetchedFeed } from './feed-fetch.ts';
import type { FeedEntry } from './feed-text.ts';
import { FEED_LIMITS } from './feed-limits.ts';
import { asPerson } from '../../sync/readable.ts';

/** Refusals after which entries can no longer be saved for the person. */
const ENDING: ReadonlySet<string> = new Set(['forbidden', 'not_found']);

export interface FeedAddress {
  workspaceId: Id<'workspace'>;
  feedId: Id<'feed'>;
}

/** When a feed is checked again: every hour, and less often while it fails. */
export function nextCheck(now: Date, failingSince: string | null): string {
  const failingMs = failingSince === null ? 0 : now.getTime() - Date.parse(failingSince);
  const wait = Math.min(Math.max(FEED_LIMITS.everyMinutes * MINUTE_MS, failingMs), DAY_MS);
  return new Date(now.getTime() + wait).toISOString();
}

/** Queues the feeds that are due. The next time is set at once, so that no other node queues them too. */
export async function queueDueFeeds({
  db,
  clock,
  jobs,
}: Pick<Context, 'db' | 'clock' | 'jobs'>): Promise<void> {
  const now = clock.now();
  const due = await db
    .selectFrom('feed')
    .select(['workspaceId', 'id', 'failingSince'])
    .where('nextAt', '<=', now.toISOString())
    .orderBy('nextAt')
    .limit(FEED_LIMITS.dueAtOnce)
    .modifyEnd(across('upkeep'))
    .execute();
  for (const { workspaceId, id, failingSince } of due) {
    await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('feed')
        .set({ nextAt: nextCheck(now, failingSince) })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', id)
        .where('nextAt', '<=', now.toISOString())
        .executeTakeFirst();
      if (numUpdatedRows === 1n)
        await jobs.enqueue(trx, 'feed.check', { workspaceId, feedId: id }, { group: workspaceId });
    });
  }
}

/** Fetches one feed and saves new entries. Does nothing for a paused or deleted feed. */
export async function checkFeed(context: Context, { workspaceId, feedId }: FeedAddress): Promise<void> {
  const feed = await context.db
    .selectFrom('feed')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', feedId)
    .executeTakeFirst();
  if (feed === undefined || feed.state === 'paused') return;
  const fetched = await fetchFeed(context.egress, feed.url, feed, false);
  if (fetched.kind === 'failed') return noteFailure(context, feed, fetched);
  try {
    await writeAs(context, { realmId: workspaceId, ...asPerson(feed.ownerId) }, async (writing) => {
      // Left, paused or moved meanwhile.
      const current = await writing.tx.trx
        .selectFrom('feed')
        .select(['id', 'workspaceId', 'spaceId'])
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', feedId)
        .where('state', '=', 'active')
        .executeTakeFirst();
      if (current === undefined) return;
      const isWhole =
        fetched.kind === 'unchanged' ||
        (await saveEntries(writing, current, fetched.entries, FEED_LIMITS.perCheck));
      const now = writing.tx.now;
      await setFeed(writing.tx, feed, {
        problem: null,
        failingSince: null,
        checkedAt: now.toISOString(),
        nextAt: nextCheck(now, null),
        // Validators are stored once all entries are saved; until then the site must send the rest again.
        ...(fetched.kind === 'feed' && isWhole && { etag: fetched.etag, lastModified: fetched.lastModified }),
      });
    });
  } catch (error) {
    // The person has left, may no longer add to the space, or the space was deleted. A lost database connection is no reason.
    if (!(error instanceof AppError) || !ENDING.has(error.code)) throw error;
    await pause(context, feed, 'Nothing can be added to its space any more.');
  }
}

/**
 * Saves the entries that are new, the oldest first; of a feed checked for the first time the newest `most`, and the rest count
 * as seen. Those above the daily limit wait.
 * @returns whether all of them are saved now
 */
export async function saveEntries(
  writing: Writing,
  feed: Pick<Feed, 'workspaceId' | 'id' | 'spaceId'>,
  entries: readonly FeedEntry[],
  most: number,
): Promise<boolean> {
  const { tx } = writing;
  const place = { workspaceId: feed.workspaceId, feedId: feed.id };
  const known = await tx.trx
    .selectFrom('feed_entry')
    .select(['key', 'saved', 'seen'])
    .where('workspaceId', '=', place.workspaceId)
    .where('feedId', '=', place.feedId)
    .execute();
  const keys = new Set(known.map(({ key }) => key));
  const fresh = entries.filter(({ key }) => !keys.has(key));
  const dayAgo = tx.now.getTime() - DAY_MS;
  const today = known.filter(({ saved, seen }) => saved && Date.parse(seen) > dayAgo).length;
  const room = Math.max(0, Math.min(most, FEED_LIMITS.perDay - today));
  const isFirst = known.length === 0;
  const saved = isFirst ? fresh.slice(0, room) : fresh.slice(Math.max(0, fresh.length - room));
  for (const entry of saved.toReversed()) await saveEntry(writing, feed.spaceId, entry);
  const seen = tx.now.toISOString();
  const rows = (isFirst ? fresh : saved).map((entry) => ({
    ...place,
    key: entry.key,
    seen,
    saved: saved.includes(entry),
  }));
  if (rows.length > 0) await tx.trx.insertInto('feed_entry').values(rows).execute();
  await forgetEntries(tx, place, entries);
  return isFirst || saved.length === fresh.length;
}

async function saveEntry({ apply, at }: Writing, spaceId: Id<'space'>, entry: FeedEntry): Promise<void> {
  const { title, url, description, text } = entry;
  await apply('memory.create', {
    id: newId('memory'),
    at,
    origin: 'rss',
    spaceId,
    tags: [],
    archived: false,
    title,
    url,
    description: url === null ? null : description,
    notes: url === null ? (text?.slice(0, LIMITS.notes) ?? null) : null,
  });
}

/** Deletes records of entries that the feed has not listed for long: they do not reappear. */
async function forgetEntries(
  tx: ServerTx,
  { workspaceId, feedId }: FeedAddress,
  entries: readonly FeedEntry[],
): Promise<void> {
  const before = new Date(tx.now.getTime() - FEED_LIMITS.rememberedDays * DAY_MS).toISOString();
  const present = entries.map(({ key }) => key);
  await tx.trx
    .deleteFrom('feed_entry')
    .where('workspaceId', '=', workspaceId)
    .where('feedId', '=', feedId)
    .where('seen', '<', before)
    .$if(present.length > 0, (rows) => rows.where('key', 'not in', present))
    .execute();
}

async function noteFailure(
  context: Context,
  feed: Feed & { failingSince: string | null },
  { reason, isGone }: Extract<FetchedFeed, { kind: 'failed' }>,
): Promise<void> {
  const now = context.clock.now();
  const failingSince = feed.failingSince ?? now.toISOString();
  const isOver = now.getTime() - Date.parse(failingSince) >= FEED_LIMITS.pausedAfterDays * DAY_MS;
  if (isGone || isOver) return pause(context, feed, reason);
  await writeInRealm(context, feed.workspaceId, systemActor, (tx) =>
    setFeed(tx, feed, {
      problem: reason,
      failingSince,
      checkedAt: now.toISOString(),
      nextAt: nextCheck(now, failingSince),
    }),
  );
}

/** Pauses a feed and notifies its owner. */
async function pause(context: Context, feed: Feed, problem: string): Promise<void> {
  await writeInRealm(context, feed.workspaceId, systemActor, async (tx) => {
    await setFeed(tx, feed, { state: 'paused', problem, nextAt: null, checkedAt: tx.now.toISOString() });
    await emit(tx, 'feed.paused', { feed, problem });
  });
}

async function setFeed(
  tx: ServerTx,
  { workspaceId, id }: Pick<Feed, 'workspaceId' | 'id'>,
  change: Partial<Feed & { etag: string | null; lastModified: string | null; failingSince: string | null }>,
): Promise<void> {
  await tx.trx
    .updateTable('feed')
    .set({ ...change, updated: tx.now.toISOString() })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}
