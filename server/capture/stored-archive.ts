// The archive of an import: an upload that the import has taken, which nothing else can use until it has ended.
import { newId, type Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { inMemory, type ArchiveBytes } from './archive-bytes.ts';
import { getUpload, noUpload, requireComplete, type UploadOf } from './partial-upload.ts';

/** What was sent in one request, or the upload that came in parts. */
export type SentArchive = Buffer | UploadOf;

interface ImportAddress {
  workspaceId: Id<'workspace'>;
  id: Id<'upload'>;
}

interface Taking extends ImportAddress {
  userId: Id<'user'>;
  filename: string;
  now: Date;
}

/** Longer than an import may wait for an answer and run. */
const KEPT_MS = 30 * 24 * 3_600_000;
/** One huge value would be copied as a whole at every read. */
const PIECE_BYTES = 1024 * 1024;

/** Gives the archive to the import. @throws not_found when another import has taken the upload */
export async function takeArchive(
  db: Database,
  { workspaceId, id: importId, userId, filename, now }: Taking,
  sent: SentArchive,
): Promise<void> {
  const expires = new Date(now.getTime() + KEPT_MS).toISOString();
  if (!Buffer.isBuffer(sent)) {
    const { numUpdatedRows } = await db
      .updateTable('partial_upload')
      .set({ importId, expires })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', sent.id)
      .where('userId', '=', sent.userId)
      .where('sender', '=', sent.sender)
      .where('importId', 'is', null)
      .where('memoryId', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw noUpload();
    return;
  }
  const uploadId = newId('upload');
  const bytes = sent.length;
  await db
    .insertInto('partial_upload')
    .values({
      workspaceId,
      id: uploadId,
      userId,
      sender: '',
      filename,
      mediaType: '',
      bytes,
      received: bytes,
      importId,
      expires,
      created: now.toISOString(),
    })
    .execute();
  for (let at = 0; at < bytes; at += PIECE_BYTES)
    await db
      .insertInto('partial_upload_piece')
      .values({ workspaceId, uploadId, at, bytes: sent.subarray(at, at + PIECE_BYTES) })
      .execute();
}

/** What was sent. @throws not_found; conflict while parts of it are missing */
export async function sentBytes(
  host: Pick<Context, 'db' | 'clock'>,
  sent: SentArchive,
): Promise<ArchiveBytes> {
  if (Buffer.isBuffer(sent)) return inMemory(sent);
  const upload = await getUpload(host, sent);
  if (upload.memoryId !== null) throw noUpload();
  requireComplete(upload);
  return uploadedBytes(host.db, sent, upload.bytes);
}

/** Undefined once the import has ended. */
export async function storedArchive(
  db: Database,
  { workspaceId, id: importId }: ImportAddress,
): Promise<ArchiveBytes | undefined> {
  const upload = await db
    .selectFrom('partial_upload')
    .select(['id', 'bytes'])
    .where('workspaceId', '=', workspaceId)
    .where('importId', '=', importId)
    .executeTakeFirst();
  return upload && uploadedBytes(db, { workspaceId, id: upload.id }, upload.bytes);
}

/** Reads an upload that is complete. */
function uploadedBytes(db: Database, { workspaceId, id }: ImportAddress, size: number): ArchiveBytes {
  return {
    size,
    async read(start, end) {
      const pieces = await db
        .selectFrom('partial_upload_piece as p')
        .select(['p.at', 'p.bytes'])
        .where('p.workspaceId', '=', workspaceId)
        .where('p.uploadId', '=', id)
        .where('p.at', '<', end)
        // The piece that `start` is in begins before it.
        .where('p.at', '>=', (from) =>
          from
            .selectFrom('partial_upload_piece as f')
            .select(({ fn }) => fn.max('f.at').as('at'))
            .where('f.workspaceId', '=', workspaceId)
            .where('f.uploadId', '=', id)
            .where('f.at', '<=', start),
        )
        .orderBy('p.at')
        .execute();
      const first = pieces[0]?.at ?? start;
      const found = Buffer.concat(pieces.map(({ bytes }) => bytes)).subarray(start - first, end - first);
      if (found.length < Math.min(end, size) - start) throw new Error('An archive is not there any more');
      return found;
    },
  };
}

/** Deletes it, after the import. */
export async function dropArchive(db: Database, { workspaceId, id }: ImportAddress): Promise<void> {
  await db
    .deleteFrom('partial_upload')
    .where('workspaceId', '=', workspaceId)
    .where('importId', '=', id)
    .execute();
}
