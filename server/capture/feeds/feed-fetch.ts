// Fetches a feed through the guarded way out, and reads it; a page that names its feed leads there once.
import { CAPTURE } from '#shared/capture/limits.ts';
import { runPageTask } from '../page-process.ts';
import { EgressError, type Egress, type EgressFault } from '../../providers/egress.ts';
import { mayHoldFeed } from './feed-media.ts';
import type { FeedEntry } from './feed-text.ts';

/** Validators of the last response (RFC 9110, section 8.8). */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** `isGone`: the feed was removed permanently (410). */
export type FetchedFeed =
  | ({ kind: 'feed'; feedUrl: string; title: string | null; entries: FeedEntry[] } & Validators)
  | { kind: 'unchanged' }
  | { kind: 'failed'; reason: string; isGone?: true };

const ACCEPT =
  'application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.7, text/html;q=0.5';

const OF_FAULT: Readonly<Record<EgressFault, string>> = {
  off: 'This server fetches nothing from other servers.',
  blocked: 'The feed could not be fetched.',
  unknown_host: 'The feed could not be fetched.',
  network: 'The feed could not be fetched.',
  timeout: 'The site did not respond in time.',
  redirects: 'The address redirects without end.',
  tls: 'The site has no valid certificate.',
  type: 'There is no feed at this address.',
  too_large: 'The feed is too large.',
};

/** Never throws for a fault of the site. */
export async function fetchFeed(
  egress: Pick<Egress, 'get'>,
  url: string,
  known: Validators,
  mayBePage = true,
): Promise<FetchedFeed> {
  try {
    const fetched = await egress.get(url, {
      maxBytes: CAPTURE.pageBytesMax,
      accept: ACCEPT,
      accepts: mayHoldFeed,
      ...known,
    });
    if (fetched.status === 304) return { kind: 'unchanged' };
    if (fetched.status === 410) return { kind: 'failed', reason: 'The feed was removed.', isGone: true };
    if (fetched.status < 200 || fetched.status >= 300)
      return { kind: 'failed', reason: `The site answered with an error (${fetched.status}).` };
    const reading = await runPageTask('feed', fetched);
    if (reading?.kind === 'feed') {
      const { etag, lastModified } = fetched;
      return { ...reading, feedUrl: url, etag, lastModified };
    }
    if (reading?.kind === 'page' && mayBePage) return await fetchFeed(egress, reading.feedUrl, known, false);
    return { kind: 'failed', reason: 'There is no feed at this address.' };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { kind: 'failed', reason: OF_FAULT[error.fault] };
  }
}
