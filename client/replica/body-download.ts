// Long notes by hash: this device first, then the server, whose answer is checked against the hash and kept. Two askers
// of the same text share one request.
import { addressOf } from '#shared/hash.ts';
import { sessionToken } from '#client/api/session.ts';
import type { BodyCache } from '#client/replica/body-cache.ts';

/** ready = `text` is the memory's notes (empty when there are none); offline and failed say why it is not here. */
export type Body =
  | { state: 'ready'; text: string }
  | { state: 'loading' | 'offline' | 'failed'; text: undefined };

/** Which text of which memory. */
export interface BodyAddress {
  id: string;
  workspaceId: string;
  hash: string;
}

const underWay = new Map<string, Promise<Body>>();

/** The text of an answer, whether it is plain or wrapped in the envelope. */
function textIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  if (typeof body !== 'object' || body === null) return undefined;
  const inner =
    'result' in body ? body.result : 'text' in body ? body.text : 'notes' in body ? body.notes : undefined;
  return inner === undefined ? undefined : textIn(inner);
}

async function download({ id, workspaceId }: BodyAddress): Promise<string | undefined> {
  const response = await fetch(`/v1/memories/${workspaceId}/${id}/body`, {
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
    // Another hash means that the memory has changed meanwhile; its new row is on the way and will ask again.
    if (text === undefined || addressOf(text).hash !== address.hash)
      return { state: 'failed', text: undefined };
    await bodies?.keep(text);
    return { state: 'ready', text };
  } catch (error) {
    // fetch throws a TypeError exactly when there was no answer at all.
    if (error instanceof TypeError) return { state: 'offline', text: undefined };
    throw error;
  }
}

/** The text, or why it cannot be had now; without a cache nothing is kept. */
export async function findBody(bodies: BodyCache | undefined, address: BodyAddress): Promise<Body> {
  const running = underWay.get(address.hash);
  if (running) return running;
  const mine = findOrDownload(bodies, address).finally(() => underWay.delete(address.hash));
  underWay.set(address.hash, mine);
  return mine;
}
