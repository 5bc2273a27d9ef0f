// The file of a memory, and the saved page of a link: from this device if it was opened here before, else from the server.
import type { Head } from '#shared/entities.ts';
import { snapshotOf, type SnapshotFacts } from '#shared/memories/memory-kinds.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { sessionToken } from '#client/api/session.ts';
import { findFile, keepFile } from '#client/replica/file-store.ts';
import { openedReplica } from '#client/replica/open-replica.ts';

export type FileHead = Pick<Head<'memory'>, 'id' | 'workspaceId' | 'uploadId'>;

export type SnapshotHead = Pick<Head<'memory'>, 'id' | 'workspaceId' | 'metadata'>;

export type LoadedFile = { state: 'ready'; blob: Blob } | { state: 'offline' | 'failed' };

const underWay = new Map<string, Promise<LoadedFile>>();

/** At a signed address. */
async function downloadFile({ id, workspaceId }: FileHead): Promise<Blob> {
  const { result } = await api('memory.file', { params: { workspaceId, id } });
  // The address names the public origin; this page may have another name for the same server.
  const { pathname } = new URL(result.url);
  const response = await fetch(pathname, { credentials: 'omit' });
  if (!response.ok) throw new ApiProblem(response.status, undefined);
  const blob = await response.blob();
  if (blob.size !== result.bytes) throw new TypeError('The file was cut off');
  return blob;
}

async function downloadSnapshot(
  { id, workspaceId }: SnapshotHead,
  { hash, bytes }: SnapshotFacts,
): Promise<Blob> {
  const response = await fetch(`/v1/memories/${workspaceId}/${id}/snapshot`, {
    headers: { authorization: `Bearer ${sessionToken() ?? ''}` },
    credentials: 'omit',
  });
  // Another hash means that the page was saved again; the changed row will arrive by sync.
  if (!response.ok || response.headers.get('etag') !== `"${hash}"`)
    throw new ApiProblem(response.status, undefined);
  const body = await response.arrayBuffer();
  if (body.byteLength !== bytes) throw new TypeError('The file was cut off');
  return new Blob([body], { type: 'text/html;charset=utf-8' });
}

async function findOrDownload(key: string, download: () => Promise<Blob>): Promise<LoadedFile> {
  const device = openedReplica()?.device;
  const known = await findFile(device, key);
  if (known) return { state: 'ready', blob: known };
  try {
    const blob = await download();
    await keepFile(device, { id: key, blob });
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
async function load(key: string, download: () => Promise<Blob>): Promise<LoadedFile> {
  const running = underWay.get(key);
  if (running) return running;
  const mine = findOrDownload(key, download).finally(() => underWay.delete(key));
  underWay.set(key, mine);
  return mine;
}

export async function loadFile(head: FileHead): Promise<LoadedFile> {
  const { uploadId } = head;
  return uploadId === null ? { state: 'failed' } : load(uploadId, () => downloadFile(head));
}

export async function loadSnapshot(head: SnapshotHead): Promise<LoadedFile> {
  const snapshot = snapshotOf(head);
  if (snapshot === undefined) return { state: 'failed' };
  return load(`snapshot/${snapshot.hash}`, () => downloadSnapshot(head, snapshot));
}
