// Runs one import for a turn: has its archive read in a process, writes the notes in chunks, and continues later behind
// the others that wait. It may be called again after a crash: the number of processed files is part of each chunk's
// transaction, and it continues behind that number.
import { IMPORT } from '#shared/capture/limits.ts';
import { HOUR_MS } from '#shared/constants.ts';
import { IMPORT_PROBLEMS_MAX, type ImportJob, type ImportProblem } from '#shared/capture/import-job.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { ArchiveBytes } from './archive-bytes.ts';
import type { ArchiveItem } from './imports/archive-item.ts';
import type { AttachedFile } from './imports/attached-file.ts';
import { drawInProcess, findPreview, storePreview, type PreviewFacts } from './preview-store.ts';
import { snapshotOf } from './snapshots/take-snapshot.ts';
import { hashOf } from './upload-store.ts';
import { across } from '../db/across.ts';
import { actorIn } from '../db/run-mutation.ts';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import type { ImportEnd } from '../events/notices.ts';
import { EgressError } from '../providers/egress.ts';
import type { FileStore } from '../providers/files.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Logger } from '../log.ts';
import { importArchive } from './import-archive.ts';
import { importAttached, linkFiles, storeAttached, type StoredAttachment } from './import-files.ts';
import { importNotes } from './import-notes.ts';
import { countSpaces, type StoredImport } from './import-question.ts';
import { storedArchive } from './stored-archive.ts';
import { readInProcess } from './import-reader.ts';
import type { ImportChunk } from './import-reading.ts';
import type { StoredItem } from './stored-item.ts';
import { endImport, recordProgress } from './service.ts';
import { systemActor } from '../db/server-tx.ts';
import { asPerson } from '../sync/readable.ts';

export interface ImportHost extends WriteContext {
  log: Logger;
  jobs: Pick<JobQueue, 'enqueue'>;
  files: FileStore;
}

/** Runs an import for one turn, to its end or until it is queued again. A fault of ours is thrown: the queue tries again. */
export async function runImport(host: ImportHost, importId: Id<'upload'>): Promise<void> {
  const job = await unfinishedImport(host, importId);
  if (job === undefined) return;
  const archive = await storedArchive(host.db, job);
  try {
    if (archive === undefined) throw new AppError('internal', 'The archive is not there any more');
    const age = host.clock.now().getTime() - Date.parse(job.answered ?? job.created);
    if (age > IMPORT.maxHours * HOUR_MS)
      throw new AppError('too_large', `The import took longer than ${IMPORT.maxHours} hours`);
    const count = await countSpaces(host, job, archive);
    if (typeof count === 'object')
      return await announce(host, job, { state: 'asking', newSpaces: count.newSpaces });
    const isDone = count === 'settled' && (await importFiles(host, job, archive));
    if (!isDone)
      return await host.jobs.enqueue(host.db, 'import.run', { importId }, { group: job.workspaceId });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return failImport(host, job, error.detail);
  }
  await endImport(host.db, job, { status: 'completed', error: null, now: host.clock.now() });
  await announce(host, job, { state: 'completed' });
}

/** Ends an import whose job failed every time, so that its owner does not wait for ever. */
export async function abandonImport(host: ImportHost, importId: Id<'upload'>): Promise<void> {
  const job = await unfinishedImport(host, importId);
  if (job === undefined) return;
  await failImport(host, job, 'The import stopped because of a fault of the server. Import the file again.');
}

/** Ends the imports whose question was not answered, so that their archives do not stay for ever. */
export async function endUnanswered(host: ImportHost, now: Date): Promise<void> {
  const jobs = await host.db
    .selectFrom('import_job')
    .selectAll()
    .where('status', '=', 'asking')
    .where('updated', '<', new Date(now.getTime() - IMPORT.askDays * 24 * HOUR_MS).toISOString())
    .modifyEnd(across('upkeep'))
    .execute();
  const reason = `Nothing was imported: what folders become was not chosen within ${IMPORT.askDays} days. Import the file again.`;
  for (const job of jobs) await failImport(host, job, reason);
}

/** Undefined also while it asks: the answer queues it again. */
async function unfinishedImport(host: ImportHost, importId: Id<'upload'>): Promise<StoredImport | undefined> {
  const job = await host.db
    .selectFrom('import_job')
    .selectAll()
    .where('id', '=', importId)
    .modifyEnd(across('job'))
    .executeTakeFirst();
  return job?.status === 'pending' || job?.status === 'running' ? job : undefined;
}

