// Media types of feeds. Apart from the reader, which only threads load.
import { isReadable } from '../page-media.ts';

const FEED_TYPES: ReadonlySet<string> = new Set([
  'application/rss+xml',
  'application/atom+xml',
  'application/rdf+xml',
  'application/feed+json',
]);
/** Types under which sites send feeds and other content. */
const GENERAL: ReadonlySet<string> = new Set(['application/xml', 'text/xml', 'application/json']);

export const isFeedType = (mediaType: string): boolean => FEED_TYPES.has(mediaType.toLowerCase());

/** Whether there can be a feed, or a page that names one, under the type. */
export const mayHoldFeed = (mediaType: string): boolean =>
  isFeedType(mediaType) || GENERAL.has(mediaType) || isReadable(mediaType);
