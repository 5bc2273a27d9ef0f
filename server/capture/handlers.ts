// The calls of capture: hand over an archive, ask how far it is, list what was handed over.
import { captureEndpoints } from '#shared/capture/endpoints.ts';
import { AppError } from '#shared/errors.ts';
import { allow } from '#shared/define/access.ts';
import { can } from '#shared/permissions.ts';
import type { Handlers } from '../http/call.ts';
import { listImports } from './import-list.ts';
import { getImport, importNotFound, startImport } from './service.ts';

export const captureHandlers = {
  'import.create': async ({ context, body, actor, request }) => {
    allow(actor, 'memory.create');
    if (request.file === undefined) {
      throw new AppError('invalid', 'file: Send the archive as multipart/form-data in a part named "file"');
    }
    const order = {
      workspaceId: actor.workspaceId,
      userId: actor.userId,
      folders: body.folders,
      filename: body.filename ?? request.file.filename,
    };
    return { result: await startImport(context, context.jobs, order, request.file.bytes) };
  },
  'import.list': ({ context, actor, query }) => listImports(context.db, actor, query),
  'import.get': async ({ context, params, actor }) => {
    const job = await getImport(context.db, params.workspaceId, params.id);
    // Nobody else learns that it exists: it names files that were never brought in.
    if (!can(actor, 'import.read', { ownerId: job.createdBy })) throw importNotFound();
    return { result: job };
  },
} satisfies Handlers<typeof captureEndpoints>;
