/**
 * Files that are sent in parts: what has arrived, in pieces in the database, so that every server can read the progress of an
 * upload, and a part is either stored with its count or not at all. Only their sender can see them.
 */
import { sql, type Selectable } from 'kysely';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import { PARTS } from '#shared/capture/upload-limits.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import type { PartialUploadTable } from '../db/capture-tables.ts';
import type { Database } from '../db/database.ts';
import type { Person } from '../http/call.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { requireRoom } from './upload-store.ts';

type Host = Pick<Context, 'db' | 'clock'>;

/** Who sends: a person, in the app or with one of their keys or apps. */
export interface Sender {
  userId: Id<'user'>;
  sender: string;
}

export interface UploadOf extends Sender {
  workspaceId: Id<'workspace'>;
  id: Id<'upload'>;
}

/** All sessions of a person are one sender: an upload continues after a new log-in. Tokens of an app are renewed. */
export function senderOf({ userId, credential }: Person): Sender {
  if (credential.kind === 'session') return { userId, sender: 'session' };
  return { userId, sender: credential.kind === 'api_key' ? credential.id : credential.clientId };
}

const SHOWN = [
  'id',
  'workspaceId',
  'filename',
  'mediaType',
  'bytes',
  'received',
  'memoryId',
  'expires',
] as const;

export type PartialUpload = Pick<Selectable<PartialUploadTable>, (typeof SHOWN)[number]>;

interface NewUpload extends Pick<PartialUpload, 'workspaceId' | 'filename' | 'mediaType' | 'bytes'>, Sender {
  id?: Id<'upload'> | undefined;
  /** It becomes a file of the workspace, and needs room there. */
  isStored: boolean;
}

/** The one answer for an upload that is not there, has expired, or is another person's. */
export const noUpload = () => new AppError('not_found', 'Upload not found');

const expiry = ({ clock }: Pick<Host, 'clock'>) =>
  new Date(clock.now().getTime() + PARTS.expiresMs).toISOString();

