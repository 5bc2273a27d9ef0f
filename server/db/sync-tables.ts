// Kysely types of the sync tables: the feed, who reads it, and what the clients of replicas have sent.
import type { ColumnType, Generated } from 'kysely';
import type { Id } from '#shared/ids.ts';

export interface SyncRealmTable {
  realmId: string;
  version: Generated<number>;
  minVersion: Generated<number>;
  epoch: Generated<string>;
  /** When the version was last increased. */
  updated: Generated<string>;
}

export interface SyncVersionMarkTable {
  realmId: string;
  at: string;
  version: number;
}

export interface SyncSettingTable {
  name: string;
  value: string;
}

export interface SyncAudienceMemberTable {
  realmId: string;
  audienceId: string;
  userId: string;
}

export interface SyncEntryTable {
  audienceId: string;
  key: string;
  realmId: string;
  kind: string;
  entityId: string;
  ver: number;
  live: boolean;
  born: number;
  /** When the present or last life began and the one before it ended; null while there was only one. */
  since: Generated<number | null>;
  gone: Generated<number | null>;
}

export interface SyncClientGroupTable {
  id: string;
  userId: string;
  realmId: string;
  schemaVersion: string;
  lastSeen: string;
}

export interface SyncClientTable {
  id: string;
  clientGroupId: string;
  lastMutationId: number;
  ver: number;
  lastSeen: string;
}

export interface SyncMutationResultTable {
  clientId: string;
  mutationId: number;
  userId: string;
  realmId: string;
  workspaceId: string | null;
  name: string;
  args: ColumnType<unknown, string, string>;
  code: string;
  message: string;
  created: string;
}

export interface SyncMutationAttemptTable {
  clientId: string;
  mutationId: number;
  attempts: number;
  firstAt: string;
  lastAt: string;
  lastError: string;
}

export interface GrantMailTable {
  workspaceId: Id<'workspace'>;
  resourceId: string;
  email: string;
  sentBy: Id<'user'>;
  sent: string;
}

export interface SyncSpaceAudienceTable {
  spaceId: string;
  realmId: string;
  hasOutside: Generated<boolean>;
}

export interface SyncWindowTable {
  realmId: string;
  userId: string;
  threadId: string;
  openedVer: number;
  openedAt: string;
}
