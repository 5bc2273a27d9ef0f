/**
 * Copies what is public of a space into another workspace: never notes, never people (PRODUCT 5.2, origin clone). A page
 * that the workspace has is shown in the new space instead of being copied.
 */
import { sql } from 'kysely';
import { PUBLIC } from '#shared/constants.ts';
import { allow } from '#shared/define/access.ts';
import type { Head } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import { urlKey } from '#shared/capture/url-key.ts';
import { bodyFields } from '#shared/memories/body.ts';
import type { Actor } from '#shared/permissions.ts';
import type { Context } from '../context.ts';
import { actorIn } from '../db/run-mutation.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { writeInRealm, type Written } from '../db/transaction.ts';
import type { Member } from '../http/call.ts';
import { completed, shareTwin } from '../memories/service.ts';
import { publicSpaces } from './public-store.ts';
import { freeSlug } from './store.ts';

interface Source extends Pick<
  Head<'memory'>,
  'type' | 'title' | 'description' | 'summary' | 'url' | 'tags' | 'filename' | 'contentStatus'
> {}

/** The new space, and what came of the memories: new ones, and pages whose memory the workspace had. */
export interface Clone {
  id: Id<'space'>;
  copied: number;
  linked: number;
}

/** The workspace reads the new space. @throws not_found, forbidden, too_large */
export async function cloneSpace(
  context: Context,
  member: Member,
  sourceId: Id<'space'>,
): Promise<Written<Clone>> {
  const source = await publicSpaces(context.db, 'address')
    .where('space.id', '=', sourceId)
    .executeTakeFirst();
  if (source === undefined) throw new AppError('not_found', 'Space not found');
  const rows = await shownMemories(context, sourceId);
  return writeInRealm(context, member.workspaceId, { userId: member.userId }, async (tx) => {
    const actor = await actorIn(tx, member.userId);
    allow(actor, 'space.create');
    allow(actor, 'memory.create');
    const now = tx.now.toISOString();
    const people = { ownerId: member.userId, createdBy: member.userId, lastEditedBy: member.userId };
    const common = { workspaceId: member.workspaceId, created: now, updated: now, deletedAt: null };
    const id = newId('space');
    const { name, description, color, cover } = source;
    const slug = await freeSlug(tx.trx, { workspaceId: member.workspaceId, slug: source.slug, now: tx.now });
    const looks = { name, description, color, cover, slug, origin: 'web' as const };
    await tx.insert('space', { id, ...common, ...people, ...looks, visibility: 'workspace' });
    const { fresh, twins } = await sortOut(tx, actor, rows);
    const memories = fresh.map((row) => ({
      ...{ id: newId('memory'), ...common, ...people, ...row },
      ...{ spaceId: null, origin: 'clone' as const, metadata: {}, ...bodyFields(null) },
      ...{ screenshot: null, uploadId: null, archived: false },
      type: row.url === null ? ('note' as const) : ('link' as const),
      contentStatus: 'completed' as const,
    }));
    await tx.insertMany('memory', memories);
    for (const { id: memoryId, url } of memories) {
      if (url !== null)
        await tx.trx
          .updateTable('memory')
          .set({ urlKey: urlKey(url) })
          .where('id', '=', memoryId)
          .execute();
    }
    const link = { workspaceId: member.workspaceId, spaceId: id, createdBy: member.userId, created: now };
    await tx.insertMany(
      'space_memory',
      [...memories.map((memory) => memory.id), ...twins].map((memoryId) => ({ ...link, memoryId })),
    );
    await tx.trx.insertInto('space_clone').values({ sourceId, spaceId: id, created: now }).execute();
    return { id, copied: memories.length, linked: twins.length };
  });
}

/** What the page of the space shows. @throws too_large */
async function shownMemories({ db }: Context, sourceId: Id<'space'>): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select m."type", m."title", m."description", m."summary", m."url", m."tags", m."filename", m."contentStatus"
    from "space_memory" link join "memory" m on m."id" = link."memoryId"
    where link."spaceId" = ${sourceId} and m."deletedAt" is null and not m."archived"
    order by m."created" limit ${PUBLIC.cloneMaxMemories + 1}`.execute(db);
  if (rows.length > PUBLIC.cloneMaxMemories) {
    throw new AppError(
      'too_large',
      `Spaces with more than ${PUBLIC.cloneMaxMemories} memories cannot be copied`,
    );
  }
  return rows;
}

/** One page is one memory (decision 0027): a page that the workspace has, or that comes twice, is not copied again. */
async function sortOut(
  tx: ServerTx,
  actor: Actor,
  rows: readonly Source[],
): Promise<{ fresh: Source[]; twins: Id<'memory'>[] }> {
  const context = { actor, realmId: tx.realmId, at: () => tx.now.toISOString() };
  const known = await knownKeys(tx, rows);
  const fresh = new Map<string, Source>();
  const twins = new Set<Id<'memory'>>();
  for (const [index, row] of rows.entries()) {
    // Without an address nothing tells two memories to be the same.
    const key = (row.url === null ? null : urlKey(row.url)) ?? `${index}`;
    const twin = known.has(key) ? await shareTwin(tx, { key, copied: row, context }) : undefined;
    const first = fresh.get(key);
    if (twin !== undefined) twins.add(twin);
    else fresh.set(key, first === undefined ? row : { ...first, ...completed(first, row) });
  }
  return { fresh: [...fresh.values()], twins: [...twins] };
}

/** Keys of pages that the workspace has, so that only these are looked for one by one. */
async function knownKeys(tx: ServerTx, rows: readonly Source[]): Promise<ReadonlySet<string>> {
  const keys = rows.flatMap(({ url }) => (url === null ? [] : (urlKey(url) ?? [])));
  const found = await sql<{ urlKey: string }>`
    select distinct "urlKey" from "memory"
    where "workspaceId" = ${tx.realmId} and "deletedAt" is null and "urlKey" = any(${keys}::text[])`.execute(
    tx.trx,
  );
  return new Set(found.rows.map((row) => row.urlKey));
}
