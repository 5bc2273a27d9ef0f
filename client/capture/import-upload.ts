/**
 * Sends one archive. A lost response is harmless: the file's idempotency key makes the server return the import that the first
 * upload started.
 */
import type { StoredUpload } from '#client/replica/device-database.ts';
import { sendForm, type Sending } from '#client/capture/send-form.ts';
import { idOf } from '#shared/define/id-schema.ts';
import { type Id } from '#shared/ids.ts';
import { z } from 'zod';

const accepted = z.object({ result: z.object({ id: idOf('upload') }) });

type Archive = Pick<StoredUpload, 'id' | 'workspaceId' | 'name' | 'blob' | 'fields'>;

/** Resolves to the id of the import. @throws ApiProblem for a refusal, NoResponseError without network */
export function sendArchive(archive: Archive, sending: Sending): Promise<Id<'upload'>> {
  const { id, workspaceId, name, blob, fields } = archive;
  return sendForm(
    {
      path: '/v1/imports',
      payload: { workspaceId, filename: name, ...fields },
      file: { name, blob },
      headers: { 'idempotency-key': id },
      read: (body) => accepted.safeParse(body).data?.result.id,
    },
    sending,
  );
}
