/** The calls about memories and tags, one small function per row. */
import { urlKey } from '#shared/capture/url-key.ts';
import type { FieldFilter } from '#shared/define/list-query.ts';
import { FILES } from '#shared/capture/limits.ts';
import { AppError } from '#shared/errors.ts';
import { isId, newId, type Id } from '#shared/ids.ts';
import type { memoryEndpoints } from '#shared/memories/endpoints.ts';
import { fileKind } from '#shared/capture/file-kinds.ts';
import {
  endUpload,
  findPreview,
  findSiteIcon,
  findUpload,
  hashOf,
  readSeenPage,
  readWhole,
  senderOf,
  signFileAddress,
  SNAPSHOT_POLICY,
  storeSeenPage,
  type SeenPage,
  type UploadOf,
} from '../capture/service.ts';
import type { Context } from '../context.ts';
import type { Handlers, Member, RequestFacts } from '../http/call.ts';
import type { UploadedFile } from '../http/multipart.ts';
import { listPage } from '../http/list-page.ts';
import { writeAs, written } from '../http/write.ts';
import { openListFacts } from '../sync/list-facts.ts';
import { searchMemories } from './search.ts';
import { withUpload, type SeenHtml } from './uploaded-note.ts';
import { saveFile, storeFile } from './file-memory.ts';
import { findPage, findSnapshot, readSnapshot } from './page-store.ts';
import { changeMemory, saveMemory, type MemoryChange, type NewMemory } from './save-memory.ts';
import { requireSaving } from './saving-right.ts';
import { readerIn } from '../sync/readable.ts';
import { findMemory, findTexts, listTags, memoriesFor, randomMemories } from './store.ts';

async function one(context: Context, actor: Member, id: Id<'memory'>) {
  const found = await findMemory(context.db, actor, id);
  if (!found) throw new AppError('not_found', 'Memory not found');
  return found;
}

/** Something named by its hash; what the caller has is not sent again. */
function underHash<T>(request: RequestFacts, { content, hash, none }: { content: T; hash: string; none: T }) {
  const etag = `"${hash}"`;
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  // Compared here, because fetch adds "no-cache" to such requests and Express then sends the content again.
  const isKnown = request.header('if-none-match')?.split(/, */).includes(etag) ?? false;
  return isKnown ? { result: none, status: 304, headers } : { result: content, headers };
}

interface ReplyPicture {
  bytes: Buffer;
  hash: string;
  filename: string;
}

/** Harmless also for a browser that shows it as a document of this server. */
function picture(request: RequestFacts, { bytes, hash, filename }: ReplyPicture) {
  const reply = underHash(request, { content: bytes, hash, none: Buffer.alloc(0) });
  const safe = {
    'Content-Disposition': `inline; filename="${filename}"`,
    'Content-Security-Policy': "sandbox; default-src 'none'",
  };
  return { ...reply, headers: { ...reply.headers, ...safe } };
}

const textUnderHash = (request: RequestFacts, { text, hash }: { text: string; hash: string }) =>
  underHash(request, { content: text, hash, none: '' });

async function update(context: Context, actor: Member, id: Id<'memory'>, change: MemoryChange) {
  await one(context, actor, id);
  const { version } = await writeAs(context, readerIn(actor), (writing) => changeMemory(writing, id, change));
  return written({ version, value: await one(context, actor, id) });
}

/** A file that was sent in parts, or the memory that an earlier call created from it. @throws not_found, conflict */
async function sentInParts(
  context: Context,
  address: UploadOf,
): Promise<{ file: UploadedFile } | { memoryId: Id<'memory'> }> {
  const { upload, bytes } = await readWhole(context, address);
  const { memoryId, filename, mediaType } = upload;
  // An archive that is to be imported may be larger.
  if (bytes.length > FILES.maxBytes)
    throw new AppError('too_large', `file: larger than ${FILES.maxBytes / 1024 / 1024} MB`);
  return memoryId === null ? { file: { filename, mediaType, bytes } } : { memoryId };
}