/** Begins an upload, or returns the one that was begun under the same id. @throws conflict, not_found, too_large */
export async function beginUpload(
  host: Host,
  given: NewUpload,
): Promise<{ upload: PartialUpload; isNew: boolean }> {
  const { userId, sender, id = newId('upload'), isStored, ...facts } = given;
  const { workspaceId, filename, bytes } = facts;
  const now = host.clock.now().toISOString();
  return host.db.transaction().execute(async (trx) => {
    // One after the other for each person, so that the limit holds for many at once.
    const lock = `partial upload ${userId}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx);
    await trx
      .deleteFrom('partial_upload')
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .where('expires', '<=', now)
      .execute();
    const known = await trx
      .selectFrom('partial_upload')
      .select([...SHOWN, 'userId', 'sender'])
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (known !== undefined) {
      const { userId: owner, sender: by, ...upload } = known;
      if (owner !== userId || by !== sender) throw noUpload();
      if (upload.bytes !== bytes || upload.filename !== filename)
        throw new AppError('conflict', 'Another file is being sent under this id');
      return { upload, isNew: false };
    }
    await requireUnfinished(trx, { userId, bytes, now });
    if (isStored) await requireRoom(trx, { workspaceId, bytes });
    const upload = await trx
      .insertInto('partial_upload')
      .values({ ...facts, id, userId, sender, created: now, expires: expiry(host) })
      .returning(SHOWN)
      .executeTakeFirstOrThrow();
    return { upload, isNew: true };
  });
}

/** @throws too_large when the person has begun too much already */
async function requireUnfinished(
  db: Database,
  { userId, bytes, now }: { userId: Id<'user'>; bytes: number; now: string },
): Promise<void> {
  const { rows } = await sql<{ begun: string }>`
    select coalesce(sum("bytes"), 0) as "begun" from "partial_upload"
    where "userId" = ${userId} and "memoryId" is null and "expires" > ${now} ${across('account')}`.execute(
    db,
  );
  if (Number(rows[0]?.begun ?? 0) + bytes <= PARTS.unfinishedMaxBytes) return;
  const megabytes = PARTS.unfinishedMaxBytes / 1024 / 1024;
  throw new AppError(
    'too_large',
    `file: You have ${megabytes} MB of uploads that are not finished; finish them or give them up first`,
  );
}

/** @throws not_found */
export async function getUpload(
  { db, clock }: Host,
  { workspaceId, id, userId, sender }: UploadOf,
): Promise<PartialUpload> {
  return db
    .selectFrom('partial_upload')
    .select(SHOWN)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('sender', '=', sender)
    .where('expires', '>', clock.now().toISOString())
    .executeTakeFirstOrThrow(noUpload);
}

/** Adds a piece where the upload ends now. Of two at the same offset one is stored. @throws conflict, too_large, not_found */
export async function addPiece(
  host: Host,
  address: UploadOf,
  piece: { at: number; bytes: Buffer },
): Promise<void> {
  const { workspaceId, id, userId, sender } = address;
  const { at, bytes } = piece;
  const isAdded = await host.db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('partial_upload')
      .set({ received: at + bytes.length, expires: expiry(host) })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .where('userId', '=', userId)
      .where('sender', '=', sender)
      .where('expires', '>', host.clock.now().toISOString())
      .where('memoryId', 'is', null)
      .where('received', '=', at)
      .where('bytes', '>=', at + bytes.length)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return false;
    await trx.insertInto('partial_upload_piece').values({ workspaceId, uploadId: id, at, bytes }).execute();
    return true;
  });
  if (!isAdded) throw refusalOf(await getUpload(host, address), at);
}

/** Why bytes cannot be added at a place. */
export function refusalOf({ received, bytes }: PartialUpload, at: number): AppError {
  if (received !== at) {
    const headers = { 'Upload-Offset': String(received) };
    return new AppError('conflict', `Upload-Offset: ${received} bytes have arrived, go on there`, {
      headers,
    });
  }
  return new AppError('too_large', `file: More than the ${bytes} bytes that were announced`);
}

/** @throws conflict */
export function requireComplete({ received, bytes }: Pick<PartialUpload, 'received' | 'bytes'>): void {
  if (received !== bytes) throw new AppError('conflict', `file: ${received} of ${bytes} bytes have arrived`);
}

/** The whole file, or the memory that it became before. @throws not_found; conflict while parts are missing */
export async function readWhole(
  { db, clock }: Host,
  { workspaceId, id, userId, sender }: UploadOf,
): Promise<{ upload: PartialUpload; bytes: Buffer }> {
  // In one statement: another request may be saving the same file.
  const rows = await db
    .selectFrom('partial_upload as u')
    .leftJoin('partial_upload_piece as p', (join) =>
      join.onRef('p.workspaceId', '=', 'u.workspaceId').onRef('p.uploadId', '=', 'u.id'),
    )
    .select(SHOWN.map((name) => `u.${name}` as const))
    .select('p.bytes as piece')
    .where('u.workspaceId', '=', workspaceId)
    .where('u.id', '=', id)
    .where('u.userId', '=', userId)
    .where('u.sender', '=', sender)
    .where('u.importId', 'is', null)
    .where('u.expires', '>', clock.now().toISOString())
    .orderBy('p.at')
    .execute();
  const [first] = rows;
  if (first === undefined) throw noUpload();
  const { piece: _piece, ...upload } = first;
  const bytes = Buffer.concat(rows.flatMap(({ piece }) => (piece === null ? [] : [piece])));
  if (upload.memoryId === null) requireComplete({ ...upload, received: bytes.length });
  return { upload, bytes };
}

/** Records the memory of the file and deletes its pieces, in the transaction that creates the memory. */
export async function endUpload(
  tx: ServerTx,
  { workspaceId, id }: UploadOf,
  memoryId: Id<'memory'>,
): Promise<void> {
  await tx.trx
    .updateTable('partial_upload')
    .set({ memoryId })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute();
  await tx.trx
    .deleteFrom('partial_upload_piece')
    .where('workspaceId', '=', workspaceId)
    .where('uploadId', '=', id)
    .execute();
}

/** Cancels an upload. @throws not_found also for one that is being imported */
export async function removeUpload(
  { db }: Pick<Host, 'db'>,
  { workspaceId, id, userId, sender }: UploadOf,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('partial_upload')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('sender', '=', sender)
    .where('importId', 'is', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw noUpload();
}

/** Removes uploads to which nothing was added for days, with their pieces. */
export async function removeExpiredUploads(db: Database, now: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from "partial_upload" where "expires" <= ${now.toISOString()} ${across('purge')}`.execute(db);
  return Number(numAffectedRows);
}
