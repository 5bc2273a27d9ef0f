// Uploaded files: equal files of a workspace are stored once. A row exists before its bytes and outlives its last memory by a
// day, so the clean-up finds all leftovers of a crash at any point.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { FileKind } from '#shared/capture/file-kinds.ts';
import { FILES } from '#shared/capture/limits.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';

type Host = Pick<Context, 'db' | 'clock' | 'files' | 'log'>;

export interface Upload {
  id: Id<'upload'>;
  workspaceId: Id<'workspace'>;
  kind: FileKind;
  bytes: number;
}

export function fileKey({ workspaceId, id }: Pick<Upload, 'workspaceId' | 'id'>): string {
  return `${workspaceId}/${id}`;
}

export function previewKey({ workspaceId, id, preview }: PreviewName): string {
  return `${workspaceId}/${id}_${preview}`;
}

type PreviewName = Pick<Upload, 'workspaceId' | 'id'> & { preview: string };

/** SHA-256 in hexadecimal. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

interface NewUpload {
  workspaceId: Id<'workspace'>;
  userId: Id<'user'>;
  kind: FileKind;
  bytes: Buffer;
}

/** Stores a file, or returns the upload of the same bytes. @throws too_large when the workspace has no room for it */
export async function storeUpload(host: Host, given: NewUpload): Promise<Id<'upload'>> {
  const { db, clock, files, log } = host;
  const { workspaceId, userId, kind, bytes } = given;
  const now = clock.now().toISOString();
  const hash = hashOf(bytes);
  await requireRoom(db, { workspaceId, bytes: bytes.length, hash });
  const { id, stored } = await db
    .insertInto('upload')
    .values({
      workspaceId,
      id: newId('upload'),
      hash,
      bytes: bytes.length,
      kind,
      createdBy: userId,
      created: now,
      touched: now,
      stored: null,
    })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'hash']).doUpdateSet({ touched: now }))
    .returning(['id', 'stored'])
    .executeTakeFirstOrThrow();
  if (stored !== null) return id;
  try {
    await files.put(fileKey({ workspaceId, id }), bytes);
  } catch (error) {
    log.error({ err: error }, 'a file could not be stored');
    throw new AppError('unavailable', 'The file could not be stored, please try again', { retryAfter: 5 });
  }
  await db
    .updateTable('upload')
    .set({ stored: now })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute();
  return id;
}

/** @param hash of a file that may be there already @throws too_large when the workspace has no room for this many bytes */
export async function requireRoom(
  db: Database,
  { workspaceId, bytes, hash = '' }: Pick<Upload, 'workspaceId' | 'bytes'> & { hash?: string },
): Promise<void> {
  const { rows } = await sql<{ used: string }>`
    select coalesce(sum("bytes"), 0) as "used" from "upload"
    where "workspaceId" = ${workspaceId} and "hash" <> ${hash}`.execute(db);
  if (Number(rows[0]?.used ?? 0) + bytes <= FILES.workspaceMaxBytes) return;
  const gigabytes = FILES.workspaceMaxBytes / 1024 ** 3;
  throw new AppError('too_large', `file: The files of this workspace take up all of its ${gigabytes} GB`);
}

/** An upload whose bytes are stored. */
export async function findUpload(
  db: Database,
  { workspaceId, id }: Pick<Upload, 'workspaceId' | 'id'>,
): Promise<Upload | undefined> {
  return db
    .selectFrom('upload')
    .select(['id', 'workspaceId', 'kind', 'bytes'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('stored', 'is not', null)
    .executeTakeFirst();
}

/** The file of a memory that is not deleted. */
export async function findFile(
  db: Database,
  { workspaceId, memoryId }: { workspaceId: Id<'workspace'>; memoryId: Id<'memory'> },
): Promise<{ uploadId: Id<'upload'>; filename: string | null } | undefined> {
  const row = await db
    .selectFrom('memory')
    .select(['uploadId', 'filename'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', memoryId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return row?.uploadId == null ? undefined : { uploadId: row.uploadId, filename: row.filename };
}

/** Removes files and saved pages that no memory uses any more, including those in the trash. */
export async function removeUnusedUploads(
  { db, files }: Pick<Host, 'db' | 'files'>,
  now: Date,
): Promise<number> {
  const before = new Date(now.getTime() - FILES.unusedMs).toISOString();
  const { rows } = await sql<Pick<Upload, 'workspaceId' | 'id'> & { preview: string | null }>`
    delete from "upload" u where u."touched" < ${before} and not exists (
      select 1 from "memory" m where m."workspaceId" = u."workspaceId" and m."uploadId" = u."id")
    and not exists (
      select 1 from "memory_page" p where p."workspaceId" = u."workspaceId" and p."snapshotId" = u."id")
    returning u."workspaceId", u."id", u."preview" ${across('purge')}`.execute(db);
  for (const { preview, ...upload } of rows) {
    await files.remove(fileKey(upload));
    if (preview !== null) await files.remove(previewKey({ ...upload, preview }));
  }
  return rows.length;
}
