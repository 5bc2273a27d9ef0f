// All entities collected, the kinds that replicas hold, and the transaction interface that the client's replica and the
// server's database both implement. Mutators use no other storage.
import type { RowOf } from './define/entity.ts';
import { session } from './accounts/session.ts';
import { user } from './accounts/user.ts';
import { apiKey } from './api-keys/api-key.ts';
import { memory, memoryHead } from './memories/memory.ts';
import { notification } from './notifications/notification.ts';
import { oauthClient } from './oauth/oauth-client.ts';
import { grant } from './spaces/grant.ts';
import { spaceMemory } from './spaces/space-memory.ts';
import { sidebar } from './spaces/sidebar.ts';
import { space } from './spaces/space.ts';
import { message } from './threads/message.ts';
import { thread } from './threads/thread.ts';
import { invite } from './workspaces/invite.ts';
import { memberHead, workspaceMember } from './workspaces/workspace-member.ts';
import { workspace } from './workspaces/workspace.ts';

export const ENTITIES = {
  user,
  session,
  workspace,
  workspace_member: workspaceMember,
  invite,
  api_key: apiKey,
  oauth_client: oauthClient,
  memory,
  space,
  space_memory: spaceMemory,
  grant,
  sidebar,
  thread,
  message,
  notification,
} as const;

export type EntityKind = keyof typeof ENTITIES;
export type Row<K extends EntityKind> = RowOf<(typeof ENTITIES)[K]>;

/** Kinds that replicas hold, with the schema of the synced part (the head); order is bootstrap priority. */
export const SYNCED = {
  workspace: workspace.row,
  workspace_member: memberHead,
  grant: grant.row,
  sidebar: sidebar.row,
  space: space.row,
  thread: thread.row,
  memory: memoryHead,
  space_memory: spaceMemory.row,
  notification: notification.row,
  message: message.row,
} as const;

export type SyncedKind = keyof typeof SYNCED;
/** A synced row as replicas hold it. */
export type Head<K extends SyncedKind> = (typeof SYNCED)[K]['_output'];

const DEFAULTS: ReadonlyMap<string, object> = new Map(
  Object.values(ENTITIES)
    .filter(({ defaults }) => Object.keys(defaults).length > 0)
    .map(({ kind, defaults }) => [kind, defaults]),
);

/** The row with the defaults of the fields that it is older than. */
export function withDefaults<T extends object>(kind: SyncedKind, row: T): T {
  const defaults = DEFAULTS.get(kind);
  if (defaults === undefined || Object.keys(defaults).every((field) => field in row)) return row;
  return { ...defaults, ...row };
}
