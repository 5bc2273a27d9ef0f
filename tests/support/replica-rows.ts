// Rows for tests of the replica: complete heads with what a test cares about put in.
import type { Head } from '#shared/entities.ts';
import { newId } from '#shared/ids.ts';

export const USER = newId('user');
export const WORKSPACE = newId('workspace');

/** A time counted in minutes from the start of 2026. */
export function minute(count: number): string {
  return new Date(Date.UTC(2026, 0, 1) + count * 60_000).toISOString();
}

export function memoryRow(fields: Partial<Head<'memory'>> = {}): Head<'memory'> {
  return {
    id: newId('memory'),
    workspaceId: WORKSPACE,
    ownerId: USER,
    createdBy: USER,
    lastEditedBy: USER,
    spaceId: null,
    type: 'note',
    origin: 'web',
    contentStatus: 'completed',
    metadata: {},
    title: 'A note',
    description: null,
    summary: null,
    url: null,
    notes: null,
    bodyHash: null,
    bodyBytes: 0,
    tags: [],
    screenshot: null,
    filename: null,
    uploadId: null,
    archived: false,
    created: minute(0),
    updated: minute(0),
    deletedAt: null,
    ...fields,
  };
}

export function spaceRow(fields: Partial<Head<'space'>> = {}): Head<'space'> {
  return {
    id: newId('space'),
    workspaceId: WORKSPACE,
    ownerId: USER,
    createdBy: USER,
    lastEditedBy: USER,
    name: 'A space',
    description: null,
    color: 'emerald',
    cover: 'none',
    slug: 'a-space',
    origin: 'web',
    visibility: 'workspace',
    created: minute(0),
    updated: minute(0),
    deletedAt: null,
    ...fields,
  };
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

export function messageRow(fields: Partial<Head<'message'>> = {}): Head<'message'> {
  return {
    id: newId('message'),
    workspaceId: WORKSPACE,
    threadId: newId('thread'),
    role: 'user',
    content: 'Hello',
    createdBy: USER,
    createdAt: minute(0),
    ...fields,
  };
}
