// Imports the files that the notes of an archive show or link to, as memories of their own, and writes their addresses into the
// notes. Files come before the notes of an archive, so the memories are there when a note names them.
import { titleOfFilename } from '#shared/capture/file-title.ts';
import type { ImportJob, ImportProblem } from '#shared/capture/import-job.ts';
import { IMPORT } from '#shared/capture/limits.ts';
import { authorize } from '#shared/define/access.ts';
import { authoredBy } from '#shared/define/authored.ts';
import type { Head } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import { addressOf } from '#shared/hash.ts';
import { newId, type Id } from '#shared/ids.ts';
import { memoryAddress } from '#shared/markdown/file-links.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { NEW_MEMORY } from '#shared/memories/memory.ts';
import { clampTime } from '../db/run-mutation.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { rememberChanges } from './import-changes.ts';
import { earlierItems, type Importing, type Outcome } from './import-notes.ts';
import type { ImportNote } from './import-reading.ts';
import type { AttachedFile } from './imports/attached-file.ts';
import { queuePages } from './page-queue.ts';
import { storeUpload } from './upload-store.ts';

/** A file of the archive whose bytes are in the store. */
export interface StoredAttachment extends Omit<AttachedFile, 'bytes'> {
  uploadId: Id<'upload'>;
  bytes: number;
}

/**
 * Stores the bytes before any row refers to them: equal bytes are stored once, and files without a memory are cleaned up later.
 * A file for which there is no room is left out.
 */
export async function storeAttached(
  host: Parameters<typeof storeUpload>[0],
  { workspaceId, createdBy: userId }: Pick<ImportJob, 'workspaceId' | 'createdBy'>,
  attached: readonly AttachedFile[],
): Promise<{ stored: StoredAttachment[]; problems: ImportProblem[] }> {
  const stored: StoredAttachment[] = [];
  const problems: ImportProblem[] = [];
  for (const { bytes, ...file } of attached) {
    const { kind, path } = file;
    try {
      const given = { workspaceId, userId, kind, bytes: Buffer.from(bytes) };
      const uploadId = await storeUpload(host, given);
      stored.push({ ...file, uploadId, bytes: bytes.length });
    } catch (error) {
      // Anything but a full workspace passes: the job is tried again.
      if (!(error instanceof AppError)) throw error;
      if (error.code !== 'too_large') throw new Error(error.detail, { cause: error });
      problems.push({ path, reason: 'The files of this workspace take up all of its room', imported: false });
    }
  }
  return { stored, problems };
}

/** Makes a memory of each file that the workspace does not have yet. @throws forbidden */
export async function importAttached(
  tx: ServerTx,
  { host, actor, job }: Importing,
  files: readonly StoredAttachment[],
): Promise<Outcome> {
  const outcome: Outcome = { imported: 0, updatedCount: 0, unchanged: 0, problems: [] };
  if (files.length === 0) return outcome;
  authorize(actor, 'memory.create');
  const known = await knownFiles(tx, job, files);
  const byUpload = await memoriesOfUploads(tx, files);
  const added: Head<'memory'>[] = [];
  const items = new Map<string, ReturnType<typeof itemOf>>();
  const paths = new Map<string, string>();
  for (const file of files) {
    if (known.get(file.key) === file.hash) {
      outcome.unchanged += 1;
      continue;
    }
    let memoryId = byUpload.get(file.uploadId);
    if (memoryId === undefined) {
      const row = memoryOf(tx, { host, actor, job }, file);
      added.push(row);
      memoryId = row.id;
      byUpload.set(file.uploadId, memoryId);
      paths.set(memoryId, file.path);
      outcome.imported += 1;
    } else outcome.unchanged += 1;
    items.set(file.key, itemOf(job, file, memoryId));
  }
  await tx.insertMany('memory', added);
  const room = Math.max(0, IMPORT.pagesAtOnce - job.processed);
  await queuePages(
    host.jobs,
    tx,
    added.slice(0, room).map(({ id }) => id),
  );
  await storeItems(tx, [...items.values()]);
  await rememberChanges(
    tx,
    job,
    added.map(({ id, updated }) => ({
      kind: 'memory' as const,
      entityId: id,
      path: paths.get(id) ?? '',
      left: updated,
    })),
  );
  return outcome;
}

