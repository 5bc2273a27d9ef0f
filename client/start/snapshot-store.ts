/**
 * Where the snapshots of screens are stored on the device: written by pages, read by the service worker. A snapshot belongs to
 * one session and one address; without that session's cookie nothing can find it.
 */
import { addressOf } from '#shared/hash.ts';
import type { SnapshotNode } from '#client/start/snapshot-markup.ts';

export interface ScreenSnapshot {
  /** Build whose styles and markup it has. */
  build: string;
  /** Width of the window in pixels, in which alone it has the right layout. */
  width: number;
  nodes: readonly SnapshotNode[];
  /** The rows that it shows, as JSON. */
  rows: string;
}

const CACHE = 'screen-snapshots';
/** Number of addresses with a stored snapshot; the one written longest ago is removed first. */
const MAX_SNAPSHOTS = 12;
/** Characters of a stored snapshot. */
const MAX_LENGTH = 400_000;

/** The key of the cache: no page has this address. */
function keyOf(token: string, address: string): string {
  return `/_screen-snapshot/${addressOf(token).hash}?at=${encodeURIComponent(address)}`;
}

function isSnapshot(value: unknown): value is ScreenSnapshot {
  return (
    typeof value === 'object' &&
    value !== null &&
    'build' in value &&
    typeof value.build === 'string' &&
    'width' in value &&
    typeof value.width === 'number' &&
    'nodes' in value &&
    Array.isArray(value.nodes) &&
    'rows' in value &&
    typeof value.rows === 'string'
  );
}

/** Stores it under each of the addresses, in place of what is there; one that is too large is not stored. */
export async function storeSnapshot(
  token: string,
  addresses: readonly string[],
  snapshot: ScreenSnapshot,
): Promise<void> {
  const text = JSON.stringify(snapshot);
  const keys = addresses.map((address) => keyOf(token, address));
  const cache = await caches.open(CACHE);
  const isSmall = text.length <= MAX_LENGTH;
  // Replaced in one step: a page that is being closed may get no further.
  await Promise.all(keys.map((key) => (isSmall ? cache.put(key, new Response(text)) : cache.delete(key))));
  const stored = await cache.keys();
  for (const old of stored.slice(0, -MAX_SNAPSHOTS)) await cache.delete(old);
}

/** The snapshot of an address, if this session has one. @throws when it cannot be read */
export async function findSnapshot(token: string, address: string): Promise<ScreenSnapshot | undefined> {
  const stored = await caches.match(keyOf(token, address), { cacheName: CACHE });
  const snapshot: unknown = await stored?.json();
  return isSnapshot(snapshot) ? snapshot : undefined;
}

/** Removes all of them: at the end of a session, and when one of them shows what the person may not see any more. */
export async function removeSnapshots(): Promise<void> {
  try {
    await globalThis.caches?.delete(CACHE);
  } catch (error) {
    // Storage may be refused (private windows); then nothing was stored either.
    console.info('start: the snapshots could not be removed', error);
  }
}