/** The same answer again to a sender who did not get the first one. */
async function savedBefore(
  context: Context,
  actor: Member,
  { memoryId, wantedId }: { memoryId: Id<'memory'>; wantedId: Id<'memory'> | undefined },
) {
  const result = await one(context, actor, memoryId);
  const isDuplicate = wantedId !== undefined && wantedId !== memoryId;
  return isDuplicate ? { result, status: 200, meta: { duplicate: true } } : { result };
}

interface PageOfMemory {
  seen: SeenHtml;
  spaceId: NewMemory['spaceId'];
}

/** Reads the page of someone who may save it. @throws forbidden, unavailable */
async function readPage(
  context: Context,
  actor: Member,
  { seen, spaceId }: PageOfMemory,
): Promise<SeenPage | undefined> {
  await writeAs(context, readerIn(actor), (writing) => requireSaving(writing, spaceId));
  return readSeenPage(context, actor, seen);
}

/** The memories of one page, as saving finds them. */
const ofPage = (address: string): { urlKey: FieldFilter } => ({
  urlKey: { test: 'any_of', values: [urlKey(address)] },
});

export const memoryHandlers = {
  'memory.random': async ({ context, actor, query: { limit, seed, ...query } }) => ({
    result: await randomMemories(context.db, actor, {
      seed: seed ?? newId('session'),
      limit,
      now: context.clock.now(),
      query,
    }),
  }),
  'memory.list': ({ context, actor, query: { address, ...query } }) =>
    listPage(memoriesFor(context.db, actor), {
      table: 'memory',
      query: address === undefined ? query : { ...query, ...ofPage(address) },
      nullable: ['title'],
      facts: { db: context.db, of: openListFacts(context.db, actor.workspaceId) },
    }),
  'memory.create': async ({
    context,
    actor,
    body: { workspaceId: _workspaceId, separate, page: isPage, ...given },
    request,
  }) => {
    const announced = request.header('x-upload');
    const { workspaceId } = actor;
    const parts = isId('upload', announced) ? { workspaceId, ...senderOf(actor), id: announced } : undefined;
    const sent = parts ? await sentInParts(context, parts) : { file: request.file };
    if ('memoryId' in sent) return savedBefore(context, actor, { ...sent, wantedId: given.id });
    const { file: sentFile } = sent;
    const upload = { announced: parts ? 'file' : announced, file: sentFile };
    const { memory, stored, seen } = withUpload(given, upload, isPage);
    const named = actor.credential.kind === 'session' ? memory : { origin: 'api' as const, ...memory };
    const file = stored && (await storeFile(context, actor, { stored, spaceId: named.spaceId }));
    const page = seen && (await readPage(context, actor, { seen, spaceId: named.spaceId }));
    const { version, value } = await writeAs(context, readerIn(actor), async (writing) => {
      const filename = seen === undefined ? sentFile?.filename : undefined;
      // A file that is sent again does not change the memory created the first time.
      const isRepeated = named.id !== undefined && (await writing.tx.get('memory', named.id)) !== undefined;
      const saved =
        file === undefined
          ? await saveMemory(writing, named)
          : await saveFile(writing, named, { jobs: context.jobs, file, separate });
      if (filename !== undefined && !saved.duplicate && !isRepeated)
        await writing.tx.update('memory', saved.id, { filename });
      if (actor.credential.kind === 'oauth_token' && !saved.duplicate && !isRepeated)
        await writing.tx.update('memory', saved.id, { metadata: { clientId: actor.credential.clientId } });
      if (page !== undefined && !isRepeated) await storeSeenPage(writing.tx, saved.id, page);
      if (parts) await endUpload(writing.tx, parts, saved.id);
      return saved;
    });
    const reply = written({ version, value: await one(context, actor, value.id) });
    return value.duplicate ? { ...reply, status: 200, meta: { ...reply.meta, duplicate: true } } : reply;
  },
  'memory.search': ({ context, actor, body }) => searchMemories(context, actor, body),
  'memory.get': async ({ context, actor, params }) => ({ result: await one(context, actor, params.id) }),
  'memory.body': async ({ context, actor, params, request }) => {
    const { notes, bodyHash } = await one(context, actor, params.id);
    return textUnderHash(request, { text: notes ?? '', hash: bodyHash ?? 'empty' });
  },
  'memory.page': async ({ context, actor, params, request }) => {
    const { id } = await one(context, actor, params.id);
    const page = await findPage(context.db, { workspaceId: actor.workspaceId, memoryId: id });
    if (page === undefined) throw new AppError('not_found', 'No text of a page is stored for this memory');
    return textUnderHash(request, page);
  },
  'memory.texts': async ({ context, actor, body }) => ({
    result: await findTexts(context.db, actor, body.texts),
  }),
  'memory.snapshot': async ({ context, actor, params, request }) => {
    const { id } = await one(context, actor, params.id);
    const snapshot = await readSnapshot(context, { workspaceId: actor.workspaceId, memoryId: id });
    if (snapshot === undefined) throw new AppError('not_found', 'No saved page is stored for this memory');
    const { headers, ...reply } = textUnderHash(request, snapshot);
    // Harmless also for a browser that shows it as a document of this server.
    const policy = { 'Content-Security-Policy': `sandbox; ${SNAPSHOT_POLICY}; frame-ancestors 'none'` };
    return { ...reply, headers: { ...headers, ...policy, 'Referrer-Policy': 'no-referrer' } };
  },
  'memory.file': async ({ context, actor, params: { workspaceId, id } }) => {
    const { uploadId, filename } = await one(context, actor, id);
    const upload = uploadId && (await findUpload(context.db, { workspaceId, id: uploadId }));
    if (!upload) throw new AppError('not_found', 'This memory has no file');
    const { path, expiresAt } = await signFileAddress(context, { workspaceId, memoryId: id });
    return {
      result: {
        url: `${context.config.appOrigin}${path}`,
        expiresAt,
        filename: filename ?? 'file',
        mediaType: fileKind(upload.kind).mediaType,
        bytes: upload.bytes,
      },
    };
  },
  'memory.preview': async ({ context, actor, params: { workspaceId, id }, request }) => {
    const { uploadId, metadata } = await one(context, actor, id);
    const upload = uploadId ?? (await findSnapshot(context.db, { workspaceId, memoryId: id }))?.id;
    const preview = upload && (await findPreview(context, { workspaceId, id: upload }));
    // Equal saved pages are one file, whatever picture each of them names.
    if (!preview || (uploadId === null && metadata['preview'] !== preview.hash))
      throw new AppError('not_found', 'This memory has no preview');
    return picture(request, { ...preview, filename: 'preview.webp' });
  },
  'memory.icon': async ({ context, actor, params, request }) => {
    const { favicon } = (await one(context, actor, params.id)).metadata;
    const icon = typeof favicon === 'string' ? await findSiteIcon(context, favicon, actor.userId) : null;
    if (icon === null) return { result: Buffer.alloc(0), status: 204 };
    return picture(request, { bytes: icon, hash: hashOf(icon), filename: 'icon.webp' });
  },
  'memory.replace': ({ context, actor, params, body }) => update(context, actor, params.id, body),
  'memory.update': ({ context, actor, params, body }) => update(context, actor, params.id, body),
  'memory.remove': async ({ context, actor, params: { id } }) => {
    await one(context, actor, id);
    const { version } = await writeAs(context, readerIn(actor), ({ at, apply }) =>
      apply('memory.remove', { id, at }),
    );
    return written({ version, value: null });
  },
  'tag.list': ({ context, actor, query }) => listTags(context.db, actor, query),
} satisfies Handlers<typeof memoryEndpoints>;