async function failImport(host: ImportHost, job: ImportJob, reason: string): Promise<void> {
  await endImport(host.db, job, { status: 'failed', error: reason, now: host.clock.now() });
  await announce(host, job, { state: 'failed', reason });
}

/** False when the turn is over before the archive is. */
async function importFiles(host: ImportHost, job: ImportJob, archive: ArchiveBytes): Promise<boolean> {
  const end = host.clock.now().getTime() + IMPORT.turnMs;
  let { processed } = job;
  let listed = job.problems.length;
  for await (const chunk of readInProcess(archive, {
    name: job.filename,
    folders: job.folders,
    skip: processed,
  })) {
    listed = await storeChunk(host, { ...job, processed }, chunk, listed);
    processed += chunk.files;
    if (host.clock.now().getTime() > end) return false;
  }
  return true;
}

/** Values that the database refuses: a retry is useless. Classes of SQLSTATE. */
const REFUSED_VALUE = /^(?:22|23|54)/;

function isRefusedValue(error: unknown): boolean {
  return error instanceof Error && 'code' in error && REFUSED_VALUE.test(String(error.code));
}

/** Writes a chunk; when the database refuses a value in it, file by file, so that a bad file costs only itself. */
async function storeChunk(
  host: ImportHost,
  job: ImportJob,
  chunk: ImportChunk,
  listed: number,
): Promise<number> {
  const { attached, items, ...read } = chunk;
  const { stored: files, problems } = await storeAttached(host, job, attached);
  const { stored: storedItems, problems: left } = await storeItemFiles(host, job, items);
  const whole = {
    ...read,
    problems: [...chunk.problems, ...problems, ...left],
    attached: files,
    items: storedItems,
  };
  try {
    return await writeChunk(host, job, whole, listed);
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    host.log.warn({ error, importId: job.id }, 'the database refused a value of an import');
  }
  const { total } = chunk;
  const keys = [...new Set(chunk.notes.map(({ key }) => key))];
  let { processed } = job;
  // Items without notes cannot be rejected, and items of the same key are written together.
  const rest = { ...whole, files: chunk.files - keys.length - items.length, notes: [], items: [] };
  let known = await writeChunk(host, { ...job, processed }, rest, listed);
  processed += rest.files;
  const single: WrittenChunk = { total, files: 1, notes: [], attached: [], items: [], problems: [] };
  const parts = [
    ...keys.map((key) => {
      const notes = chunk.notes.filter((note) => note.key === key);
      return { path: notes[0]?.path ?? key, notes, items: [] };
    }),
    ...storedItems.map((item) => ({ path: item.path, notes: [], items: [item] })),
  ];
  for (const { path, ...part } of parts) {
    const refused = { path, reason: 'Its text or front matter cannot be stored', imported: false };
    try {
      known = await writeChunk(host, { ...job, processed }, { ...single, ...part }, known);
    } catch (error) {
      if (!isRefusedValue(error)) throw error;
      known = await writeChunk(host, { ...job, processed }, { ...single, problems: [refused] }, known);
    }
    processed += 1;
  }
  return known;
}

/** Rows of an archive of Loci with their files in the store; one without room for its file is stored without it. */
async function storeItemFiles(
  host: ImportHost,
  job: ImportJob,
  items: ImportChunk['items'],
): Promise<{ stored: StoredItem[]; problems: ImportProblem[] }> {
  const attached = items.flatMap((item) => item.attached ?? []);
  const { pages, problems: unsafe } = await cleanSavedPages(items);
  const { stored, problems } = await storeAttached(host, job, attached);
  // Separate from the attached files: an archive may name one file as both.
  const { stored: storedPages, problems: left } = await storeAttached(host, job, pages);
  const pictureOf = await storePictures(host, job, items, storedPages);
  const byKey = new Map(stored.map((file) => [file.key, file]));
  const pageByKey = new Map(storedPages.map((file) => [file.key, file]));
  return {
    problems: [...unsafe, ...problems, ...left],
    stored: items.map(({ attached: file, savedPage, ...item }) => {
      const upload = file && byKey.get(file.key);
      const page = savedPage && pageByKey.get(savedPage.key);
      return {
        ...item,
        ...(upload && { upload: { id: upload.uploadId, bytes: upload.bytes } }),
        ...(page && {
          snapshot: {
            uploadId: page.uploadId,
            hash: page.hash,
            bytes: page.bytes,
            picture: pictureOf.get(page.key) ?? {},
          },
        }),
      };
    }),
  };
}

