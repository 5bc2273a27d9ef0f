/**
 * Sends a large file in parts, by the tus protocol. The id of the upload is derived from that of the memory, so a later page,
 * or another tab, requests the offset from the server and resumes there; only the server's offset is trusted.
 */
import { z } from 'zod';
import { PARTS, PART_TYPE, TUS_VERSION } from '#shared/capture/upload-limits.ts';
import { isId, type Id } from '#shared/ids.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { sendBody, type Sending } from '#client/capture/send-form.ts';
import type { StoredUpload } from '#client/replica/device-database.ts';

/** Times that the count of the server may surprise this device before it waits for its next turn. */
const SURPRISES_MAX = 5;

const state = z.object({ result: z.object({ received: z.number() }) });

/** The id of the upload of a file that is to become this memory, or of an archive, which has one. */
function uploadIdOf({ id }: Pick<StoredUpload, 'id'>): Id<'upload'> {
  const uploadId = `upload_${id.slice(id.indexOf('_') + 1)}`;
  if (!isId('upload', uploadId)) throw new Error('This is no id of a file');
  return uploadId;
}

const pathOf = (file: StoredUpload) => `/v1/uploads/${file.workspaceId}/${uploadIdOf(file)}`;

function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

/** Begins the upload, or finds out how far it is. */
function begin(file: StoredUpload, sending: Sending): Promise<number> {
  const { name, blob, fields, workspaceId, kind } = file;
  const { spaceId } = fields;
  const facts = {
    id: uploadIdOf(file),
    filename: name,
    filetype: blob.type,
    ...(spaceId && { spaceId }),
    ...(kind === 'import' && { purpose: kind }),
  };
  const metadata = Object.entries(facts).map(([key, value]) => `${key} ${base64(value)}`);
  return sendBody(
    {
      method: 'POST',
      path: `/v1/uploads/${workspaceId}`,
      headers: {
        'tus-resumable': TUS_VERSION,
        'upload-length': String(blob.size),
        'upload-metadata': metadata.join(','),
      },
      body: null,
      read: (body) => state.safeParse(body).data?.result.received,
    },
    { ...sending, onProgress: () => undefined },
  );
}

/** Sends what the server does not have yet. @throws ApiProblem for a refusal, NoResponseError without network */
export async function sendParts(file: StoredUpload, sending: Sending): Promise<Id<'upload'>> {
  const { blob } = file;
  const { onProgress, onStored } = sending;
  let surprises = 0;
  let received = await begin(file, sending);
  await onStored?.(received);
  while (received < blob.size) {
    onProgress(received / blob.size);
    const at = received;
    const part = blob.slice(at, at + Math.max(PARTS.partBytes, Math.ceil(blob.size / PARTS.partsMax)));
    try {
      await sendBody(
        {
          method: 'PATCH',
          path: pathOf(file),
          headers: { 'tus-resumable': TUS_VERSION, 'upload-offset': String(at), 'content-type': PART_TYPE },
          body: part,
          read: () => true,
        },
        { ...sending, onProgress: (share) => onProgress((at + share * part.size) / blob.size) },
      );
      received = at + part.size;
    } catch (failure) {
      // Another tab has sent it, or it has expired meanwhile.
      const isSurprise = failure instanceof ApiProblem && (failure.status === 409 || failure.status === 404);
      surprises += 1;
      if (!isSurprise || surprises > SURPRISES_MAX) throw failure;
      received = await begin(file, sending);
    }
    await onStored?.(received);
  }
  onProgress(1);
  return uploadIdOf(file);
}

/** Lets the server remove what it has of a file. */
export async function giveUpFile(file: StoredUpload, token: string | undefined): Promise<void> {
  const headers = { authorization: `Bearer ${token ?? ''}`, 'tus-resumable': TUS_VERSION };
  await fetch(pathOf(file), { method: 'DELETE', headers, credentials: 'omit' });
}
