// Complete rows for tests that need no database: every field has a sensible value and any may be overridden.
import type { Head } from '#shared/entities.ts';
import { newId } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { memory } from '#shared/memories/memory.ts';
import { space } from '#shared/spaces/space.ts';

const TIME = '2026-11-21T09:30:00.000Z';

/** A note. */
export function memoryRow(given: Partial<Head<'memory'>> = {}): Head<'memory'> {
  const ownerId = given.ownerId ?? newId('user');
  return {
    ...memory.defaults,
    id: newId('memory'),
    workspaceId: newId('workspace'),
    ownerId,
    createdBy: ownerId,
    lastEditedBy: ownerId,
    spaceId: null,
    type: 'note',
    origin: 'manual_entry',
    contentStatus: 'completed',
    metadata: {},
    title: 'A note',
    description: null,
    summary: null,
    url: null,
    tags: [],
    screenshot: null,
    filename: null,
    uploadId: null,
    archived: false,
    created: TIME,
    updated: TIME,
    deletedAt: null,
    ...bodyFields('Text of the note'),
    ...given,
  };
}

/** A space that the workspace reads. */
export function spaceRow(given: Partial<Head<'space'>> = {}): Head<'space'> {
  const ownerId = given.ownerId ?? newId('user');
  return {
    ...space.defaults,
    id: newId('space'),
    workspaceId: newId('workspace'),
    ownerId,
    createdBy: ownerId,
    lastEditedBy: ownerId,
    name: 'A space',
    slug: 'a-space',
    created: TIME,
    updated: TIME,
    deletedAt: null,
    ...given,
  };
}
