// Rows for tests of the replica: all of one person in one workspace, at times that can be counted.
import type { Head } from '#shared/entities.ts';
import { newId } from '#shared/ids.ts';
import { memoryRow as anyMemory, spaceRow as anySpace } from '#tests/support/rows.ts';

export const USER = newId('user');
export const WORKSPACE = newId('workspace');

/** A time counted in minutes from the start of 2026. */
export function minute(count: number): string {
  return new Date(Date.UTC(2026, 0, 1) + count * 60_000).toISOString();
}

const OWNED = {
  workspaceId: WORKSPACE,
  ownerId: USER,
  created: minute(0),
  updated: minute(0),
} as const;

/** A note in the workspace of these tests, without a text. */
export function memoryRow(fields: Partial<Head<'memory'>> = {}): Head<'memory'> {
  return anyMemory({ ...OWNED, origin: 'web', notes: null, bodyHash: null, bodyBytes: 0, ...fields });
}

/** A space of the same workspace. */
export function spaceRow(fields: Partial<Head<'space'>> = {}): Head<'space'> {
  return anySpace({ ...OWNED, ...fields });
}

export function memberRow(fields: Partial<Head<'workspace_member'>> = {}): Head<'workspace_member'> {
  return {
    id: newId('workspace_member'),
    workspaceId: WORKSPACE,
    userId: USER,
    invitedBy: null,
    position: 'owner',
    created: minute(0),
    updated: minute(0),
    forename: 'Ada',
    surname: null,
    username: null,
    ...fields,
  };
}

export function linkRow(spaceId: Head<'space'>['id'], memoryId: Head<'memory'>['id']): Head<'space_memory'> {
  return { workspaceId: WORKSPACE, spaceId, memoryId, createdBy: USER, created: minute(0) };
}

/** Given to the person of these tests. */
export function grantRow(fields: Pick<Head<'grant'>, 'resourceId' | 'level'>): Head<'grant'> {
  return {
    workspaceId: WORKSPACE,
    holder: USER,
    userId: USER,
    created: minute(0),
    createdBy: newId('user'),
    ...fields,
  };
}

export function threadRow(fields: Partial<Head<'thread'>> = {}): Head<'thread'> {
  return {
    id: newId('thread'),
    workspaceId: WORKSPACE,
    ownerId: USER,
    createdBy: USER,
    lastEditedBy: USER,
    name: 'A thread',
    summary: null,
    publicUntil: null,
    visibility: 'private',
    origin: 'web',
    created: minute(0),
    updated: minute(0),
    deletedAt: null,
    ...fields,
  };
}

export function messageRow(fields: Partial<Head<'message'>> = {}): Head<'message'> {
  return {
    id: newId('message'),
    workspaceId: WORKSPACE,
    threadId: newId('thread'),
    role: 'user',
    content: 'Hello',
    citations: [],
    replyTo: null,
    versionOf: null,
    rewrittenAt: null,
    createdBy: USER,
    createdAt: minute(0),
    ...fields,
  };
}
