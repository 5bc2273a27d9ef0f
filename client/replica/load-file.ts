// The file of a memory, and the saved page of a link: from this device if it was opened here before, else from the server.
import type { Head } from '#shared/entities.ts';
import { snapshotOf, type SnapshotFacts } from '#shared/memories/memory-kinds.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { sessionToken } from '#client/api/session.ts';
import { loadBlob } from '#client/replica/file-store.ts';

export type FileHead = Pick<Head<'memory'>, 'id' | 'workspaceId' | 'uploadId'>;

export type SnapshotHead = Pick<Head<'memory'>, 'id' | 'workspaceId' | 'metadata'>;

export type LoadedFile = { state: 'ready'; blob: Blob } | { state: 'offline' | 'failed' };

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
  return load(`snapshot/${snapshot.hash}`, () => downloadSnapshot(head, snapshot));
}
