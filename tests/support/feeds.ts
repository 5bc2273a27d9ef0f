/** Feeds for tests: as sites send them, and a followed one as a row where no site is fetched. */
import type { RequestListener } from 'node:http';
import { newId, type Id } from '#shared/ids.ts';
import { page } from './local-site.ts';
import type { World } from './world.ts';

/** @returns its id */
export async function insertFeed(
  { context }: World,
  feed: { workspaceId: Id<'workspace'>; ownerId: Id<'user'>; spaceId: Id<'space'>; title: string },
): Promise<Id<'feed'>> {
  const id = newId('feed');
  const now = context.clock.now().toISOString();
  await context.db
    .insertInto('feed')
    .values({
      ...feed,
      id,
      url: `https://feeds.example/${id}`,
      state: 'active',
      problem: null,
      etag: null,
      lastModified: null,
      failingSince: null,
      checkedAt: null,
      nextAt: null,
      created: now,
      updated: now,
    })
    .execute();
  return id;
}

/** One item of an RSS feed; without a link it has no page of its own. */
export interface FeedItem {
  id: number;
  title?: string;
  description?: string;
  link?: string | null;
}

const DAY_MS = 86_400_000;

/** An RSS feed as sites send it, the newest item first. */
export function rssOf(siteUrl: string, items: readonly FeedItem[]): string {
  const of = ({ id, title = `Entry ${id}`, description = '', link = `${siteUrl}/${id}` }: FeedItem) =>
    `<item><title>${title}</title>${link === null ? '' : `<link>${link}</link>`}<guid isPermaLink="false">e${id}</guid>` +
    `<description><![CDATA[${description}]]></description>` +
    `<pubDate>${new Date(Date.UTC(2026, 0, 1) + id * DAY_MS).toUTCString()}</pubDate></item>`;
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Ferries</title>${items.map(of).join('')}</channel></rss>`;
}

/** Items with the numbers `from` to `to`, the highest first. */
export const manyItems = (from: number, to: number): FeedItem[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ id: to - at }));

/** Sends a feed. */
export const sendsFeed = (body: string, headers: Record<string, string> = {}): RequestListener =>
  page(body, { 'content-type': 'application/rss+xml', ...headers });
