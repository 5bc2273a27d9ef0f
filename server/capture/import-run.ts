// Runs one import: reads the archive, turns files into notes, writes them in chunks. It may be called again after a
// crash: the number of processed files is part of each chunk's transaction, and it continues behind that number.
import { IMPORT, LIMITS } from '#shared/constants.ts';
import { readFileText } from '#shared/capture/file-text.ts';
import { IMPORT_PROBLEMS_MAX, type ImportJob } from '#shared/capture/import-job.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { actorIn } from '../db/run-mutation.ts';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';
import { notify } from '../notifications/service.ts';
import { readArchive, type ArchiveFile, type ArchiveRefusal } from './archive.ts';
import { importNotes, type ImportNote } from './import-notes.ts';
import { readMarkdownNote, splitLongNotes } from './markdown-note.ts';
import { endImport, readStoredArchive, recordProgress, type ImportProgress } from './service.ts';

/** What the job needs of the server. */
export type ImportHost = WriteContext;

const WANTED = /\.(md|markdown|mdown|txt)$/i;

/** Runs or continues an import to its end. A fault of ours is thrown, so that the queue tries again. */
export async function runImport(host: ImportHost, importId: Id<'upload'>): Promise<void> {
  const job = await host.db
    .selectFrom('import_job')
    .selectAll()
    .where('id', '=', importId)
    .executeTakeFirst();
  if (job === undefined || job.status === 'completed' || job.status === 'failed') return;
  const archive = await readStoredArchive(host.db, importId);
  try {
    if (archive === undefined) throw new AppError('internal', 'The archive is not there any more');
    await importFiles(host, job, archive);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await endImport(host.db, importId, { status: 'failed', error: error.detail, now: host.clock.now() });
    await tell(host, job, 'Import failed', error.detail);
    return;
  }
  await endImport(host.db, importId, { status: 'completed', error: null, now: host.clock.now() });
  await tell(host, job, 'Import finished', `${job.filename} is in your workspace.`);
}

async function importFiles(host: ImportHost, job: ImportJob, archive: Buffer): Promise<void> {
  let position = 0;
  let chunk = emptyChunk();
  let listed = job.problems.length;
  for await (const file of readArchive(archive, (path) => WANTED.test(path))) {
    position += 1;
    if (position <= job.processed) continue;
    collect(chunk, file, job);
    if (chunk.files < IMPORT.chunkRows && chunk.notes.length < IMPORT.chunkRows) continue;
    listed = await writeChunk(host, job, chunk, listed);
    chunk = emptyChunk();
  }
  if (chunk.files > 0) await writeChunk(host, job, chunk, listed);
}

interface Chunk {
  files: number;
  notes: ImportNote[];
  problems: ImportProgress['problems'];
}

function emptyChunk(): Chunk {
  return { files: 0, notes: [], problems: [] };
}

function collect(chunk: Chunk, file: ArchiveFile | ArchiveRefusal, job: ImportJob): void {
  chunk.files += 1;
  if ('reason' in file) {
    chunk.problems.push({ path: file.path, reason: file.reason, imported: false });
    return;
  }
  const read = readFileText(file.bytes);
  if (read === undefined) {
    chunk.problems.push({ path: file.path, reason: 'Its bytes are no text', imported: false });
    return;
  }
  if (read.remark !== undefined)
    chunk.problems.push({ path: file.path, reason: read.remark, imported: true });
  const { path, modified } = file;
  const note = readMarkdownNote({ path, text: read.text, modified }, job.folders === 'tags');
  const parts = splitLongNotes(note.notes);
  for (const reason of note.warnings) chunk.problems.push({ path: file.path, reason, imported: true });
  if (parts.length > 1) {
    const reason = `Longer than ${LIMITS.notes.toLocaleString('en')} characters: came in as ${parts.length} parts`;
    chunk.problems.push({ path: file.path, reason, imported: true });
  }
  for (const [index, notes] of parts.entries()) {
    const title = parts.length === 1 ? note.title : partTitle(note.title, index + 1, parts.length);
    chunk.notes.push({ ...note, title, notes, path: file.path, part: index });
  }
}

function partTitle(title: string, part: number, parts: number): string {
  const suffix = ` (${part} of ${parts})`;
  return `${title.slice(0, LIMITS.title - suffix.length).toWellFormed()}${suffix}`;
}

/** One transaction: the notes, the files they came from and the counters. Returns how many problems are listed now. */
async function writeChunk(host: ImportHost, job: ImportJob, chunk: Chunk, listed: number): Promise<number> {
  const { value } = await writeInRealm(host, job.workspaceId, { userId: job.createdBy }, async (tx) => {
    const actor = await actorIn(tx, job.createdBy);
    const outcome = await importNotes(tx, actor, job, chunk.notes);
    const problems = [...chunk.problems, ...outcome.problems].slice(
      0,
      Math.max(0, IMPORT_PROBLEMS_MAX - listed),
    );
    await recordProgress(tx.trx, job.id, { ...outcome, processed: chunk.files, problems }, tx.now);
    return listed + problems.length;
  });
  return value;
}

async function tell(host: ImportHost, job: ImportJob, title: string, body: string): Promise<void> {
  await writeInRealm(host, job.createdBy, { userId: null }, (tx) =>
    notify(tx, {
      userId: job.createdBy,
      workspaceId: job.workspaceId,
      category: 'workspace',
      triggerId: 'import.finished',
      title,
      body,
      priority: 'low',
      subject: job.id,
    }),
  );
}