/**
 * The pictures of saved pages, drawn anew because an archive can be made by hand; the facts of each by the key of its page. A
 * page that the workspace has already keeps its picture, which other memories show.
 */
async function storePictures(
  host: ImportHost,
  { workspaceId }: ImportJob,
  items: readonly ArchiveItem[],
  pages: readonly StoredAttachment[],
): Promise<ReadonlyMap<string, PreviewFacts>> {
  const facts = new Map<string, PreviewFacts>();
  for (const { key, uploadId } of pages) {
    const picture = items.find(({ savedPage }) => savedPage?.key === key)?.savedPage?.picture;
    if (picture === undefined) continue;
    const address = { workspaceId, id: uploadId };
    const known = await findPreview(host, address);
    const drawn = known ? null : await drawInProcess({ ...picture, filename: '' });
    if (known) facts.set(key, { preview: known.hash });
    else if (drawn) facts.set(key, await storePreview(host, address, drawn));
  }
  return facts;
}

/** A chunk whose files are in the store. */
interface WrittenChunk extends Omit<ImportChunk, 'attached' | 'items'> {
  attached: readonly StoredAttachment[];
  items: readonly StoredItem[];
}

/** One transaction: the notes, the files they came from and the counters. Returns how many problems are listed now. */
async function writeChunk(
  host: ImportHost,
  job: ImportJob,
  chunk: WrittenChunk,
  listed: number,
): Promise<number> {
  const { value } = await writeInRealm(host, job.workspaceId, asPerson(job.createdBy), async (tx) => {
    const actor = await actorIn(tx, job.createdBy);
    const files = await importAttached(tx, { host, actor, job }, chunk.attached);
    const outcome = await importNotes(tx, { host, actor, job }, await linkFiles(tx, job, chunk.notes));
    const archived = await importArchive(tx, { host, actor, job }, chunk.items);
    const problems = [...chunk.problems, ...outcome.problems, ...archived.problems].slice(
      0,
      Math.max(0, IMPORT_PROBLEMS_MAX - listed),
    );
    await recordProgress(
      tx.trx,
      job,
      {
        total: chunk.total,
        processed: chunk.files,
        imported: files.imported + outcome.imported + archived.imported,
        updatedCount: outcome.updatedCount + archived.updatedCount,
        unchanged: files.unchanged + outcome.unchanged + archived.unchanged,
        problems,
      },
      tx.now,
    );
    return listed + problems.length;
  });
  return value;
}

/** Notifies the person who began an import. */
export async function announce(host: ImportHost, job: ImportJob, end: ImportEnd): Promise<void> {
  await writeInRealm(host, job.createdBy, systemActor, (tx) => emit(tx, 'import.finished', { job, ...end }));
}

const NO_WAY_OUT = { get: () => Promise.reject(new EgressError('blocked')) };

/**
 * An archive can be made by hand, so each page is rebuilt as if it had just been fetched, by the same code and in the same
 * thread with limits. It loads nothing: a saved page contains all it shows. The saved pages of items, harmless; one that is
 * none or took too much is left out.
 */
async function cleanSavedPages(
  items: readonly ArchiveItem[],
): Promise<{ pages: AttachedFile[]; problems: ImportProblem[] }> {
  const pages: AttachedFile[] = [];
  const problems: ImportProblem[] = [];
  for (const { path, row, savedPage } of items) {
    if (savedPage === undefined || row.kind !== 'memory') continue;
    const source = { url: row.url ?? '', mediaType: 'text/html', charset: 'utf-8', body: savedPage.bytes };
    const bytes = await snapshotOf(NO_WAY_OUT, source);
    if (bytes === undefined)
      problems.push({ path, reason: 'Without its saved page: it shows nothing', imported: true });
    else pages.push({ ...savedPage, bytes, hash: hashOf(bytes) });
  }
  return { pages, problems };
}
