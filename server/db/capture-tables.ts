// The tables of captured content that only the server knows.
import type { Generated } from 'kysely';
import type { FileKind } from '#shared/capture/file-kinds.ts';
import type { Id } from '#shared/ids.ts';

/** The text of a link or a file, and the state of its extraction. */
export interface MemoryPageTable {
  workspaceId: Id<'workspace'>;
  memoryId: Id<'memory'>;
  url: string | null;
  text: string | null;
  hash: string | null;
  fetched: string | null;
  queued: string;
  tries: number;
  leaseUntil: string | null;
  /** The job that holds the lease. */
  leaseJob: string | null;
}

/** An uploaded file. */
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
}

/** One thing that an import changed. */
export interface ImportChangeTable {
  importId: Id<'upload'>;
  seq: Generated<string>;
  kind: 'space' | 'memory' | 'text' | 'link';
  entityId: string;
  path: string;
  left: string;
  at: string;
  before: string | null;
}
