// One row per synced kind: all its properties except the schema. Replica keys, realms, orders, tables, readers and dependants
// derive from this table. It holds no schema, so that views can use it before zod is loaded.
import type { Head, SyncedKind } from './entities.ts';

type Column<K extends SyncedKind> = keyof Head<K> & string;

/** Who has a row of the kind in their replica: `person` is the one of its `userId`, and `computed` needs facts of other rows (server/sync/readers/edges.ts). */
export type Readers = 'workspace' | 'person' | 'visibility' | 'thread' | 'computed';

export interface KindRow<K extends SyncedKind> {
  /** First part of every replica key. Pages are sent in key order, so the digit is the bootstrap priority. */
  prefix: `${number}/${string}/`;
  /** Column that names the realm of a row: the workspace, or the user of an account realm. */
  realm: Column<K> & ('id' | 'workspaceId' | 'userId');
  /** Columns of the id by which mutators and the feed name a row inside its realm, joined by a slash. */
  id: readonly Column<K>[];
  time: Column<K> & ('created' | 'createdAt');
  /** Part of the key between prefix and id: the id of a parent, then a time that sorts newest or oldest first. */
  key?: { parent?: Column<K>; order: 'newest' | 'oldest' };
  readers: Readers;
  /** No mutation is about it: the server alone writes its rows. */
  writtenByServer?: true;
  /** Columns whose change moves other rows between audiences. */
  decides?: readonly Column<K>[];
  /** Columns of type jsonb. */
  json?: readonly Column<K>[];
  /** Fields of the head that come from the table of users. */
  joined?: readonly Column<K>[];
}

const TABLE = {
  workspace: {
    prefix: '1/ws/',
    realm: 'id',
    id: ['id'],
    time: 'created',
    readers: 'computed',
    decides: ['deletedAt', 'domain'],
  },
  workspace_member: {
    prefix: '1/mb/',
    realm: 'workspaceId',
    id: ['userId'],
    time: 'created',
    readers: 'workspace',
    writtenByServer: true,
    joined: ['forename', 'surname', 'username'],
  },
  grant: {
    prefix: '1/gr/',
    realm: 'workspaceId',
    id: ['resourceId', 'holder'],
    time: 'created',
    readers: 'computed',
    decides: ['userId'],
  },
  sidebar: {
    prefix: '1/sb/',
    realm: 'workspaceId',
    id: ['userId'],
    time: 'created',
    readers: 'person',
  },
  space: {
    prefix: '2/s/',
    realm: 'workspaceId',
    id: ['id'],
    time: 'created',
    readers: 'visibility',
    decides: ['visibility', 'ownerId', 'deletedAt'],
  },
  thread: {
    prefix: '3/t/',
    realm: 'workspaceId',
    id: ['id'],
    time: 'created',
    key: { order: 'newest' },
    readers: 'visibility',
    decides: ['visibility', 'ownerId', 'deletedAt'],
  },
  memory: {
    prefix: '4/m/',
    realm: 'workspaceId',
    id: ['id'],
    time: 'created',
    key: { order: 'newest' },
    readers: 'computed',
    decides: ['spaceId', 'ownerId'],
    json: ['metadata'],
  },
  space_memory: {
    prefix: '5/sm/',
    realm: 'workspaceId',
    id: ['spaceId', 'memoryId'],
    time: 'created',
    readers: 'computed',
  },
  notification: {
    prefix: '6/n/',
    realm: 'userId',
    id: ['id'],
    time: 'created',
    key: { order: 'newest' },
    readers: 'person',
    json: ['metadata'],
  },
  message: {
    prefix: '7/g/',
    realm: 'workspaceId',
    id: ['id'],
    time: 'createdAt',
    key: { parent: 'threadId', order: 'oldest' },
    readers: 'thread',
    json: ['citations'],
  },
} as const satisfies { [K in SyncedKind]: KindRow<K> };

export const KINDS: { readonly [K in SyncedKind]: KindRow<K> } = TABLE;

type Columns<T> = T extends { id: readonly (infer C)[]; time: infer D }
  ? C | (T extends { key: object } ? D : never) | (T extends { key: { parent: infer P } } ? P : never)
  : never;

/** The immutable columns in the replica key of a row; every head has them. */
export type KeyFacts<K extends SyncedKind> = Pick<Head<K>, Columns<(typeof TABLE)[K]> & keyof Head<K>>;

/** Kinds whose readers need facts of other rows. */
export type ComputedKind = {
  [K in SyncedKind]: (typeof TABLE)[K]['readers'] extends 'computed' ? K : never;
}[SyncedKind];

/** Kinds that people write: at least one mutation is named after each (shared/mutators.ts). */
export type MutableKind = {
  [K in SyncedKind]: (typeof TABLE)[K] extends { writtenByServer: true } ? never : K;
}[SyncedKind];

/** Columns of a kind that are of type jsonb. */
export type JsonColumn<K extends string> = K extends SyncedKind
  ? (typeof TABLE)[K] extends { json: readonly (infer C)[] }
    ? C
    : never
  : never;

/** The kinds in order of bootstrap priority. */
export const SYNCED_KINDS = Object.keys(KINDS) as readonly SyncedKind[];

export function isSyncedKind(kind: string): kind is SyncedKind {
  return Object.hasOwn(KINDS, kind);
}

/** Kinds whose lists a page reads from the account realm; all others come from the open workspace. */
export function livesInAccount(kind: SyncedKind): boolean {
  return KINDS[kind].realm !== 'workspaceId';
}

/** A column of a row as text; dates and ids are texts in every head. */
export function textOf(row: object, column: string): string {
  return String((row as Readonly<Record<string, unknown>>)[column]);
}

/** Id of a row inside its realm, as mutators and the feed name it. */
export function entityIdOf(kind: SyncedKind, row: object): string {
  const { id } = KINDS[kind];
  const [only] = id;
  return id.length === 1 && only !== undefined
    ? textOf(row, only)
    : id.map((column) => textOf(row, column)).join('/');
}
