// Data of one person on this device beside the replica: long texts, changes in lost and found, small preferences, files
// waiting to be uploaded. Drafts live in client/shell/drafts.ts. Opened through lazy-device.ts.
import { Dexie, type EntityTable } from 'dexie';
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

/** An archive that waits to be imported; import-run.ts sends it. */
export interface StoredUpload {
  id: string;
  workspaceId: string;
  kind: 'import';
  name: string;
  blob: Blob;
  fields: Record<string, string>;
  created: number;
  tries: number;
  lastError: string | null;
}

/** The tables of one person on this device. */
export class DeviceDatabase extends Dexie {
  declare body: EntityTable<StoredBody, 'hash'>;
  declare lost: EntityTable<Problem, 'id'>;
  declare preference: EntityTable<StoredPreference, 'key'>;
  declare upload: EntityTable<StoredUpload, 'id'>;

  constructor(userId: string) {
    super(deviceDatabaseName(userId));
    this.version(1).stores({
      body: 'hash, lastUsed',
      lost: 'id',
      preference: 'key',
      upload: 'id, workspaceId, created',
    });
  }
}

/** Name of a person's tables, without the id in clear. */
export function deviceDatabaseName(userId: string): string {
  return `${DEVICE_DATABASE_PREFIX}${userKey(userId)}`;
}
