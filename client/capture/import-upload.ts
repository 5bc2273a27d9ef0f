/**
 * Sends one archive and tells how much of it is gone. A lost answer costs nothing: the key of the file makes the server
 * answer a repeated upload with the import it began the first time.
 */
import type { StoredUpload } from '#client/replica/device-database.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { sessionToken } from '#client/api/session.ts';
import { idOf } from '#shared/define/id-schema.ts';
import { type Id } from '#shared/ids.ts';
import { z } from 'zod';

const accepted = z.object({ result: z.object({ id: idOf('upload') }) });

/** There was no answer: the file stays and is sent again. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

type Archive = Pick<StoredUpload, 'id' | 'workspaceId' | 'name' | 'blob' | 'fields'>;

interface Sending {
  signal: AbortSignal;
  onProgress: (sent: number) => void;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy may answer with HTML; the status alone then tells what happened.
    return undefined;
  }
}

/** Resolves to the id of the import. @throws ApiProblem for a refusal, NoAnswer without network */
export function sendArchive(archive: Archive, { signal, onProgress }: Sending): Promise<Id<'upload'>> {
  const { id, workspaceId, name, blob, fields } = archive;
  const form = new FormData();
  form.set('payload', JSON.stringify({ workspaceId, filename: name, ...fields }));
  form.set('file', blob, name);
  return new Promise((resolve, reject) => {
    // fetch cannot tell how much of a body is sent.
    const request = new XMLHttpRequest();
    request.open('POST', '/v1/imports');
    request.setRequestHeader('authorization', `Bearer ${sessionToken() ?? ''}`);
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
      request.addEventListener(end, () => reject(new NoAnswer('The archive could not be sent')));
    }
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}
