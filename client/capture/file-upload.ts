/**
 * Sends one file that becomes a memory. A lost response does no harm: this device generates the id of the memory, and the
 * server saves each id only once.
 */
import { z } from 'zod';
import { idOf } from '#shared/define/id-schema.ts';
import type { Id } from '#shared/ids.ts';
import { PARTS } from '#shared/capture/upload-limits.ts';
import { sendParts } from '#client/capture/file-parts.ts';
import { sendBody, sendForm, type Sending } from '#client/capture/send-form.ts';
import type { StoredUpload } from '#client/replica/device-database.ts';

export interface SentFile {
  memoryId: Id<'memory'>;
  /** An earlier memory already had the same file. */
  isDuplicate: boolean;
}

const accepted = z.object({
  result: z.object({ id: idOf('memory') }),
  meta: z.object({ duplicate: z.boolean().optional() }).optional(),
});

function readSent(body: unknown): SentFile | undefined {
  const { data } = accepted.safeParse(body);
  return data && { memoryId: data.result.id, isDuplicate: data.meta?.duplicate === true };
}

function payloadOf({ id, workspaceId, fields }: StoredUpload) {
  const { title, spaceId, tags, separate } = fields;
  return {
    id,
    workspaceId,
    ...(title && { title }),
    ...(spaceId && { spaceId }),
    ...(tags && { tags: tags.split(',') }),
    ...(separate && { separate: true }),
  };
}

/** A large file is sent in parts, so that a lost connection costs one of them. @throws ApiProblem, NoResponseError */
export async function sendFile(file: StoredUpload, sending: Sending): Promise<SentFile> {
  const { name, blob } = file;
  const save = { path: '/v1/memories', read: readSent };
  if (blob.size <= PARTS.fromBytes) {
    const form = { ...save, payload: payloadOf(file), file: { name, blob }, headers: { 'x-upload': 'file' } };
    return sendForm(form, sending);
  }
  const uploadId = await sendParts(file, sending);
  const headers = { 'x-upload': uploadId, 'content-type': 'application/json' };
  const body = JSON.stringify(payloadOf(file));
  return sendBody({ ...save, method: 'POST', headers, body }, { ...sending, onProgress: () => undefined });
}
