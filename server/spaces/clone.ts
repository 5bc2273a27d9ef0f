/** Copies what is public of a space into another workspace: never notes, never people (PRODUCT 5.2, origin clone). */
import { sql } from 'kysely';
import { PUBLIC } from '#shared/constants.ts';
import { allow } from '#shared/define/access.ts';
import type { Head } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import { urlKey } from '#shared/capture/url-key.ts';
import { bodyFields } from '#shared/memories/body.ts';
import type { Context } from '../context.ts';
import { actorIn } from '../db/run-mutation.ts';
import { writeInRealm, type Written } from '../db/transaction.ts';
import type { Member } from '../http/call.ts';
import { publicSpaces } from './public-store.ts';
import { freeSlug } from './store.ts';

interface Source extends Pick<
  Head<'memory'>,
  'type' | 'title' | 'description' | 'summary' | 'url' | 'tags' | 'filename' | 'contentStatus'
> {}

/** Answers the id of the new space, which the workspace reads. @throws not_found, forbidden, too_large */
export async function cloneSpace(
  context: Context,
  member: Member,
  sourceId: Id<'space'>,
): Promise<Written<Id<'space'>>> {
  const source = await publicSpaces(context.db, 'address')
    .where('space.id', '=', sourceId)
    .executeTakeFirst();
  if (source === undefined) throw new AppError('not_found', 'Space not found');
  const { rows } = await sql<Source>`
    select m."type", m."title", m."description", m."summary", m."url", m."tags", m."filename", m."contentStatus"
    from "space_memory" link join "memory" m on m."id" = link."memoryId"
    where link."spaceId" = ${sourceId} and m."deletedAt" is null and not m."archived"
    order by m."created" limit ${PUBLIC.cloneMaxMemories + 1}`.execute(context.db);
  if (rows.length > PUBLIC.cloneMaxMemories) {
    throw new AppError(
      'too_large',
      `Spaces with more than ${PUBLIC.cloneMaxMemories} memories cannot be copied`,
    );
  }
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
    const memories = rows.map((row) => ({
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
    const createdBy = member.userId;
    const { workspaceId } = member;
    await tx.insertMany(
      'space_memory',
      memories.map(({ id: memoryId }) => ({ workspaceId, spaceId: id, memoryId, createdBy, created: now })),
    );
    await tx.trx.insertInto('space_clone').values({ sourceId, spaceId: id, created: now }).execute();
    return id;
  });
}
