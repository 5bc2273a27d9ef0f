/** The calls about memories and tags, one small function per row. */
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { memoryEndpoints } from '#shared/memories/endpoints.ts';
import { fileKind } from '#shared/capture/file-kinds.ts';
import { findUpload, signFileAddress, storeUpload } from '../capture/service.ts';
import type { Context } from '../context.ts';
import type { Handlers, Member, RequestFacts } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { writeAs, written } from '../http/write.ts';
import { openListFacts } from '../sync/list-facts.ts';
import { searchMemories } from './search.ts';
import { withUpload, type FileToStore } from './uploaded-note.ts';
import { requireSaving, saveFile } from './file-memory.ts';
import { findPage } from './page-store.ts';
import { changeMemory, saveMemory, type MemoryChange, type NewMemory } from './service.ts';
import { findMemory, listTags, memoriesFor, randomMemories } from './store.ts';

const realmOf = ({ userId, workspaceId }: Member) => ({ userId, realmId: workspaceId });

async function one(context: Context, actor: Member, id: Id<'memory'>) {
  const found = await findMemory(context.db, actor, id);
  if (!found) throw new AppError('not_found', 'Memory not found');
  return found;
}

/** A text named by its hash; one that the caller has is not sent again. */
function textUnderHash(request: RequestFacts, { text, hash }: { text: string; hash: string }) {
  const etag = `"${hash}"`;
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  // Compared here, because fetch adds "no-cache" to such requests and Express then sends the text again.
  const isKnown = request.header('if-none-match')?.split(/, */).includes(etag) ?? false;
  return isKnown ? { result: '', status: 304, headers } : { result: text, headers };
}

async function update(context: Context, actor: Member, id: Id<'memory'>, change: MemoryChange) {
  await one(context, actor, id);
  const { version } = await writeAs(context, realmOf(actor), (writing) => changeMemory(writing, id, change));
  return written({ version, value: await one(context, actor, id) });
}

interface FileOfMemory {
  stored: FileToStore;
  spaceId: NewMemory['spaceId'];
}

/** Stores the bytes before anything refers to them. @throws forbidden, too_large */
async function storeFile(context: Context, actor: Member, { stored, spaceId }: FileOfMemory) {
  const { workspaceId, userId } = actor;
  await writeAs(context, realmOf(actor), (writing) => requireSaving(writing, spaceId));
  const { filename, kind, bytes } = stored;
  const uploadId = await storeUpload(context, { workspaceId, userId, kind, bytes });
  return { workspaceId, filename, uploadId, bytes: bytes.length };
}

export const memoryHandlers = {
  'memory.random': async ({ context, actor, query: { limit, seed, ...query } }) => ({
    result: await randomMemories(context.db, actor, {
      seed: seed ?? newId('session'),
      limit,
      now: context.clock.now(),
      query,
    }),
  }),
  'memory.list': ({ context, actor, query }) =>
    listPage(memoriesFor(context.db, actor), {
      table: 'memory',
      query,
      nullable: ['title'],
      facts: { db: context.db, of: openListFacts(context.db, actor.workspaceId) },
    }),
  'memory.create': async ({ context, actor, body: { workspaceId: _workspaceId, ...given }, request }) => {
    const { memory, stored } = withUpload(given, {
      announced: request.header('x-upload'),
      file: request.file,
    });
    const named = actor.credential.kind === 'session' ? memory : { origin: 'api' as const, ...memory };
    const file = stored && (await storeFile(context, actor, { stored, spaceId: named.spaceId }));
    const { version, value } = await writeAs(context, realmOf(actor), async (writing) => {
      const filename = request.file?.filename;
      // Sent again, a file changes nothing about the memory that it became the first time.
      const isRepeated = named.id !== undefined && (await writing.tx.get('memory', named.id)) !== undefined;
      const saved =
        file === undefined
          ? await saveMemory(writing, named)
          : await saveFile(writing, named, { jobs: context.jobs, file });
      if (filename !== undefined && !saved.duplicate && !isRepeated)
        await writing.tx.update('memory', saved.id, { filename });
      if (actor.credential.kind === 'oauth_token' && !saved.duplicate && !isRepeated)
        await writing.tx.update('memory', saved.id, { metadata: { clientId: actor.credential.clientId } });
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
  'memory.replace': ({ context, actor, params, body }) => update(context, actor, params.id, body),
  'memory.update': ({ context, actor, params, body }) => update(context, actor, params.id, body),
  'memory.remove': async ({ context, actor, params: { id } }) => {
    await one(context, actor, id);
    const { version } = await writeAs(context, realmOf(actor), ({ at, apply }) =>
      apply('memory.remove', { id, at }),
    );
    return written({ version, value: null });
  },
  'tag.list': ({ context, actor, query }) => listTags(context.db, actor, query),
} satisfies Handlers<typeof memoryEndpoints>;
