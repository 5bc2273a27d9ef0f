/**
 * Preview pictures of files: drawn in a process of its own, stored beside the file under their hash, removed with it. A job
 * draws the previews of files that were stored before previews existed.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { FILE_KINDS, isFileKind } from '#shared/capture/file-kinds.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { runInProcess } from '../jobs/run-in-process.ts';
import type { FileStore } from '../providers/files.ts';
import { FILE_READER } from './file-reader.ts';
import type { FileSource, FileText } from './file-source.ts';
import { hasPreview, type DrawnPreview, type Drawing } from './preview-source.ts';
import { fileKey, findUpload, previewKey, type Upload } from './upload-store.ts';

const WORKER = new URL('./preview-worker.ts', import.meta.url);

/** Characters of a SHA-256 in hexadecimal that name a preview beside its upload. */
const HASH_LENGTH = 32;
/** Maximum uploads per sweep; the next one continues. */
const SWEEP_MAX = 1_000;
/** Younger files have a job that reads them. */
const SWEEP_AFTER_MS = 3_600_000;

type UploadAddress = Pick<Upload, 'workspaceId' | 'id'>;

/** Preview fields of a memory; empty without a preview. */
export type PreviewFacts = Pick<FileText, 'width' | 'height' | 'thumbnail'> & { preview?: string };

type Host = Pick<Context, 'db' | 'clock'> & { files: FileStore };

/** Null when the process for the file crashed, took too long, or drew nothing. */
export async function drawInProcess(source: FileSource, limits = FILE_READER): Promise<DrawnPreview | null> {
  return (await runInProcess<Drawing>(WORKER, source, limits))?.drawn ?? null;
}

/** Draws and stores the preview of an uploaded file. */
export async function makePreview(
  host: Pick<Host, 'db' | 'files'>,
  upload: Upload,
  source: FileSource,
): Promise<PreviewFacts> {
  const drawn = hasPreview(upload.kind) ? await drawInProcess(source) : null;
  return drawn === null ? {} : storePreview(host, upload, drawn);
}

/** Stores a preview beside its upload. Its name is recorded before its bytes, so that the removal of the file finds both. */
export async function storePreview(
  { db, files }: Pick<Host, 'db' | 'files'>,
  upload: UploadAddress,
  drawn: DrawnPreview,
): Promise<PreviewFacts> {
  const hash = createHash('sha256').update(drawn.bytes).digest('hex').slice(0, HASH_LENGTH);
  const former = await nameOf(db, upload);
  await db
    .updateTable('upload')
    .set({ preview: hash })
    .where('workspaceId', '=', upload.workspaceId)
    .where('id', '=', upload.id)
    .execute();
  await files.put(previewKey({ ...upload, preview: hash }), drawn.bytes);
  if (former !== null && former !== hash) await files.remove(previewKey({ ...upload, preview: former }));
  return { ...drawn.facts, preview: hash };
}

async function nameOf(db: Database, { workspaceId, id }: UploadAddress): Promise<string | null> {
  const row = await db
    .selectFrom('upload')
    .select('preview')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.preview ?? null;
}

/** The picture and the hash that names it. */
export async function findPreview(
  { db, files }: Pick<Context, 'db' | 'files'>,
  address: UploadAddress,
): Promise<{ hash: string; bytes: Buffer } | undefined> {
  const hash = await nameOf(db, address);
  const bytes = hash === null ? undefined : await files.get(previewKey({ ...address, preview: hash }));
  return hash === null || bytes === undefined ? undefined : { hash, bytes };
}

/** Notes that the file was looked at, with or without success. */
export async function markPreviewed(
  { db, clock }: Pick<Host, 'db' | 'clock'>,
  { workspaceId, id }: UploadAddress,
) {
  await db
    .updateTable('upload')
    .set({ previewed: clock.now().toISOString() })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** The job: makes the preview of an older file and updates the memories that have it. */
export async function previewUpload(host: WriteContext & Host, address: UploadAddress): Promise<void> {
  const upload = await findUpload(host.db, address);
  const bytes = upload && (await host.files.get(fileKey(upload)));
  const facts = bytes
    ? await makePreview(host, upload, { kind: upload.kind, filename: '', bytes })
    : ({} satisfies PreviewFacts);
  if (facts.preview !== undefined) {
    await writeInRealm(host, address.workspaceId, systemActor, async (tx) => {
      const memories = await tx.trx
        .selectFrom('memory')
        .select('id')
        .where('workspaceId', '=', address.workspaceId)
        .where('uploadId', '=', address.id)
        .execute();
      for (const { id } of memories) {
        const row = await tx.get('memory', id);
        if (row) await tx.update('memory', id, { metadata: { ...row.metadata, ...facts } });
      }
    });
  }
  await markPreviewed(host, address);
}

const DRAWN_KINDS = Object.keys(FILE_KINDS).filter((kind) => isFileKind(kind) && hasPreview(kind));

/** Queues files without an earlier attempt, after all other jobs. */
export async function queuePreviews(db: Database, jobs: Pick<JobQueue, 'enqueue'>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - SWEEP_AFTER_MS).toISOString();
  const { rows } = await sql<{ workspaceId: Id<'workspace'>; uploadId: Id<'upload'> }>`
    select "workspaceId", "id" as "uploadId" from "upload"
    where "previewed" is null and "stored" is not null and "kind" = any(${DRAWN_KINDS}) and "created" < ${before}
    order by "created" limit ${SWEEP_MAX} ${across('upkeep')}`.execute(db);
  for (const address of rows) {
    await jobs.enqueue(db, 'file.preview', address, { group: address.workspaceId, inBackground: true });
  }
}
