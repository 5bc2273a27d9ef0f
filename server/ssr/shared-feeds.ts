// Feeds of public spaces and threads, in the two formats (RFC 4287, jsonfeed.org). User content is text: it is escaped where a
// format defines a field as HTML, and never becomes markup.
import { Feed } from 'feed';
import { publicMemoryPath, publicSpacePath } from '#shared/citation-path.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { PUBLIC_PAGE_MESSAGES } from '#shared/threads/limits.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import type { PublicMemory } from '#shared/memories/public-memory.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import type { PublicMessage, PublicThread } from '#shared/threads/public-thread.ts';
import { threadPath } from './shared-markdown.ts';

export type FeedFormat = 'xml' | 'json';

export interface FeedPlace {
  origin: string;
  format: FeedFormat;
}

const TITLE_LENGTH = 90;

/** Signs that no XML document may hold, however they are written. */
// oxlint-disable-next-line no-control-regex -- these are the ones that are meant
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Several lines of plain text as HTML. */
const paragraph = (text: string): string => escapeHtml(text.trim()).replaceAll('\n', '<br>');

interface FeedHead {
  path: string;
  title: string;
  description: string;
  updated: string;
  /** Whom the workspace names as the author, itself otherwise; Atom requires one. */
  author: string;
}

interface FeedItem {
  /** Address of its own, which is its name for readers of the feed. */
  id: string;
  link: string;
  title: string;
  text: string;
  created: string;
  updated: string;
  tags: readonly string[];
}

function emptyFeed({ path, title, description, updated, author }: FeedHead, { origin, format }: FeedPlace) {
  const link = origin + path;
  const words = wordsFor(format);
  return new Feed({
    id: link,
    link,
    title: words(title),
    description: words(description),
    updated: new Date(updated),
    author: { name: format === 'xml' ? author.replace(NOT_XML, '') : author },
    favicon: `${origin}/favicon.ico`,
    generator: PRODUCT_NAME,
    feedLinks: { atom: `${link}/feed.xml`, json: `${link}/feed.json` },
  });
}

/** Titles are HTML in Atom (see atomText) and plain words in JSON Feed. */
const wordsFor = (format: FeedFormat) =>
  format === 'xml' ? (text: string) => escapeHtml(text.replace(NOT_XML, '')) : (text: string) => text;

function addItem(
  feed: Feed,
  { id, link, title, text, created, updated, tags }: FeedItem,
  format: FeedFormat,
) {
  const html = paragraph(format === 'xml' ? text.replace(NOT_XML, '') : text);
  feed.addItem({
    id,
    link,
    title: wordsFor(format)(title),
    ...(format === 'xml' ? { description: html } : { content: html }),
    date: new Date(updated),
    published: new Date(created),
    category: tags.flatMap((tag) => (format === 'xml' ? attributeOf(tag) : [tag])).map(categoryOf),
  });
}

/** The library writes attributes as they are, but for ampersands: a tag with an angle bracket would end the document. */
function attributeOf(tag: string): string[] {
  const known = tag.replace(NOT_XML, '');
  return known === '' || known.includes('<') ? [] : [known];
}

const categoryOf = (name: string) => ({ name, term: name });

function newestOf(moments: readonly string[], otherwise: string): string {
  return moments.toSorted().at(-1) ?? otherwise;
}

/** A feed of ours as Atom. The library marks only titles of entries as HTML. */
export function atomText(feed: Feed): string {
  return feed
    .atom1()
    .replace('<title>', '<title type="html">')
    .replace('<subtitle>', '<subtitle type="html">');
}

/** Most recently added memories of a space. */
export function spaceFeed(space: PublicSpace, memories: PublicMemory[], place: FeedPlace): Feed {
  const path = publicSpacePath(space);
  const updated = newestOf(
    memories.map((memory) => memory.updated),
    space.updated,
  );
  const author = space.author ?? space.workspace.name;
  const description = space.description ?? '';
  const feed = emptyFeed({ path, title: space.name, description, updated, author }, place);
  for (const memory of memories) {
    const id = `${place.origin}${path}#${memory.id}`;
    const title = memoryTitle({ ...memory, notes: memory.text ?? memory.excerpt });
    const text = memory.text ?? memory.summary ?? memory.description ?? memory.excerpt;
    const { created, updated: changed, tags } = memory;
    const link = linkOf(space, memory, place.origin);
    const item = { id, link, title, text, created, updated: changed, tags };
    addItem(feed, item, place.format);
  }
  return feed;
}

/** The memory's own page; in a space without such pages what a link saves, otherwise its place in the list. */
function linkOf(
  { workspace, slug, publishText }: PublicSpace,
  { id, url }: PublicMemory,
  origin: string,
): string {
  if (!publishText && url !== null) return url;
  const place = { workspaceSlug: workspace.slug, spaceSlug: slug, memoryId: id };
  return origin + publicMemoryPath({ ...place, hasPage: publishText });
}

/** The page of its thread that shows a message, by the number of messages before it. */
function pageOf(earlier: number): string {
  const page = Math.floor(earlier / PUBLIC_PAGE_MESSAGES) + 1;
  return page > 1 ? `?page=${page}` : '';
}

/** Most recent messages of a thread, newest first. */
export function threadFeed(thread: PublicThread, messages: PublicMessage[], place: FeedPlace): Feed {
  const path = threadPath(thread);
  const updated = messages[0]?.createdAt ?? thread.updated;
  const author = thread.author ?? thread.workspace.name;
  const description = thread.summary ?? '';
  const feed = emptyFeed({ path, title: thread.name, description, updated, author }, place);
  const count = Math.max(thread.messageCount, messages.length);
  for (const [later, message] of messages.entries()) {
    // The id stays the same, whatever page the message is on.
    const id = `${place.origin}${path}#${message.id}`;
    const link = `${place.origin}${path}${pageOf(count - later - 1)}#${message.id}`;
    const [line = ''] = message.content.trim().split('\n', 1);
    const title = [...line].slice(0, TITLE_LENGTH).join('');
    const times = { created: message.createdAt, updated: message.createdAt };
    addItem(feed, { id, link, title, text: message.content, ...times, tags: [] }, place.format);
  }
  return feed;
}
