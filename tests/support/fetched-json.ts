/** What a fetch of a JSON document returns, for tests that stand in for the web. */
import type { Fetched } from '#server/providers/egress.ts';

/** @param document an object, or the text itself */
export function fetchedJson(url: string, document: unknown): Fetched {
  return {
    url,
    status: 200,
    mediaType: 'application/json',
    charset: undefined,
    etag: null,
    lastModified: null,
    body: Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)),
  };
}
