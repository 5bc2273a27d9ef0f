/** Memories as REST saves them: several mutations in one transaction, and a page that is saved twice is one memory. */
import { requireRow } from '#shared/define/access.ts';
import type { BodyOf } from '#shared/define/endpoint.ts';
import { isId, newId, type Id } from '#shared/ids.ts';
import type { memoryEndpoints } from '#shared/memories/endpoints.ts';
import type { Memory } from '#shared/memories/memory.ts';
import type { Writing } from '../http/write.ts';

export type NewMemory = Pick<Memory, 'title' | 'description' | 'url' | 'notes' | 'tags' | 'archived'> &
  Partial<Pick<Memory, 'id' | 'spaceId' | 'origin'>> & {
    /** When it was saved elsewhere. */
    created?: string;
  };

/** Saves a memory, or brings it into the one that has the same page. @throws forbidden, not_found, conflict */
export async function saveMemory(
  { apply, at }: Writing,
  given: NewMemory,
): Promise<{ id: Id<'memory'>; duplicate: boolean }> {
  const {
    id = newId('memory'),
    origin = given.url === null ? 'manual_entry' : 'web',
    created = at,
    ...rest
  } = given;
  const duplicate = await apply('memory.create', { ...rest, id, origin, at: created });
  return isId('memory', duplicate) ? { id: duplicate, duplicate: true } : { id, duplicate: false };
}

/** Fields that a client may set; those left out stay as they are. */
export type MemoryChange = BodyOf<(typeof memoryEndpoints)['memory.update']>;

/** Changes a memory through the mutators that replicas use. @throws not_found, forbidden */
export async function changeMemory(
  { tx, at, apply }: Writing,
  id: Id<'memory'>,
  change: MemoryChange,
): Promise<void> {
  const row = requireRow(await tx.get('memory', id), 'Memory');
  const { title, description, url, archived, notes, tags } = change;
  await apply('memory.update', { id, at, title, description, url, archived });
  if (notes !== undefined) await apply('memory.set_notes', { id, at, notes, baseHash: row.bodyHash });
  const dropped = tags === undefined ? [] : row.tags.filter((tag) => !tags.includes(tag));
  if (dropped.length > 0) await apply('memory.remove_tags', { id, at, tags: dropped });
  if (tags !== undefined && tags.length > 0) await apply('memory.add_tags', { id, at, tags });
  if (change.contentStatus === 'pending') await apply('memory.retry', { id, at });
  if (change.spaceId !== undefined && change.spaceId !== row.spaceId) {
    await apply('memory.move', { id, at, spaceId: change.spaceId });
  }
}
