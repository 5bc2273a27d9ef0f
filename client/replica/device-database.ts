// Data of one person on this device beside the replica: long texts, changes in lost and found, small preferences, files waiting
// to be uploaded, answers to waiting questions. Drafts live in client/shell/drafts.ts. Opened through lazy-device.ts.
import { Dexie, liveQuery, type EntityTable } from 'dexie';
import type { Id } from '#shared/ids.ts';
import { DEVICE_DATABASE_PREFIX } from '#client/replica/device-names.ts';
import { userKey } from '#client/replica/user-key.ts';
import type { Problem } from '#client/replica/status.ts';

/** A long text under the hash of its content, so that a stale text can never be shown as the current one. */
export interface StoredBody {
  hash: string;
  text: string;
  bytes: number;
  lastUsed: number;
}

/** A value of the interface that survives reloads on this device only. */
export interface StoredPreference {
  key: string;
  value: unknown;
}

/**
 * Something that waits to be sent: an archive to be imported (client/capture/import-run.ts), or a file whose id is that
 * of the memory that it becomes (client/capture/file-queue.ts).
 */
export interface StoredUpload {
  id: string;
  workspaceId: string;
  kind: 'import' | 'file';
  name: string;
  blob: Blob;
  fields: Record<string, string>;
  created: number;
  tries: number;
  /** Bytes of a file that the server has confirmed; absent before the first part. */
  received?: number;
  /** Why the server refused it permanently; null while it is to be sent. */
  lastError: string | null;
}

/** The bytes of a file that was opened here: an upload under its id, a saved page under its hash. Neither ever changes. */
export interface StoredFile {
  id: string;
  blob: Blob;
  bytes: number;
  lastUsed: number;
}

/** An answer that this device made to a message (client/threads/use-device-answers.ts). */
export interface StoredAnswer {
  messageId: Id<'message'>;
  workspaceId: Id<'workspace'>;
  content: string;
  citations: { memoryId: Id<'memory'>; quote: string | null }[];
}

/** The tables of one person on this device. */
export class DeviceDatabase extends Dexie {
  declare body: EntityTable<StoredBody, 'hash'>;
  declare lost: EntityTable<Problem, 'id'>;
  declare preference: EntityTable<StoredPreference, 'key'>;
  declare upload: EntityTable<StoredUpload, 'id'>;
  declare file: EntityTable<StoredFile, 'id'>;
  declare answer: EntityTable<StoredAnswer, 'messageId'>;

  constructor(userId: string) {
    super(deviceDatabaseName(userId));
    this.version(1).stores({
      body: 'hash, lastUsed',
      lost: 'id',
      preference: 'key',
      upload: 'id, workspaceId, created',
    });
    this.version(2).stores({ file: 'id, lastUsed' });
    this.version(3).stores({ answer: 'messageId, workspaceId' });
  }

  /** Calls back with the waiting uploads, oldest first: now, and after each change by any tab. Returns the unsubscriber. */
  followUploads(listener: (uploads: readonly StoredUpload[]) => void): () => void {
    const following = liveQuery(() => this.upload.orderBy('created').toArray()).subscribe({
      next: listener,
      error: (failure: unknown) => console.error('replica: what waits to be sent could not be read', failure),
    });
    return () => following.unsubscribe();
  }
}

/** Name of a person's tables, without the id in clear. */
export function deviceDatabaseName(userId: string): string {
  return `${DEVICE_DATABASE_PREFIX}${userKey(userId)}`;
}
