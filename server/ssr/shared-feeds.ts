// Feeds of public spaces and threads, in the two formats. Titles are HTML in Atom and plain words in JSON Feed.
import { Feed } from 'feed';
import { PRODUCT_NAME } from '#shared/constants.ts';
import type { PublicMemory } from '#shared/memories/public-memory.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import type { PublicMessage, PublicThread } from '#shared/threads/public-thread.ts';
import { spacePath, threadPath } from './shared-markdown.ts';

/** The end of a feed's address. */
export type FeedFormat = 'xml' | 'json';

/** Where a feed stands and in which format. */
export interface FeedPlace {
  origin: string;
  format: FeedFormat;
}

const TITLE_LENGTH = 90;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const wordsFor = (format: FeedFormat) => (format === 'xml' ? escapeHtml : (text: string) => text);

interface FeedHead {
  path: string;
  title: string;
  description: string;
  updated: string;
}

function emptyFeed({ path, title, description, updated }: FeedHead, { origin, format }: FeedPlace): Feed {
  const link = origin + path;
  const words = wordsFor(format);
  return new Feed({
    id: link,
    link,
    title: words(title),
    description: words(description),
    updated: new Date(updated),
    favicon: `${origin}/favicon.ico`,
    generator: PRODUCT_NAME,
    feedLinks: { atom: `${link}/feed.xml`, json: `${link}/feed.json` },
  });
}

/** What was added to a space last. */
export function spaceFeed(space: PublicSpace, memories: PublicMemory[], place: FeedPlace): Feed {
  const words = wordsFor(place.format);
  const path = spacePath(space);
  const updated = memories[0]?.created ?? space.updated;
  const feed = emptyFeed({ path, title: space.name, description: space.description ?? '', updated }, place);
  for (const memory of memories) {
    const own = `${place.origin}${path}#${memory.id}`;
    feed.addItem({
      id: own,
      link: memory.url ?? own,
      title: words(memory.title ?? memory.url ?? 'Untitled'),
      description: words(memory.summary ?? memory.description ?? ''),
      date: new Date(memory.updated),
      published: new Date(memory.created),
      category: memory.tags.map((name) => ({ name: words(name) })),
    });
  }
  return feed;
}

/** What was written in a thread last. */
export function threadFeed(thread: PublicThread, messages: PublicMessage[], place: FeedPlace): Feed {
  const words = wordsFor(place.format);
  const path = threadPath(thread);
  const updated = messages[0]?.createdAt ?? thread.updated;
  const feed = emptyFeed({ path, title: thread.name, description: thread.summary ?? '', updated }, place);
  for (const { id, content, createdAt } of messages) {
    const own = `${place.origin}${path}#${id}`;
    const [line = ''] = content.trim().split('\n', 1);
    feed.addItem({
      id: own,
      link: own,
      title: words([...line].slice(0, TITLE_LENGTH).join('')),
      description: words(content),
      date: new Date(createdAt),
      published: new Date(createdAt),
    });
  }
  return feed;
}
