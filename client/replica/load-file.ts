// The file of a memory: from this device if it was opened here before, else from the server at a signed address.
import type { Head } from '#shared/entities.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { findFile, keepFile } from '#client/replica/file-store.ts';
import { openedReplica } from '#client/replica/open-replica.ts';

/** Which file. */
export type FileHead = Pick<Head<'memory'>, 'id' | 'workspaceId' | 'uploadId'>;

/** The bytes, or why they cannot be had now. */
export type LoadedFile = { state: 'ready'; blob: Blob } | { state: 'offline' | 'failed' };

const underWay = new Map<string, Promise<LoadedFile>>();

async function download({ id, workspaceId }: FileHead): Promise<Blob> {
  const { result } = await api('memory.file', { params: { workspaceId, id } });
  // The address names the public origin; this page may have another name for the same server.
  const { pathname } = new URL(result.url);
  const response = await fetch(pathname, { credentials: 'omit' });
  if (!response.ok) throw new ApiProblem(response.status, undefined);
  const blob = await response.blob();
  if (blob.size !== result.bytes) throw new TypeError('The file was cut off');
  return blob;
}

async function findOrDownload(head: FileHead, id: string): Promise<LoadedFile> {
  const device = openedReplica()?.device;
  const known = await findFile(device, id);
  if (known) return { state: 'ready', blob: known };
  try {
    const blob = await download(head);
    await keepFile(device, { id, blob });
    return { state: 'ready', blob };
  } catch (error) {
    if (error instanceof ApiProblem) {
      console.info('replica: a file could not be loaded', error);
      return { state: 'failed' };
    }
    // fetch throws a TypeError exactly when there was no response, or when it ended too early.
    if (error instanceof TypeError) return { state: 'offline' };
    throw error;
  }
}

/** Concurrent requests for the same file share one download. */
export async function loadFile(head: FileHead): Promise<LoadedFile> {
  const { uploadId } = head;
  if (uploadId === null) return { state: 'failed' };
  const running = underWay.get(uploadId);
  if (running) return running;
  const mine = findOrDownload(head, uploadId).finally(() => underWay.delete(uploadId));
  underWay.set(uploadId, mine);
  return mine;
}
