/**
 * Sends one file that becomes a memory. A lost response does no harm: the id of the memory is given by this device, and
 * the server saves nothing twice under the same id.
 */
import { z } from 'zod';
import { idOf } from '#shared/define/id-schema.ts';
import type { Id } from '#shared/ids.ts';
import { sendForm, type Sending } from '#client/capture/send-form.ts';
import type { StoredUpload } from '#client/replica/device-database.ts';

/** The memory that has the file now. */
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

/** @throws ApiProblem for a refusal, NoResponseError without network */
export function sendFile(
  { id, workspaceId, name, blob, fields }: StoredUpload,
  sending: Sending,
): Promise<SentFile> {
  const { title, spaceId, tags } = fields;
  return sendForm(
    {
      path: '/v1/memories',
      payload: {
        id,
        workspaceId,
        ...(title && { title }),
        ...(spaceId && { spaceId }),
        ...(tags && { tags: tags.split(',') }),
      },
      file: { name, blob },
      headers: { 'x-upload': 'file' },
      read: readSent,
    },
    sending,
  );
}
