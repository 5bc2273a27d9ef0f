// The tables of captured content that only the server has.
import type { Generated } from 'kysely';
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
  preview: Generated<string | null>;
  /** When it was looked at for one. */
  previewed: Generated<string | null>;
}

export interface PartialUploadTable {
  workspaceId: Id<'workspace'>;
  id: Id<'upload'>;
  userId: Id<'user'>;
  sender: string;
  filename: string;
  mediaType: string;
  bytes: number;
  received: Generated<number>;
  memoryId: Generated<Id<'memory'> | null>;
  importId: Generated<Id<'upload'> | null>;
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

interface ExportJobColumns {
  position: Position;
  /** Equal for equal limits. */
  reach: string;
  run: Generated<number>;
  total: Generated<number>;
  processed: Generated<number>;
  bytes: Generated<number | null>;
  /** The spaces and threads in the file. */
  places: Generated<string[]>;
  error: Generated<string | null>;
  expiresAt: Generated<string | null>;
}

export type ExportJobTable = Omit<ExportJob, keyof ExportJobColumns> & ExportJobColumns;

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
