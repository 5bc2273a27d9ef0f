/**
 * The entries of a fetched feed, in any of its formats. Pure; it runs in a process with limits, because its input is untrusted.
 * Entities of a document type are not expanded and nothing is loaded.
 */
import { createHash } from 'node:crypto';
import { parseFeed } from 'feedsmith';
import { parseHTML } from 'linkedom';
import { LIMITS } from '#shared/constants.ts';
import { isStorableText, webUrl } from '#shared/define/fields.ts';
import { decoded, line, webAddress, type PageSource } from '../page-text.ts';
import { markdownOf } from '../imports/html-text.ts';
import { isFeedType } from './feed-media.ts';
import { FEED_LIMITS } from './feed-limits.ts';

/** One entry; null where the feed has no value. */
export interface FeedEntry {
  /** Hash of the feed's id of the entry: the same entry has the same key in every response. */
  key: string;
  title: string | null;
  /** Address of the page that the entry is about. */
  url: string | null;
  /** Plain text. */
  description: string | null;
  /** Markdown; only of an entry without a page of its own. */
  text: string | null;
}

/** Parsed response: a feed, a page that links to its feed, or neither. */
export type FeedReading =
  | { kind: 'feed'; title: string | null; /** Newest first. */ entries: FeedEntry[] }
  | { kind: 'page'; feedUrl: string }
  | { kind: 'neither' };

/** Parses the response of a feed's address. */
export function readFeed(source: PageSource): FeedReading {
  const text = decoded(source);
  const parsed = parsedFeed(text);
  if (parsed === undefined) {
    const feedUrl = feedNamedBy(text, source.url);
    return feedUrl === null ? { kind: 'neither' } : { kind: 'page', feedUrl };
  }
  const seen = new Set<string>();
  const entries = entriesOf(parsed)
    .map((entry) => asEntry(entry, source.url))
    .filter((entry): entry is Dated => entry !== undefined && !seen.has(entry.key) && !!seen.add(entry.key));
  // Sites order their entries as they like; those without a date stay where they are among the others.
  const newest = entries.toSorted((a, b) => (a.at === null || b.at === null ? 0 : b.at - a.at));
  return {
    kind: 'feed',
    title: plain(titleOf(parsed), LIMITS.title),
    entries: newest.slice(0, FEED_LIMITS.entriesMax).map(({ at: _at, ...entry }) => entry),
  };
}

type Parsed = ReturnType<typeof parseFeed>;

function parsedFeed(text: string): Parsed | undefined {
  try {
    return parseFeed(text, { maxItems: FEED_LIMITS.entriesMax });
  } catch {
    return undefined;
  }
}

/** Words of a feed with their media type, where the format has it. */
interface Words {
  value?: string | undefined;
  type?: string | undefined;
}

interface RawEntry {
  names: (string | undefined)[];
  title: Words | undefined;
  link: string | undefined;
  summary: Words | undefined;
  content: Words | undefined;
  date: unknown;
}

const html = (value: string | undefined): Words | undefined =>
  value === undefined ? undefined : { value, type: 'html' };

function titleOf(parsed: Parsed): Words | undefined {
  return parsed.format === 'atom' ? parsed.feed.title : html(parsed.feed.title);
}

function entriesOf(parsed: Parsed): RawEntry[] {
  switch (parsed.format) {
    case 'rss':
      return (parsed.feed.items ?? []).map((item) => ({
        names: [item.guid?.value, item.link],
        title: html(item.title),
        link: item.link ?? (item.guid?.isPermaLink === false ? undefined : item.guid?.value),
        summary: html(item.description),
        content: html(item.content?.encoded ?? item.description),
        date: item.pubDate ?? item.dc?.dates?.[0],
      }));
    case 'rdf':
      return (parsed.feed.items ?? []).map((item) => ({
        names: [item.rdf?.about, item.link],
        title: html(item.title),
        link: item.link,
        summary: html(item.description),
        content: html(item.content?.encoded ?? item.description),
        date: item.dc?.dates?.[0],
      }));
    case 'atom':
      return (parsed.feed.entries ?? []).map((entry) => ({
        names: [entry.id],
        title: entry.title,
        link: entry.links?.find(({ rel }) => rel === undefined || rel === 'alternate')?.href,
        summary: entry.summary ?? entry.content,
        content: entry.content ?? entry.summary,
        date: entry.published ?? entry.updated,
      }));
    case 'json':
      return (parsed.feed.items ?? []).map((item) => ({
        names: [item.id, item.url],
        title: item.title === undefined ? undefined : { value: item.title, type: 'text' },
        link: item.url ?? item.external_url,
        summary: item.summary === undefined ? html(item.content_html) : { value: item.summary, type: 'text' },
        content: html(item.content_html) ?? { value: item.content_text, type: 'text' },
        date: item.date_published,
      }));
  }
}

type Dated = FeedEntry & { at: number | null };

/** Undefined for an entry without content to save. */
function asEntry(raw: RawEntry, base: string): Dated | undefined {
  const title = plain(raw.title, LIMITS.title);
  const address = raw.link === undefined ? null : webAddress(raw.link.trim(), base);
  const url = webUrl.safeParse(address).data ?? null;
  const text = url === null ? markdown(raw.content) : null;
  if (url === null && text === null && title === null) return undefined;
  const name = raw.names.find((each) => each !== undefined && each !== '') ?? `${title ?? ''}\n${text ?? ''}`;
  const at = typeof raw.date === 'string' ? Date.parse(raw.date) : NaN;
  return {
    key: createHash('sha256').update(name).digest('base64url'),
    title,
    url,
    description: plain(raw.summary, LIMITS.description),
    text,
    at: Number.isNaN(at) ? null : at,
  };
}

const isMarkup = ({ type = 'text' }: Words): boolean => /html|xml/i.test(type);

function plain(words: Words | undefined, max: number): string | null {
  if (words?.value === undefined) return null;
  if (!isMarkup(words)) return line(words.value, max);
  const { document } = parseHTML(
    `<!doctype html><html><body>${words.value.slice(0, FEED_LIMITS.markupMax)}</body></html>`,
  );
  return line(document.body.textContent, max);
}

function markdown(words: Words | undefined): string | null {
  if (words?.value === undefined) return null;
  const text = (
    isMarkup(words) ? markdownOf(words.value.slice(0, FEED_LIMITS.markupMax)) : words.value
  ).trim();
  return text === '' || !isStorableText(text) ? null : text.slice(0, LIMITS.notes);
}

function feedNamedBy(text: string, base: string): string | null {
  const { document } = parseHTML(text);
  for (const link of document.querySelectorAll('link[rel~="alternate"][href]'))
    if (isFeedType(link.getAttribute('type') ?? '')) return webAddress(link.getAttribute('href') ?? '', base);
  return null;
}
