// Calls that bring content in from elsewhere (PRODUCT 5.17).
import { z } from 'zod';
import { IMPORT } from '../constants.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { idOf } from '../define/id-schema.ts';
import { importJob, importRequest } from './import-job.ts';

export const captureEndpoints = {
  'import.create': defineEndpoint({
    method: 'POST',
    path: '/v1/imports',
    summary:
      'Imports a zip of Markdown files: multipart/form-data with the parts "payload" (JSON) and "file". Safe to repeat.',
    auth: 'member',
    scope: 'memories:write',
    rate: 'capture',
    body: importRequest,
    multipart: { maxBytes: IMPORT.maxArchiveBytes },
    result: importJob,
    status: 202,
  }),
  'import.get': defineEndpoint({
    method: 'GET',
    path: '/v1/imports/{workspaceId}/{id}',
    summary: 'Shows how far an import is and what is wrong with which file.',
    auth: 'member',
    scope: 'memories:read',
    params: z.object({ workspaceId: idOf('workspace'), id: idOf('upload') }),
    result: importJob,
  }),
};