/** The content of each file that was imported from this archive before, unless that was undone. */
async function knownFiles(tx: ServerTx, job: ImportJob, files: readonly StoredAttachment[]) {
  const rows = await earlierItems(tx, job)
    .select(['import_item.path', 'import_item.contentHash'])
    .where('archive', '=', job.filename)
    .where(
      'path',
      'in',
      files.map(({ key }) => key),
    )
    .execute();
  return new Map(rows.map(({ path, contentHash }) => [path, contentHash]));
}

/** Memories of the same bytes that every member reads; one in a private space must not surface in a note. */
async function memoriesOfUploads(tx: ServerTx, files: readonly StoredAttachment[]) {
  const rows = await tx.trx
    .selectFrom('memory')
    .select(['id', 'uploadId'])
    .where('workspaceId', '=', tx.realmId as Id<'workspace'>)
    .where('type', '=', 'file')
    .where(
      'uploadId',
      'in',
      files.map(({ uploadId }) => uploadId),
    )
    .where('spaceId', 'is', null)
    .where('deletedAt', 'is', null)
    .orderBy('created', 'desc')
    .orderBy('id')
    .execute();
  // The last one is the oldest and is used.
  return new Map<string, Id<'memory'>>(
    rows.flatMap(({ id, uploadId }) => (uploadId === null ? [] : [[uploadId, id]])),
  );
}

function memoryOf(
  { now }: ServerTx,
  { actor, job }: Importing,
  { filename, uploadId, bytes, created }: StoredAttachment,
): Head<'memory'> {
  return {
    ...NEW_MEMORY,
    ...authoredBy(actor.userId, job.workspaceId, clampTime(created, now)),
    ...bodyFields(null),
    id: newId('memory'),
    type: 'file',
    origin: 'import',
    contentStatus: 'pending',
    metadata: { bytes },
    title: titleOfFilename(filename),
    filename,
    uploadId,
  };
}

function itemOf(
  { workspaceId, filename: archive }: ImportJob,
  { key: path, hash: contentHash }: StoredAttachment,
  memoryId: Id<'memory'>,
) {
  return { workspaceId, archive, path, part: 0, contentHash, bodyHash: null, memoryId, undone: false };
}

async function storeItems(tx: ServerTx, rows: readonly ReturnType<typeof itemOf>[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.trx
    .insertInto('import_item')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'archive', 'path', 'part']).doUpdateSet((set) => ({
        contentHash: set.ref('excluded.contentHash'),
        memoryId: set.ref('excluded.memoryId'),
        undone: set.ref('excluded.undone'),
      })),
    )
    .execute();
}

/** The notes with the addresses of their files; where a file was not imported, its link text stays. */
export async function linkFiles(
  tx: ServerTx,
  { workspaceId, filename }: ImportJob,
  notes: readonly ImportNote[],
): Promise<ImportNote[]> {
  const keys = new Set(notes.flatMap(({ files }) => files.map(({ key }) => key)));
  if (keys.size === 0) return [...notes];
  const rows = await tx.trx
    .selectFrom('import_item')
    .select(['path', 'memoryId'])
    .where('workspaceId', '=', workspaceId)
    .where('archive', '=', filename)
    .where('path', 'in', [...keys])
    .execute();
  const memories = new Map(rows.map(({ path, memoryId }) => [path, memoryId]));
  return notes.map((note) => linked(note, memories));
}

function linked(note: ImportNote, memories: ReadonlyMap<string, Id<'memory'>>): ImportNote {
  const { files, body } = note;
  if (files.length === 0 || body.notes === null) return note;
  let text = body.notes;
  const missing: string[] = [];
  for (const { key, written, label, isShown } of files) {
    if (!text.includes(written)) continue;
    const id = memories.get(key);
    if (id === undefined) missing.push(key);
    const link = id === undefined ? `*${label}*` : `${isShown ? '!' : ''}[${label}](${memoryAddress(id)})`;
    text = text.replaceAll(written, () => link);
  }
  // When the file is imported later, the note counts as changed.
  const contentHash =
    missing.length === 0 ? note.contentHash : addressOf(JSON.stringify([note.contentHash, ...missing])).hash;
  return { ...note, contentHash, body: bodyFields(text) };
}
