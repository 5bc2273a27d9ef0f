/** The calls of files that are sent in parts: the tus protocol over the store of partial uploads. */
import {
  appendHeaders,
  createHeaders,
  uploadFacts,
  type uploadEndpoints,
} from '#shared/capture/upload-endpoints.ts';
import { PART_TYPE, TUS_VERSION } from '#shared/capture/upload-limits.ts';
import { kindOfName, readableForm } from '#shared/capture/file-kinds.ts';
import { FILES, IMPORT } from '#shared/capture/limits.ts';
import { authorize } from '#shared/define/access.ts';
import { AppError, describeIssues } from '#shared/errors.ts';
import { isId } from '#shared/ids.ts';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { storableText } from '../db/storable-text.ts';
import type { Handlers, Member, RequestFacts } from '../http/call.ts';
import { writeAs } from '../http/write.ts';
import { requireSaving } from '../memories/service.ts';
import {
  addPiece,
  beginUpload,
  getUpload,
  refusalOf,
  removeUpload,
  senderOf,
  type PartialUpload,
  type UploadOf,
} from './partial-upload.ts';
import { readerIn } from '../sync/readable.ts';

/** Bytes that are stored together; a killed server loses no more than these of a request. */
const PIECE_BYTES = 1024 * 1024;

/** @throws precondition_failed for another version of the protocol, bad_request for headers of another form */
function headersOf<S extends z.ZodObject>(request: RequestFacts, schema: S): z.output<S> {
  const version = request.header('tus-resumable');
  if (version !== undefined && version !== TUS_VERSION)
    throw new AppError('precondition_failed', `Tus-Resumable: Only ${TUS_VERSION}`);
  const given = Object.keys(schema.shape).map((name) => [name, request.header(name)]);
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (!parsed.success) throw new AppError('bad_request', describeIssues(parsed.error, 'header'));
  return parsed.data;
}

/** Parses the pairs of Upload-Metadata without validation. */
function pairsOf(metadata: string): Record<string, string> {
  const pairs = metadata.split(',').map((pair) => {
    const [name = '', value = ''] = pair.trim().split(' ');
    return [name, storableText(Buffer.from(value, 'base64').toString('utf8'))];
  });
  return Object.fromEntries(pairs);
}

/** @throws bad_request */
function factsOf(metadata: string): z.output<typeof uploadFacts> {
  const parsed = uploadFacts.safeParse(pairsOf(metadata));
  if (!parsed.success) throw new AppError('bad_request', describeIssues(parsed.error, 'Upload-Metadata'));
  return parsed.data;
}

function headersFor({ received, bytes, expires }: PartialUpload): Record<string, string> {
  return {
    'Tus-Resumable': TUS_VERSION,
    'Upload-Offset': String(received),
    'Upload-Length': String(bytes),
    'Upload-Expires': new Date(expires).toUTCString(),
    'Cache-Control': 'no-store',
  };
}

const shown = ({ id, workspaceId, filename, bytes, received, expires }: PartialUpload) => ({
  id,
  workspaceId,
  filename,
  bytes,
  received,
  expiresAt: new Date(expires).toISOString(),
});

const addressOf = (actor: Member, { workspaceId, id }: Pick<UploadOf, 'workspaceId' | 'id'>): UploadOf => ({
  workspaceId,
  id,
  ...senderOf(actor),
});

/** Stores an upload piece by piece, including the pieces received before the connection broke. */
async function receive(context: Context, address: UploadOf, { at, request }: Receiving): Promise<void> {
  let place = at;
  let waiting: Buffer[] = [];
  let length = 0;
  const store = async () => {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    length = 0;
    if (bytes.length === 0) return;
    await addPiece(context, address, { at: place, bytes });
    place += bytes.length;
  };
  try {
    for await (const chunk of request.bytes ?? []) {
      waiting.push(chunk);
      length += chunk.length;
      if (length >= PIECE_BYTES) await store();
    }
  } catch (error) {
    if (!isBroken(error)) throw error;
    await store();
    throw new AppError('bad_request', 'body: The upload was cut off');
  }
  await store();
}

interface Receiving {
  at: number;
  request: RequestFacts;
}

/** The connection ended before the body did. */
function isBroken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}

export const uploadHandlers = {
  'upload.create': async ({ context, actor, params: { workspaceId }, request }) => {
    // Permissions first: without them, the response reveals no other error.
    const wanted = pairsOf(request.header('upload-metadata') ?? '');
    if (wanted['purpose'] === 'import') authorize(actor, 'memory.create');
    else
      await writeAs(context, readerIn(actor), (writing) =>
        requireSaving(writing, isId('space', wanted['spaceId']) ? wanted['spaceId'] : undefined),
      );
    const headers = headersOf(request, createHeaders);
    const { filename, filetype, id, purpose } = factsOf(headers['Upload-Metadata']);
    const isImport = purpose === 'import';
    const bytes = Number(headers['Upload-Length']);
    const most = isImport ? IMPORT.maxArchiveBytes : FILES.maxBytes;
    if (bytes === 0) throw new AppError('invalid', 'file: The file is empty');
    if (bytes > most) throw new AppError('too_large', `file: larger than ${most / 1024 / 1024} MB`);
    if (!isImport && kindOfName(filename) === undefined)
      throw new AppError(
        'unsupported_media',
        `file: This kind of file is not supported${readableForm(filename)}`,
      );
    const { upload, isNew } = await beginUpload(context, {
      workspaceId,
      ...senderOf(actor),
      id,
      filename,
      mediaType: filetype,
      bytes,
      isStored: !isImport,
    });
    return {
      result: shown(upload),
      status: isNew ? 201 : 200,
      headers: { ...headersFor(upload), Location: `/v1/uploads/${workspaceId}/${upload.id}` },
    };
  },
  'upload.get': async ({ context, actor, params }) => {
    const upload = await getUpload(context, addressOf(actor, params));
    return { result: shown(upload), headers: headersFor(upload) };
  },
  'upload.append': async ({ context, actor, params, request }) => {
    const address = addressOf(actor, params);
    const upload = await getUpload(context, address);
    const at = Number(headersOf(request, appendHeaders)['Upload-Offset']);
    if (request.header('content-type') !== PART_TYPE)
      throw new AppError('unsupported_media', `Send the bytes as ${PART_TYPE}`);
    const announced = Number(request.header('content-length') ?? 0);
    if (upload.received !== at || at + announced > upload.bytes) throw refusalOf(upload, at);
    await receive(context, address, { at, request });
    return { result: null, headers: headersFor(await getUpload(context, address)) };
  },
  'upload.remove': async ({ context, actor, params }) => {
    await removeUpload(context, addressOf(actor, params));
    return { result: null, headers: { 'Tus-Resumable': TUS_VERSION } };
  },
} satisfies Handlers<typeof uploadEndpoints>;
