// Capture as other features use it: uploads, queued extraction, and imports (accept an archive, report progress). The work
// itself is in capture-page.ts and import-run.ts.
import { sql } from 'kysely';
import { FORMAT_HEAD, formatOfText } from '#shared/capture/import-formats.ts';
import { importJob, type ImportJob, type ImportProblem } from '#shared/capture/import-job.ts';
import { IMPORT } from '#shared/capture/limits.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { writeOnce } from '../db/idempotency-log.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { ArchiveBytes } from './archive-bytes.ts';
import { isNote } from './imports/markdown.ts';
import { unknownExport } from './imports/formats.ts';
import { headOf, isZip } from './imports/upload.ts';
import { readMarkdownNote, type MarkdownNote } from './markdown-note.ts';
import { sentBytes, dropArchive, takeArchive, type SentArchive } from './stored-archive.ts';

export { fileKey, findUpload, hashOf, storeUpload } from './upload-store.ts';
export { endUpload, readWhole, senderOf, type UploadOf } from './partial-upload.ts';
export { findPreview } from './preview-store.ts';
export { findSiteIcon } from './site-icons.ts';
export { signFileAddress } from './signed-address.ts';
export { queuePage } from './page-queue.ts';
export { readSeenPage, storeSeenPage, type SeenPage } from './seen-page.ts';
export { addFile } from './exports/archive-file.ts';
export { createNames } from './exports/archive-names.ts';
export { createZip, type ZipWriter } from './exports/zip-writer.ts';
export { SNAPSHOT_POLICY } from './snapshots/snapshot-schema.ts';

const ZIP_NAME = /\.zip$/i;
const ZIP_END = Buffer.from('PK\u0005\u0006', 'latin1');
/** The end of a zip with the longest comment. */
const ZIP_END_BYTES = 22 + 0xffff;

export interface ImportOrder {
  workspaceId: Id<'workspace'>;
  userId: Id<'user'>;
  filename: string;
  folders: ImportJob['folders'];
  /** New spaces that may be made without asking; any number when left out. */
  spacesMax?: number | undefined;
}

/** Stores the archive and its job in one transaction; the import begins a moment later. @throws invalid, not_found, conflict */
export async function startImport(
  { db, clock, idempotencyLog }: Pick<Context, 'db' | 'clock' | 'idempotencyLog'>,
  jobs: JobQueue,
  order: ImportOrder,
  sent: SentArchive,
): Promise<ImportJob> {
  const { userId, ...given } = order;
  const total = await countEntries(order.filename, await sentBytes({ db, clock }, sent));
  const now = clock.now().toISOString();
  const { id } = await writeOnce(idempotencyLog, (store) =>
    db.transaction().execute(async (trx) => {
      const id = newId('upload');
      await trx
        .insertInto('import_job')
        .values({
          ...given,
          id,
          createdBy: userId,
          status: 'pending',
          total,
          problems: '[]',
          created: now,
          updated: now,
        })
        .execute();
      await takeArchive(trx, { ...order, id, now: clock.now() }, sent);
      await jobs.enqueue(trx, 'import.run', { importId: id }, { group: order.workspaceId });
      await store(trx, { id });
      return { id };
    }),
  );
  return getImport(db, order.workspaceId, id);
}

/**
 * Files of a zip; 0 for a single file, whose items are counted when it is read.
 * @throws invalid for what is neither a zip nor an export that is known; too_large
 */
async function countEntries(filename: string, upload: ArchiveBytes): Promise<number> {
  const start = await upload.read(0, Math.min(upload.size, FORMAT_HEAD));
  if (isZip(start)) {
    const last = await upload.read(Math.max(0, upload.size - ZIP_END_BYTES), upload.size);
    const end = last.lastIndexOf(ZIP_END);
    if (end >= 0 && end + 12 <= last.length) return last.readUInt16LE(end + 10);
  } else if (upload.size > IMPORT.maxWholeBytes) {
    throw new AppError('too_large', `file: No zip, and larger than ${IMPORT.maxWholeBytes / 1024 / 1024} MB`);
  } else {
    const head = headOf(start);
    if (formatOfText(head) !== undefined || (isNote(filename) && !head.includes('\u0000'))) return 0;
  }
  if (isZip(start) || ZIP_NAME.test(filename)) {
    throw new AppError('invalid', 'file: This is not a zip archive that can be read');
  }
  throw unknownExport();
}

