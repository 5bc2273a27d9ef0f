/**
 * Copies the public content of a space into another workspace: no people, and texts only of notes that are published (origin
 * `clone`). A page that the workspace has is shown in the new space instead of being copied.
 */
import { sql } from 'kysely';
import { PUBLIC } from '#shared/spaces/limits.ts';
import { authorize } from '#shared/define/access.ts';
import { authoredBy } from '#shared/define/authored.ts';
import type { Head } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import { urlKey } from '#shared/capture/url-key.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { NEW_MEMORY } from '#shared/memories/memory.ts';
import type { Actor } from '#shared/permissions.ts';
import { space } from '#shared/spaces/space.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import { actorIn } from '../db/run-mutation.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { writeInRealm, type Written } from '../db/transaction.ts';
import type { Member } from '../http/call.ts';
import { completed, knownUrlKeys, shareDuplicate, storeUrlKey } from '../memories/service.ts';
import { publicSpaces } from './public-store.ts';
import { freeSlug } from './store.ts';

interface Source extends Pick<
  Head<'memory'>,
  'type' | 'title' | 'description' | 'summary' | 'url' | 'tags' | 'filename' | 'contentStatus'
> {
  /** The published text of a note. */
  text: string | null;
}

/** The new space, and the result for the memories: new ones, and pages that the workspace already had. */
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
    .modifyEnd(across('public'))
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'Space not found'));
  const rows = await shownMemories(context, source);
  return writeInRealm(context, member.workspaceId, member, async (tx) => {
    const actor = await actorIn(tx, member.userId);
    authorize(actor, 'space.create');
    authorize(actor, 'memory.create');
    const now = tx.now.toISOString();
    const common = authoredBy(member.userId, member.workspaceId, now);
    const id = newId('space');
    const { name, description, color } = source;
    const slug = await freeSlug(tx.trx, { workspaceId: member.workspaceId, slug: source.slug, now: tx.now });
    const looks = { name, description, color, slug, origin: 'web' as const };
    await tx.insert('space', { ...space.defaults, id, ...common, ...looks });
    const { fresh, duplicates } = await partition(tx, actor, rows);
    const memories = fresh.map(({ text, ...row }) => ({
      ...NEW_MEMORY,
      id: newId('memory'),
      ...common,
      ...row,
      ...bodyFields(text),
      origin: 'clone' as const,
      type: row.url === null ? ('note' as const) : ('link' as const),
      contentStatus: 'completed' as const,
    }));
    await tx.insertMany('memory', memories);
    for (const { id: memoryId, url } of memories) if (url !== null) await storeUrlKey(tx, memoryId, url);
    const link = { workspaceId: member.workspaceId, spaceId: id, createdBy: member.userId, created: now };
    await tx.insertMany(
      'space_memory',
      [...memories.map((row) => row.id), ...duplicates].map((memoryId) => ({ ...link, memoryId })),
    );
    await tx.trx
      .insertInto('space_clone')
      .values({ workspaceId: member.workspaceId, sourceId, spaceId: id, created: now })
      .execute();
    return { id, copied: memories.length, linked: duplicates.length };
  });
}

/** Memories on the public page of the space. @throws too_large */
async function shownMemories(
  { db }: Context,
  source: { workspaceId: Id<'workspace'>; id: Id<'space'> },
): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select m."type", m."title", m."description", m."summary", m."url", m."tags", m."filename", m."contentStatus",
      case when m."type" = 'note' and "space"."publishText" then m."notes" end as "text"
    from "space_memory" link
    join "space" on "space"."workspaceId" = link."workspaceId" and "space"."id" = link."spaceId"
    join "memory" m on m."workspaceId" = link."workspaceId" and m."id" = link."memoryId"
    where link."workspaceId" = ${source.workspaceId} and link."spaceId" = ${source.id} and m."deletedAt" is null and not m."archived"
    order by m."created" limit ${PUBLIC.cloneMaxMemories + 1}`.execute(db);
  if (rows.length > PUBLIC.cloneMaxMemories) {
    throw new AppError(
      'too_large',
      `Spaces with more than ${PUBLIC.cloneMaxMemories} memories cannot be copied`,
    );
  }
  return rows;
}

/** One page is one memory: a page that the workspace has, or that occurs twice, is not copied again. */
async function partition(
  tx: ServerTx,
  actor: Actor,
  rows: readonly Source[],
): Promise<{ fresh: Source[]; duplicates: Id<'memory'>[] }> {
  const now = () => tx.now.toISOString();
  const context = { actor, realmId: tx.realmId, at: now, arrival: now };
  const known = await knownUrlKeys(
    tx,
    rows.flatMap(({ url }) => (url === null ? [] : (urlKey(url) ?? []))),
  );
  const fresh = new Map<string, Source>();
  const duplicates = new Set<Id<'memory'>>();
  for (const [index, row] of rows.entries()) {
    // Memories without an address are never treated as the same.
    const key = (row.url === null ? null : urlKey(row.url)) ?? `${index}`;
    const duplicate = known.has(key) ? await shareDuplicate(tx, { key, copied: row, context }) : undefined;
    const first = fresh.get(key);
    if (duplicate !== undefined) duplicates.add(duplicate);
    else fresh.set(key, first === undefined ? row : { ...first, ...completed(first, row) });
  }
  return { fresh: [...fresh.values()], duplicates: [...duplicates] };
}
