// The server's copy of a file, and of the saved page of a link.
import type { Head } from '#shared/entities.ts';
import type { SnapshotFacts } from '#shared/memories/memory-kinds.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { sessionToken } from '#client/api/session.ts';

export type FileHead = Pick<Head<'memory'>, 'id' | 'workspaceId' | 'uploadId'>;

export type SnapshotHead = Pick<Head<'memory'>, 'id' | 'workspaceId' | 'metadata'>;

/** Of a saved page among the files of this device. */
export const snapshotKey = ({ hash }: Pick<SnapshotFacts, 'hash'>) => `snapshot/${hash}`;

/** At a signed address. @throws ApiProblem; TypeError without a connection */
export async function downloadFile({ id, workspaceId }: FileHead): Promise<Blob> {
  const { result } = await api('memory.file', { params: { workspaceId, id } });
  // The address names the public origin; this page may have another name for the same server.
  const { pathname } = new URL(result.url);
  const response = await fetch(pathname, { credentials: 'omit' });
  if (!response.ok) throw new ApiProblem(response.status, undefined);
  const blob = await response.blob();
  if (blob.size !== result.bytes) throw new TypeError('The file was cut off');
  return blob;
}

/** @throws ApiProblem also when the server has another one by now; TypeError without a connection */
export async function downloadSnapshot(
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
