// Calls that send a large file in parts, by the tus protocol 1.0.0 (https://tus.io) with creation, expiration and
// termination. The file becomes a memory by memory.create, which names the upload.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { fileName, timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { PART_TYPE } from './upload-limits.ts';

const inWorkspace = z.object({ workspaceId: idOf('workspace') });
const one = inWorkspace.extend({ id: idOf('upload') });

const length = z.string().regex(/^\d{1,15}$/, 'A number of bytes');

/** Headers of a new upload. */
export const createHeaders = z.object({ 'Upload-Length': length, 'Upload-Metadata': z.string().max(8_000) });
/** Where in the file the sent bytes belong. */
export const appendHeaders = z.object({ 'Upload-Offset': length });

/** Upload-Metadata, each value in Base64. @see https://tus.io/protocols/resumable-upload */
export const uploadFacts = z.object({
  filename: fileName.min(1),
  filetype: z.string().max(200).default(''),
  /** The same id again finds the upload that was begun under it. */
  id: idOf('upload').optional(),
  /** An archive may be larger than a file, and is of any kind. */
  purpose: z.enum(['memory', 'import']).default('memory'),
  /** Where the memory is to be saved. */
  spaceId: idOf('space').optional(),
});

const partialUpload = z.object({
  id: idOf('upload'),
  workspaceId: idOf('workspace'),
  filename: z.string(),
  bytes: z.number().int(),
  received: z.number().int(),
  expiresAt: timestamp,
});

const access = {
  auth: 'member',
  guests: true,
  scope: 'memories:write',
  limitable: true,
  rate: 'write',
} as const;

export const uploadEndpoints = {
  'upload.create': defineEndpoint({
    ...access,
    method: 'POST',
    path: '/v1/uploads/{workspaceId}',
    summary:
      'Begins a file that is sent in parts, by the tus protocol 1.0.0: Upload-Length is its size, Upload-Metadata has the keys filename, and if wanted filetype, id, spaceId, and purpose, which is import for an archive that is to be imported. Location is where the parts go. The same id again answers with 200 and how far the upload is.',
    params: inWorkspace,
    headers: createHeaders,
    result: partialUpload,
    status: 201,
    also: { 200: partialUpload },
  }),
  'upload.get': defineEndpoint({
    ...access,
    method: 'GET',
    path: '/v1/uploads/{workspaceId}/{id}',
    summary:
      'How much of a file has arrived, also in the header Upload-Offset. Others than its sender get 404.',
    params: one,
    result: partialUpload,
  }),
  'upload.append': defineEndpoint({
    ...access,
    method: 'PATCH',
    path: '/v1/uploads/{workspaceId}/{id}',
    summary:
      'Adds bytes at Upload-Offset, which must be how much has arrived so far, else 409. What came before a lost connection stays. When all has arrived, POST /v1/memories with the header X-Upload: {id} and the fields of the memory as JSON saves the file, and POST /v1/imports in the same way begins an import.',
    params: one,
    headers: appendHeaders,
    bytes: { mediaType: PART_TYPE },
    result: z.null(),
    status: 204,
  }),
  'upload.remove': defineEndpoint({
    ...access,
    method: 'DELETE',
    path: '/v1/uploads/{workspaceId}/{id}',
    summary: 'Gives up an upload and removes what has arrived.',
    params: one,
    result: z.null(),
    status: 204,
  }),
} as const;
