/** The calls about memories and tags, one small function per row. */
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { memoryEndpoints } from '#shared/memories/endpoints.ts';
import type { Context } from '../context.ts';
import type { Handlers, Member, RequestFacts } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { writeAs, written } from '../http/write.ts';
import { openTotals } from '../sync/kept-totals.ts';
import { searchMemories } from './search.ts';
import { withUpload } from './uploaded-note.ts';
import { changeMemory, etagOf, saveMemory, type MemoryChange } from './service.ts';
import { findMemory, listTags, memoriesFor, randomMemories } from './store.ts';

const realmOf = ({ userId, workspaceId }: Member) => ({ userId, realmId: workspaceId });

async function one(context: Context, actor: Member, id: Id<'memory'>) {
  const found = await findMemory(context.db, actor, id);
  if (!found) throw new AppError('not_found', 'Memory not found');
  return found;
}

interface Change {
  id: Id<'memory'>;
  change: MemoryChange;
  request: RequestFacts;
}

async function update(context: Context, actor: Member, { id, change, request }: Change) {
  await one(context, actor, id);
  const { version } = await writeAs(context, realmOf(actor), (writing) =>
    changeMemory(writing, id, { change, ifMatch: request.header('if-match') }),
  );
  return written({ version, value: await one(context, actor, id) });
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
      ...{ table: 'memory', query, nullable: ['title'] },
      totals: openTotals(context.db, actor.workspaceId),
    }),
  'memory.create': async ({ context, actor, body: { workspaceId: _workspaceId, ...given }, request }) => {
    const wanted = withUpload(given, { announced: request.header('x-upload'), file: request.file });
    const { version, value } = await writeAs(context, realmOf(actor), async (writing) => {
      const saved = await saveMemory(writing, wanted);
      const filename = request.file?.filename;
      if (filename !== undefined && !saved.duplicate)
        await writing.tx.update('memory', saved.id, { filename });
      return saved;
    });
    const reply = written({ version, value: await one(context, actor, value.id) });
    return value.duplicate ? { ...reply, status: 200, meta: { ...reply.meta, duplicate: true } } : reply;
  },
  'memory.search': ({ context, actor, body }) => searchMemories(context.db, actor, body),
  'memory.get': async ({ context, actor, params }) => {
    const result = await one(context, actor, params.id);
    return { result, headers: { ETag: etagOf(result) } };
  },
  'memory.body': async ({ context, actor, params, request }) => {
    const { notes, bodyHash } = await one(context, actor, params.id);
    const etag = `"${bodyHash ?? 'empty'}"`;
    const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
    // Compared here, because fetch adds "no-cache" to such requests and Express then sends the text again.
    const known = request.header('if-none-match')?.split(/, */).includes(etag) ?? false;
    return known ? { result: '', status: 304, headers } : { result: notes ?? '', headers };
  },
  'memory.replace': ({ context, actor, params, body, request }) =>
    update(context, actor, { id: params.id, change: body, request }),
  'memory.update': ({ context, actor, params, body, request }) =>
    update(context, actor, { id: params.id, change: body, request }),
  'memory.remove': async ({ context, actor, params: { id } }) => {
    await one(context, actor, id);
    const { version } = await writeAs(context, realmOf(actor), ({ at, apply }) =>
      apply('memory.remove', { id, at }),
    );
    return written({ version, value: null });
  },
  'tag.list': ({ context, actor, query }) => listTags(context.db, actor, query),
} satisfies Handlers<typeof memoryEndpoints>;
