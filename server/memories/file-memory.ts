// Memories of uploaded files: one memory for equal files, as far as its reader may change it.
import { LIMITS } from '#shared/constants.ts';
import { requireRow } from '#shared/define/access.ts';
import type { Id } from '#shared/ids.ts';
import { mergeNotes } from '#shared/memories/body.ts';
import { can } from '#shared/permissions.ts';
import { readMemorySubject } from '#shared/spaces/granted-subject.ts';
import { isOpenHome } from '#shared/subject.ts';
import { queuePage, storeUpload } from '../capture/service.ts';
import type { Context } from '../context.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { writeAs, type Writing } from '../http/write.ts';
import { completed } from './duplicates.ts';
import { saveMemory, type NewMemory } from './save-memory.ts';
import { requireSaving } from './saving-right.ts';
import { readableMemories } from './store.ts';
import type { FileToStore } from './uploaded-note.ts';
import { readerIn, type WorkspaceReader } from '../sync/readable.ts';

export interface StoredFile {
  workspaceId: Id<'workspace'>;
  uploadId: Id<'upload'>;
  filename: string;
  bytes: number;
}

interface FileOfMemory {
  stored: FileToStore;
  spaceId: NewMemory['spaceId'];
}

/** Stores the bytes before any row refers to them. @throws forbidden, too_large */
export async function storeFile(
  context: Context,
  reader: WorkspaceReader,
  { stored, spaceId }: FileOfMemory,
): Promise<StoredFile> {
  const { userId, workspaceId } = reader;
  await writeAs(context, readerIn(reader), (writing) => requireSaving(writing, spaceId));
  const { filename, kind, bytes } = stored;
  const uploadId = await storeUpload(context, { workspaceId, userId, kind, bytes });
  return { workspaceId, filename, uploadId, bytes: bytes.length };
}

/**
 * Saves the memory of a file and queues the extraction of its text, or adds to the memory that has the file unless a
 * separate one is wanted.
 */
export async function saveFile(
  writing: Writing,
  given: NewMemory,
  { jobs, file, separate }: { jobs: Pick<JobQueue, 'enqueue'>; file: StoredFile; separate: boolean },
): Promise<{ id: Id<'memory'>; duplicate: boolean }> {
  const { tx } = writing;
  const { uploadId, filename, bytes } = file;
  if (given.id !== undefined && (await tx.get('memory', given.id)) !== undefined) {
    return { id: given.id, duplicate: false };
  }
  const known = separate ? undefined : await findDuplicate(writing, given, file);
  if (known !== undefined) {
    await addToDuplicate(writing, known, given);
    return { id: known, duplicate: true };
  }
  const saved = await saveMemory(writing, given);
  await tx.update('memory', saved.id, {
    type: 'file',
    contentStatus: 'pending',
    uploadId,
    filename,
    metadata: { bytes },
  });
  await queuePage(jobs, tx, saved.id);
  return saved;
}

/** The oldest memory of the same file that the person may change. */
async function findDuplicate(
  { tx, actor }: Writing,
  given: NewMemory,
  { workspaceId, uploadId }: StoredFile,
): Promise<Id<'memory'> | undefined> {
  const person = await actor();
  const found = await readableMemories(tx.trx, {
    userId: person.userId,
    workspaceId,
    spaceIds: tx.actor.spaceIds,
  })
    .select(['memory.id', 'memory.ownerId', 'memory.spaceId', 'memory.notes'])
    .where('memory.uploadId', '=', uploadId)
    .orderBy('memory.created')
    .executeTakeFirst();
  if (found === undefined) return undefined;
  if (!can(person, 'memory.update', await readMemorySubject(tx, person, found))) return undefined;
  // A memory in a private space must not surface where others read.
  if (given.spaceId !== undefined && given.spaceId !== null && given.spaceId !== found.spaceId) {
    const home = await tx.get('space', given.spaceId);
    if (home !== undefined && !isOpenHome(home)) return undefined;
  }
  const both = (found.notes?.length ?? 0) + (given.notes?.length ?? 0);
  return both > LIMITS.notes - 200 ? undefined : found.id;
}

async function addToDuplicate({ tx, at, apply }: Writing, id: Id<'memory'>, given: NewMemory): Promise<void> {
  const row = requireRow(await tx.get('memory', id), 'Memory');
  const { title, description } = completed(row, { ...given, tags: given.tags });
  await apply('memory.update', { id, at, archived: false, title, description });
  if (given.tags.length > 0) await apply('memory.add_tags', { id, at, tags: given.tags });
  if (given.notes !== null && !row.notes?.includes(given.notes)) {
    const notes = row.notes === null ? given.notes : mergeNotes(given.notes, row.notes, at);
    await apply('memory.set_notes', { id, at, notes, baseHash: row.bodyHash });
  }
  if (given.spaceId) await apply('space_memory.create', { spaceId: given.spaceId, memoryId: id, at });
}
