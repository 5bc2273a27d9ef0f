/**
 * Sends one archive and reports its progress. A lost response does no harm: the file's idempotency key makes the server
 * return the import that the first upload started.
 */
import type { StoredUpload } from '#client/replica/device-database.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { idOf } from '#shared/define/id-schema.ts';
import { type Id } from '#shared/ids.ts';
import { z } from 'zod';

const accepted = z.object({ result: z.object({ id: idOf('upload') }) });

/** There was no response: the file stays and is sent again. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

type Archive = Pick<StoredUpload, 'id' | 'workspaceId' | 'name' | 'blob' | 'fields'>;

interface Sending {
  token: string | undefined;
  signal: AbortSignal;
  onProgress: (sent: number) => void;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy may respond with HTML; then only the status is known.
    return undefined;
  }
}

/** Resolves to the id of the import. @throws ApiProblem for a refusal, NoResponseError without network */
export function sendArchive(archive: Archive, { token, signal, onProgress }: Sending): Promise<Id<'upload'>> {
  const { id, workspaceId, name, blob, fields } = archive;
  const form = new FormData();
  form.set('payload', JSON.stringify({ workspaceId, filename: name, ...fields }));
  form.set('file', blob, name);
  return new Promise((resolve, reject) => {
    // fetch does not report how much of a body is sent.
    const request = new XMLHttpRequest();
    request.open('POST', '/v1/imports');
    request.setRequestHeader('authorization', `Bearer ${token ?? ''}`);
    request.setRequestHeader('idempotency-key', id);
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total);
    });
    request.addEventListener('load', () => {
      const body = parsed(request.responseText);
      const job = accepted.safeParse(body);
      if (request.status < 300 && job.success) resolve(job.data.result.id);
      else
        reject(new ApiProblem(request.status, body, Number(request.getResponseHeader('retry-after') ?? 0)));
    });
    for (const end of ['error', 'abort', 'timeout'] as const) {
      request.addEventListener(end, () => reject(new NoResponseError('The archive could not be sent')));
    }
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}