const SHOWN = importJob.keyof().options;

/** @throws not_found when the workspace has no such import */
export async function getImport(
  db: Database,
  workspaceId: Id<'workspace'>,
  id: Id<'upload'>,
): Promise<ImportJob> {
  return db
    .selectFrom('import_job')
    .select(SHOWN)
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow(importNotFound);
}

/** The one answer for an import that is not there and for one that is another member's. */
export function importNotFound(): AppError {
  return new AppError('not_found', 'Import not found');
}

type ImportAddress = Pick<ImportJob, 'workspaceId' | 'id'>;

/** Ends an import and deletes its archive. */
export async function endImport(
  db: Database,
  { workspaceId, id: importId }: ImportAddress,
  end: { status: 'completed' | 'failed'; error: string | null; now: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await dropArchive(trx, { workspaceId, id: importId });
    await trx
      .updateTable('import_job')
      .set({
        status: end.status,
        error: end.error,
        updated: end.now.toISOString(),
        undo: sql`case when exists (select 1 from "import_change" c
          where c."workspaceId" = ${workspaceId} and c."importId" = ${importId})
          then 'possible' else 'impossible' end`,
      })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', importId)
      .execute();
  });
}

/** Starts undoing an import; idempotent. @throws conflict while it runs, and when it changed nothing */
export async function startUndo(
  { db, clock, idempotencyLog }: Pick<Context, 'db' | 'clock' | 'idempotencyLog'>,
  jobs: Pick<JobQueue, 'enqueue'>,
  { workspaceId, id }: Pick<ImportJob, 'workspaceId' | 'id'>,
  userId: Id<'user'>,
): Promise<ImportJob> {
  await writeOnce(idempotencyLog, (store) =>
    db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('import_job')
        .set({ undo: 'running', updated: clock.now().toISOString() })
        .where('id', '=', id)
        .where('workspaceId', '=', workspaceId)
        .where('undo', '=', 'possible')
        .executeTakeFirst();
      if (numUpdatedRows === 1n)
        await jobs.enqueue(trx, 'import.undo', { importId: id, userId }, { group: workspaceId });
      await store(trx, { id });
      return { id };
    }),
  );
  const job = await getImport(db, workspaceId, id);
  if (job.undo !== 'impossible') return job;
  const isOver = job.status === 'completed' || job.status === 'failed';
  throw new AppError(
    'conflict',
    isOver ? 'This import changed nothing that can be undone' : 'The import is not finished yet',
  );
}

export interface ImportProgress {
  /** Items in the whole export. */
  total: number;
  processed: number;
  imported: number;
  updatedCount: number;
  unchanged: number;
  problems: ImportProblem[];
}

/**
 * Adds a chunk's counts inside the chunk's own transaction, so a killed server continues exactly after it.
 * @throws when the job is not at the position that the caller expects, so that two runs of it cannot write the same files
 */
export async function recordProgress(
  db: Database,
  { workspaceId, id, processed }: Pick<ImportJob, 'workspaceId' | 'id' | 'processed'>,
  progress: ImportProgress,
  now: Date,
): Promise<void> {
  const { numAffectedRows } = await sql`update "import_job" set
      "status" = 'running',
      "total" = ${progress.total},
      "processed" = "processed" + ${progress.processed},
      "imported" = "imported" + ${progress.imported},
      "updatedCount" = "updatedCount" + ${progress.updatedCount},
      "unchanged" = "unchanged" + ${progress.unchanged},
      "problems" = "problems" || ${JSON.stringify(progress.problems)}::jsonb,
      "updated" = ${now.toISOString()}
    where "workspaceId" = ${workspaceId} and "id" = ${id} and "processed" = ${processed}`.execute(db);
  if (numAffectedRows !== 1n) throw new Error(`Import ${id} is being run twice`);
}

/** One text file as a note: front matter, title, tags and text, as an import reads it. */
export function readNoteFile(filename: string, text: string): MarkdownNote {
  return readMarkdownNote({ path: filename, text, modified: new Date(0).toISOString() }, false);
}
