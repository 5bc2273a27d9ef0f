// Replica keys (SYNC section 5). The leading digit is the bootstrap priority, because pages are sent in key order;
// the inverted time puts newest first, because Replicache scans only run forward.
import type { Head, SyncedKind } from '../entities.ts';

/** First part of every key of a kind. */
export const KEY_PREFIX = {
  workspace: '1/ws/',
  workspace_member: '1/mb/',
  space: '2/s/',
  thread: '3/t/',
  memory: '4/m/',
  space_memory: '5/sm/',
  notification: '6/n/',
  message: '7/g/',
} as const satisfies Record<SyncedKind, string>;

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

/** The immutable fields that a key is made of. */
interface KeyFields {
  workspace: 'id';
  workspace_member: 'userId';
  space: 'id';
  thread: 'id' | 'created';
  memory: 'id' | 'created';
  space_memory: 'spaceId' | 'memoryId';
  notification: 'id' | 'created';
  message: 'id' | 'threadId' | 'createdAt';
}

/** What keyOf needs to know of a row; every head has it. */
export type KeyFacts<K extends SyncedKind> = Pick<Head<K>, KeyFields[K] & keyof Head<K>>;

const KEYS: { [K in SyncedKind]: (facts: KeyFacts<K>) => string } = {
  workspace: (row) => row.id,
  workspace_member: (row) => row.userId,
  space: (row) => row.id,
  thread: (row) => `${invertedTime(row.created)}/${row.id}`,
  memory: (row) => `${invertedTime(row.created)}/${row.id}`,
  space_memory: (row) => `${row.spaceId}/${row.memoryId}`,
  notification: (row) => `${invertedTime(row.created)}/${row.id}`,
  message: (row) => `${row.threadId}/${ascendingTime(row.createdAt)}/${row.id}`,
};

/** The replica key of a row; it never changes, because created times and ids never change. */
export function keyOf<K extends SyncedKind>(kind: K, facts: KeyFacts<K>): string {
  return `${KEY_PREFIX[kind]}${KEYS[kind](facts)}`;
}

/** Kinds whose key is the prefix and the id alone, so that a read needs no map from id to key. */
export const DIRECT_KEY_KINDS: ReadonlySet<SyncedKind> = new Set([
  'workspace',
  'workspace_member',
  'space',
  'space_memory',
]);

/** Id that a replica key of the kind carries: the row's id, the user of a member, `space/memory` of a link. */
export function idOfKey(kind: SyncedKind, key: string): string {
  const rest = key.slice(KEY_PREFIX[kind].length);
  return DIRECT_KEY_KINDS.has(kind) ? rest : rest.slice(rest.lastIndexOf('/') + 1);
}

/** Id of a row as mutators name it. */
export function entityIdOf<K extends SyncedKind>(kind: K, facts: KeyFacts<K>): string {
  return idOfKey(kind, keyOf(kind, facts));
}

const KIND_BY_PREFIX: ReadonlyMap<string, SyncedKind> = new Map(
  Object.keys(KEY_PREFIX)
    .filter(isSyncedKind)
    .map((kind) => [KEY_PREFIX[kind], kind]),
);

/** Kind of a replica key, or undefined for control rows. */
export function kindOfKey(key: string): SyncedKind | undefined {
  // A prefix is a digit and a word: up to the second slash. Called for every row of a first load, so it looks once.
  return KIND_BY_PREFIX.get(key.slice(0, key.indexOf('/', 2) + 1));
}

function isSyncedKind(kind: string): kind is SyncedKind {
  return Object.hasOwn(KEY_PREFIX, kind);
}
