// Replica keys. The leading digit is the bootstrap priority, because pages are sent in key order; an inverted time puts
// the newest first, because Replicache scans only run forward.
import type { SyncedKind } from '../entities.ts';
import { entityIdOf, KINDS, SYNCED_KINDS, textOf, type KeyFacts } from '../kinds.ts';

/** Progress of the replica; present in every non-empty pull. */
export const SYNC_STATE_KEY = '0/ctl/sync';
/** Present with `{revoked: true}` when the user may no longer read the realm. */
export const ACCESS_KEY = '0/ctl/access';
/** Prefix of rejected mutations: `0/err/<clientID>/<mutationID>`. */
export const RESULT_PREFIX = '0/err/';

const LATEST_MS = 9_999_999_999_999;
const TIME_DIGITS = 9;

/** Nine base-36 digits that sort newest first. */
export function invertedTime(iso: string): string {
  return (LATEST_MS - Date.parse(iso)).toString(36).padStart(TIME_DIGITS, '0');
}

/** Nine base-36 digits that sort oldest first. */
export function ascendingTime(iso: string): string {
  return Date.parse(iso).toString(36).padStart(TIME_DIGITS, '0');
}

/** The replica key of a row; it never changes, because created times and ids never change. */
export function keyOf<K extends SyncedKind>(kind: K, facts: KeyFacts<K>): string {
  const { prefix, time, key } = KINDS[kind];
  const id = entityIdOf(kind, facts);
  if (key === undefined) return prefix + id;
  const sorted = (key.order === 'newest' ? invertedTime : ascendingTime)(textOf(facts, time));
  return key.parent === undefined
    ? `${prefix}${sorted}/${id}`
    : `${prefix}${textOf(facts, key.parent)}/${sorted}/${id}`;
}

/** The key when it is the prefix and the id alone, so that a read needs no map from id to key; undefined otherwise. */
export function directKeyOf(kind: SyncedKind, id: string): string | undefined {
  const { prefix, key } = KINDS[kind];
  return key === undefined ? prefix + id : undefined;
}

/** Id in a replica key of the kind: the row's id, the user of a member, `space/memory` of a link. */
export function idOfKey(kind: SyncedKind, key: string): string {
  const { prefix, key: form } = KINDS[kind];
  return form === undefined ? key.slice(prefix.length) : key.slice(key.lastIndexOf('/') + 1);
}

const KIND_BY_PREFIX: ReadonlyMap<string, SyncedKind> = new Map(
  SYNCED_KINDS.map((kind) => [KINDS[kind].prefix, kind]),
);

/** Kind of a replica key, or undefined for control rows. */
export function kindOfKey(key: string): SyncedKind | undefined {
  // A prefix is a digit and a word, up to the second slash. Called for every row of a first load, so it is a single
  // look-up.
  return KIND_BY_PREFIX.get(key.slice(0, key.indexOf('/', 2) + 1));
}
