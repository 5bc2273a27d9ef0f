// The file of a memory, and the saved page of a link: from this device if it is here, else from the server.
import { snapshotOf } from '#shared/memories/memory-kinds.ts';
import {
  downloadFile,
  downloadSnapshot,
  snapshotKey,
  type FileHead,
  type SnapshotHead,
} from '#client/replica/download-file.ts';
import { findFile, keepFile } from '#client/replica/file-store.ts';
import { createLoader } from '#client/replica/find-or-download.ts';
import { openedReplica } from '#client/replica/open-replica.ts';

export type LoadedFile = { state: 'ready'; blob: Blob } | { state: 'offline' | 'failed' };

/** What this device stores under a key, else the download; null is none, and is not stored. */
export const loadBlob = createLoader<Blob | null | undefined>(() => {
  const device = openedReplica()?.device;
  return {
    find: (id) => findFile(device, id),
    keep: async (id, blob) => blob && keepFile(device, { id, blob }),
  };
});

async function load(key: string, download: () => Promise<Blob>): Promise<LoadedFile> {
  const found = await loadBlob(key, download);
  if (found instanceof Blob) return { state: 'ready', blob: found };
  return found ?? { state: 'failed' };
}

export async function loadFile(head: FileHead): Promise<LoadedFile> {
  const { uploadId } = head;
  return uploadId === null ? { state: 'failed' } : load(uploadId, () => downloadFile(head));
}

export async function loadSnapshot(head: SnapshotHead): Promise<LoadedFile> {
  const snapshot = snapshotOf(head);
  if (snapshot === undefined) return { state: 'failed' };
  return load(snapshotKey(snapshot), () => downloadSnapshot(head, snapshot));
}
