// The tables of captured content that only the server has.
import type { ColumnType, Generated } from 'kysely';
import type { ExportJob } from '#shared/capture/export-job.ts';
import type { Feed } from '#shared/capture/feed.ts';
import type { FileKind } from '#shared/capture/file-kinds.ts';
import type { Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import type { SecretColumns } from './secret-columns.ts';

/** The text of a link or a file, the saved page of a link, and the state of its extraction. */
export interface MemoryPageTable {
  workspaceId: Id<'workspace'>;
  memoryId: Id<'memory'>;
  url: string | null;
  text: string | null;
  hash: string | null;
  fetched: string | null;
  /** The saved page. */
  snapshotId: Id<'upload'> | null;
  queued: string;
  tries: number;
  leaseUntil: string | null;
  leaseJob: string | null;
}

export interface UploadTable {
  workspaceId: Id<'workspace'>;
  id: Id<'upload'>;
  hash: string;
  bytes: number;
  kind: FileKind;
  createdBy: Id<'user'> | null;
  created: string;
  touched: string;
  stored: string | null;
  /** The hash that names its preview picture. */
  preview: Defaulted<string | null>;
  /** When it was looked at for one. */
  previewed: Defaulted<string | null>;
}

export interface PartialUploadTable {
  workspaceId: Id<'workspace'>;
  id: Id<'upload'>;
  userId: Id<'user'>;
  sender: string;
  filename: string;
  mediaType: string;
  bytes: number;
  received: Defaulted<number>;
  memoryId: Defaulted<Id<'memory'> | null>;
  importId: Defaulted<Id<'upload'> | null>;
  created: string;
  expires: string;
}

export interface PartialUploadPieceTable {
  workspaceId: Id<'workspace'>;
  uploadId: Id<'upload'>;
  at: number;
  bytes: Buffer;
}

export interface ImportChangeTable {
  workspaceId: Id<'workspace'>;
  importId: Id<'upload'>;
  seq: Generated<string>;
  kind: 'space' | 'memory' | 'text' | 'link' | 'thread';
  entityId: string;
  path: string;
  left: string;
  at: string;
  before: string | null;
}

/** Begins with a value of the database. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;

export interface ExportJobTable extends Omit<
  ExportJob,
  'total' | 'processed' | 'bytes' | 'error' | 'expiresAt'
> {
  position: Position;
  /** Equal for equal limits. */
  reach: string;
  run: Defaulted<number>;
  total: Defaulted<number>;
  processed: Defaulted<number>;
  bytes: Defaulted<number | null>;
  /** The spaces and threads in the file. */
  places: Defaulted<string[]>;
  error: Defaulted<string | null>;
  expiresAt: Defaulted<string | null>;
}

/** Maps an id of an imported archive to the space, thread or message made from it. */
export interface ImportPlaceTable {
  workspaceId: Id<'workspace'>;
  createdBy: Id<'user'>;
  original: string;
  placeId: string;
  importId: Id<'upload'>;
}

export interface FeedTable extends Feed {
  etag: string | null;
  lastModified: string | null;
  failingSince: string | null;
}

export interface FeedEntryTable {
  workspaceId: string;
  feedId: string;
  key: string;
  seen: string;
  saved: boolean;
}

export interface MailAddressTable extends SecretColumns {
  workspaceId: Id<'workspace'>;
  userId: Id<'user'>;
  hash: string;
  created: string;
}

export interface ReceivedMailTable {
  workspaceId: Id<'workspace'>;
  userId: Id<'user'>;
  key: string;
  received: string;
}
