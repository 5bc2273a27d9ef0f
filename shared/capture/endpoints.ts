// Calls that import content from elsewhere.
import { z } from 'zod';
import { IMPORT } from './limits.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { idOf } from '../define/id-schema.ts';
import { pageQuery } from '../define/list-query.ts';
import { exportJob, exportRequest, exportShown } from './export-job.ts';
import { importFolders, importJob, importRequest, importSummary } from './import-job.ts';

/** Who may import, and who may export: keys for chosen spaces too, because an export holds only what its caller reads. */
const importers = { auth: 'member', scope: 'memories:write', rate: 'capture' } as const;
const exporters = { auth: 'member', scope: 'memories:read', limitable: true } as const;

export const captureEndpoints = {
  'file.get': defineEndpoint({
    method: 'GET',
    path: '/v1/files/{address}',
    summary: 'The bytes of a file or of an export, at the address that memory.file or export.get returned.',
    auth: 'public',
    rate: 'media',
    params: z.object({ address: z.string().max(300) }),
    result: z.custom<Uint8Array | AsyncIterable<Uint8Array>>().meta({ type: 'string' }),
    answer: 'file',
    mediaType: 'application/octet-stream',
  }),
  'import.create': defineEndpoint({
    method: 'POST',
    path: '/v1/imports',
    summary:
      'Imports a zip of Markdown files or an export of another product: multipart/form-data with the parts "payload" (JSON) and "file", or JSON with the id of an upload as X-Upload, which was sent in parts. Safe to repeat.',
    ...importers,
    body: importRequest,
    multipart: { maxBytes: IMPORT.maxWholeBytes },
    result: importJob,
    status: 202,
  }),
  'import.list': defineEndpoint({
    method: 'GET',
    path: '/v1/imports/{workspaceId}',
    summary:
      'Lists the imports that the person began, with what was imported and how many files were left out.',
    auth: 'member',
    scope: 'memories:read',
    params: z.object({ workspaceId: idOf('workspace') }),
    query: pageQuery(['created']).omit({ cursor: true }),
    result: z.array(importSummary),
    list: true,
  }),
  'import.get': defineEndpoint({
    method: 'GET',
    path: '/v1/imports/{workspaceId}/{id}',
    summary:
      'Shows how far an import is and what is wrong with which file, to who began it and to owners and admins.',
    auth: 'member',
    scope: 'memories:read',
    params: z.object({ workspaceId: idOf('workspace'), id: idOf('upload') }),
    result: importJob,
  }),
  'import.choose': defineEndpoint({
    method: 'POST',
    path: '/v1/imports/{workspaceId}/{id}/folders',
    summary:
      'Answers an import that asks, because it would make more new spaces than `spacesMax`, and lets it begin. Only for who began it. Safe to repeat with the same answer.',
    ...importers,
    params: z.object({ workspaceId: idOf('workspace'), id: idOf('upload') }),
    body: z.object({ folders: importFolders }),
    result: importJob,
    status: 202,
  }),
  'import.undo': defineEndpoint({
    method: 'POST',
    path: '/v1/imports/{workspaceId}/{id}/undo',
    summary:
      'Takes back what an import did: what it made moves to the trash, what it changed gets its earlier text. What was changed since stays and is named. Safe to repeat.',
    ...importers,
    params: z.object({ workspaceId: idOf('workspace'), id: idOf('upload') }),
    result: importJob,
    status: 202,
  }),
  'export.create': defineEndpoint({
    method: 'POST',
    path: '/v1/exports',
    summary:
      'Begins an export of everything that the caller reads in a workspace: one zip with Markdown files and with data that an import restores. A key or token gets what its scopes and spaces allow. While an export runs, the same request returns it.',
    ...exporters,
    rate: 'archive',
    body: exportRequest,
    result: exportJob,
    status: 202,
  }),
  'export.list': defineEndpoint({
    method: 'GET',
    path: '/v1/exports/{workspaceId}',
    summary: 'Lists the exports that the person began, as far as the credential may read what is in them.',
    ...exporters,
    params: z.object({ workspaceId: idOf('workspace') }),
    query: pageQuery(['created']),
    result: z.array(exportJob),
    list: true,
  }),
  'export.get': defineEndpoint({
    method: 'GET',
    path: '/v1/exports/{workspaceId}/{id}',
    summary:
      'Shows how far an export is, and once it is completed an address that returns the file for five minutes.',
    ...exporters,
    params: z.object({ workspaceId: idOf('workspace'), id: idOf('export') }),
    result: exportShown,
  }),
};
