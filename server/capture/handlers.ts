// The calls of capture: files at signed addresses, imports, feeds, and the address that a person sends mails to.
import { captureEndpoints } from '#shared/capture/endpoints.ts';
import type { feedEndpoints } from '#shared/capture/feed-endpoints.ts';
import { fileKind } from '#shared/capture/file-kinds.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import type { mailAddressEndpoints } from '#shared/capture/mail-address-endpoints.ts';
import { plainFileName } from '#shared/define/fields.ts';
import { AppError } from '#shared/errors.ts';
import { isId } from '#shared/ids.ts';
import { authorize } from '#shared/define/access.ts';
import { can, type Actor } from '#shared/permissions.ts';
import { changeFeed, checkNow, followFeed, getFeed, leaveFeed, listFeeds } from './feeds/feed-service.ts';
import { getMailAddress, removeMailAddress, renewMailAddress } from './mail/mail-address.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Handlers, Member } from '../http/call.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { findExportFile, getExport, listExports, startExport } from './exports/export-store.ts';
import { listImports } from './import-list.ts';
import { chooseFolders } from './import-question.ts';
import { isExportAddress, readFileAddress } from './signed-address.ts';
import { getUpload, senderOf } from './partial-upload.ts';
import { getImport, importNotFound, startImport, startUndo } from './service.ts';
import { fileKey, findFile, findUpload } from './upload-store.ts';

/** Attachments have their file name; RFC 8187 for letters beyond ASCII. */
function disposition(filename: string, isShown: boolean): string {
  const plain = plainFileName(filename);
  const ascii = plain.replaceAll(/[^\w. -]/g, '_');
  const encoded = encodeURIComponent(plain).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `${isShown ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Hidden from other members: it names files that were never imported. @throws not_found */
async function readableImport(
  db: Database,
  actor: Actor,
  { workspaceId, id }: Pick<ImportJob, 'workspaceId' | 'id'>,
): Promise<ImportJob> {
  const job = await getImport(db, workspaceId, id);
  if (!can(actor, 'import.read', { ownerId: job.createdBy })) throw importNotFound();
  return job;
}

const noFile = () => new AppError('not_found', 'There is no file at this address');

/** @throws not_found */
async function exportFile(context: Context, address: string) {
  const found = await findExportFile(context, address);
  if (found === undefined) throw noFile();
  return {
    result: found.stream,
    headers: {
      'Content-Type': 'application/zip',
      'Content-Length': String(found.bytes),
      'Content-Disposition': disposition(found.filename, false),
      'Cache-Control': 'private, no-store',
    },
  };
}

/** Staff who act as a person may not export. @throws forbidden */
function refuseStaff({ credential }: Member): void {
  if (credential.kind === 'session') refuseImpersonation({ credential });
}

export const captureHandlers = {
  'file.get': async ({ context, params }) => {
    if (isExportAddress(params.address)) return exportFile(context, params.address);
    const { db, files } = context;
    const address = await readFileAddress(context, params.address);
    const memory = address && (await findFile(db, address));
    const upload =
      memory && (await findUpload(db, { workspaceId: address.workspaceId, id: memory.uploadId }));
    const bytes = upload && (await files.get(fileKey(upload)));
    if (!bytes) throw noFile();
    const { mediaType, view } = fileKind(upload.kind);
    const isShown = view !== undefined;
    return {
      result: bytes,
      headers: {
        // Files that a browser could run are never named by their type.
        'Content-Type': isShown ? mediaType : 'application/octet-stream',
        'Content-Disposition': disposition(memory.filename ?? 'file', isShown),
        'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
        'Cache-Control': 'private, max-age=300, immutable',
      },
    };
  },
  'import.create': async ({ context, body, actor, request }) => {
    authorize(actor, 'memory.create');
    const uploadId = request.header('x-upload');
    const parts =
      request.file === undefined && isId('upload', uploadId)
        ? { workspaceId: actor.workspaceId, id: uploadId, ...senderOf(actor) }
        : undefined;
    const filename = parts ? (await getUpload(context, parts)).filename : request.file?.filename;
    const sent = parts ?? request.file?.bytes;
    if (sent === undefined || filename === undefined) {
      throw new AppError('invalid', 'file: Send the archive as multipart/form-data in a part named "file"');
    }
    const order = {
      workspaceId: actor.workspaceId,
      userId: actor.userId,
      folders: body.folders,
      spacesMax: body.spacesMax,
      filename: body.filename ?? filename,
    };
    return { result: await startImport(context, context.jobs, order, sent) };
  },
  'import.list': ({ context, actor, query }) => listImports(context.db, actor, query),
  'import.get': async ({ context, params, actor }) => ({
    result: await readableImport(context.db, actor, params),
  }),
  'import.choose': async ({ context, params, actor, body }) => {
    const { createdBy } = await readableImport(context.db, actor, params);
    authorize(actor, 'import.choose', { ownerId: createdBy });
    return { result: await chooseFolders(context, context.jobs, params, body.folders) };
  },
  'import.undo': async ({ context, params, actor }) => {
    const { createdBy } = await readableImport(context.db, actor, params);
    authorize(actor, 'import.undo', { ownerId: createdBy });
    return { result: await startUndo(context, context.jobs, params, actor.userId) };
  },
  'export.create': async ({ context, actor, body }) => {
    refuseStaff(actor);
    return { result: await startExport(context, context.jobs, actor, body) };
  },
  'export.list': ({ context, actor, query }) => {
    refuseStaff(actor);
    return listExports(context.db, actor, query);
  },
  'export.get': async ({ context, actor, params }) => {
    refuseStaff(actor);
    return { result: await getExport(context, actor, params.id) };
  },
  'feed.list': ({ context, actor, query }) => listFeeds(context, actor, query),
  'feed.create': async ({ context, actor, body }) => ({ result: await followFeed(context, actor, body) }),
  'feed.get': async ({ context, actor, params }) => ({ result: await getFeed(context, actor, params.id) }),
  'feed.update': async ({ context, actor, params, body }) => ({
    result: await changeFeed(context, actor, params.id, body),
  }),
  'feed.remove': ({ context, actor, params }) => leaveFeed(context, actor, params.id),
  'feed.check': async ({ context, actor, params }) => ({ result: await checkNow(context, actor, params.id) }),
  'mail_address.get': async ({ context, actor }) => ({ result: await getMailAddress(context, actor) }),
  'mail_address.renew': async ({ context, actor }) => ({ result: await renewMailAddress(context, actor) }),
  'mail_address.remove': ({ context, actor }) => removeMailAddress(context, actor),
} satisfies Handlers<typeof captureEndpoints & typeof feedEndpoints & typeof mailAddressEndpoints>;
