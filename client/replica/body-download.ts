// Loads long notes by hash: from this device first, then from the server, whose response is verified against the hash
// and cached. Concurrent requests for the same text share one fetch.
import { addressOf } from '#shared/hash.ts';
import { sessionToken } from '#client/api/session.ts';
import type { BodyCache } from '#client/replica/body-cache.ts';

/**
 * ready = `text` is the memory's text (empty when it has none); offline and failed are the reasons why it is missing.
 */
export type Body =
  | { state: 'ready'; text: string }
  | { state: 'loading' | 'offline' | 'failed'; text: undefined };

export interface BodyAddress {
  id: string;
  workspaceId: string;
  hash: string;
  /** Notes unless it is the page behind a link. */
  part?: 'body' | 'page';
}

const underWay = new Map<string, Promise<Body>>();

/** The text of a response, with or without the envelope. */
function textIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  if (typeof body !== 'object' || body === null) return undefined;
  const inner =
    'result' in body ? body.result : 'text' in body ? body.text : 'notes' in body ? body.notes : undefined;
  return inner === undefined ? undefined : textIn(inner);
}

async function download({ id, workspaceId, part = 'body' }: BodyAddress): Promise<string | undefined> {
  const response = await fetch(`/v1/memories/${workspaceId}/${id}/${part}`, {
    headers: { authorization: `Bearer ${sessionToken() ?? ''}` },
    credentials: 'omit',
  });
  if (!response.ok) return undefined;
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return textIn(isJson ? await response.json() : await response.text());
}

async function findOrDownload(bodies: BodyCache | undefined, address: BodyAddress): Promise<Body> {
  const known = await bodies?.find(address.hash);
  if (known !== undefined) return { state: 'ready', text: known };
  try {
    const text = await download(address);
    // Another hash means that the memory has changed since; its new row will arrive by sync and start another request.
    if (text === undefined || addressOf(text).hash !== address.hash)
      return { state: 'failed', text: undefined };
    await bodies?.keep(text);
    return { state: 'ready', text };
  } catch (error) {
    // fetch throws a TypeError exactly when there was no response at all.
    if (error instanceof TypeError) return { state: 'offline', text: undefined };
    throw error;
  }
}

/** The text, or why it is unavailable; without a cache nothing is stored. */
export async function findBody(bodies: BodyCache | undefined, address: BodyAddress): Promise<Body> {
  const running = underWay.get(address.hash);
  if (running) return running;
  const mine = findOrDownload(bodies, address).finally(() => underWay.delete(address.hash));
  underWay.set(address.hash, mine);
  return mine;
}
