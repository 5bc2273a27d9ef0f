/**
 * The same page is one memory (PRODUCT 5.2): the one rule for REST and for pushes, decided under the lock of the
 * workspace, so that two devices which captured it offline meet here. Nothing that somebody wrote is dropped.
 */
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { z } from 'zod';
import { urlKey } from '#shared/capture/url-key.ts';
import { LIMITS } from '#shared/constants.ts';
import { present } from '#shared/define/access.ts';
import { workspaceOf, type MutationContext } from '#shared/define/mutator.ts';
import type { Id } from '#shared/ids.ts';
import { bodyFields, mergeNotes } from '#shared/memories/body.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { memorySubject, type createMemory } from '#shared/memories/mutators.ts';
import { can } from '#shared/permissions.ts';
import { addMemoryToSpace } from '#shared/spaces/mutators.ts';
import { workspaceReads } from '#shared/spaces/visibility.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { readableMemories } from './store.ts';

type Capture = z.output<(typeof createMemory)['args']>;

interface Place {
  tx: ServerTx;
  args: Capture;
  context: MutationContext;
}

/** The memory that has the page already; it must be the person's to see and to change. */
export async function findTwin({ tx, args, context }: Place): Promise<Id<'memory'> | undefined> {
  const key = args.url ? urlKey(args.url) : null;
  const { actor } = context;
  if (key === null || !can(actor, 'memory.create')) return undefined;
  const [found] = await withKey(tx, key, context);
  if (found === undefined || found.id === args.id) return undefined;
  if (!can(actor, 'memory.update', await memorySubject(tx, found))) return undefined;
  const both = bothNotes(found, args.notes, context.at(args.at));
  // Too long together, so they stay two: nothing is cut.
  if ((both.notes?.length ?? 0) > LIMITS.notes) return undefined;
  return (await wouldTell(tx, args, found.spaceId)) ? undefined : found.id;
}

/** The memories of one page that the person reads, oldest first. */
function withKey(tx: ServerTx, key: string, context: MutationContext) {
  const reader = { userId: context.actor.userId, workspaceId: workspaceOf(context) };
  return readableMemories(tx.trx, reader)
    .select(['memory.id', 'memory.ownerId', 'memory.spaceId', 'memory.notes'])
    .where('memory.urlKey', '=', key)
    .orderBy('memory.created')
    .execute();
}

/** What a copied space says of a page. */
export type Copied = Pick<MemoryHead, 'title' | 'description' | 'tags'>;

/**
 * The memory of a page that a copied space may show instead of a second one: the workspace reads it, and the person may
 * change it. It takes what the copy says, and is not touched when that is nothing new.
 */
export async function shareTwin(
  tx: ServerTx,
  { key, copied, context }: { key: string; copied: Copied; context: MutationContext },
): Promise<Id<'memory'> | undefined> {
  for (const found of await withKey(tx, key, context)) {
    const subject = await memorySubject(tx, found);
    if (subject.workspaceReads !== true || !can(context.actor, 'memory.update', subject)) continue;
    const row = present(await tx.get('memory', found.id), 'Memory');
    const news = completed(row, copied);
    if (row.archived || !isDeepStrictEqual(news, completed(row, row))) {
      const updated = tx.now.toISOString();
      const lastEditedBy = context.actor.userId;
      await tx.update('memory', found.id, { archived: false, ...news, updated, lastEditedBy });
    }
    return found.id;
  }
  return undefined;
}

/** What is missing comes from the other; nothing that is there is replaced. */
export function completed(row: Copied, other: Copied): Copied {
  return {
    title: row.title ?? other.title,
    description: row.description ?? other.description,
    tags: [...new Set([...row.tags, ...other.tags])].slice(0, LIMITS.tagCount),
  };
}

/** Words that were captured into a private space must not surface where others read. */
async function wouldTell(tx: ServerTx, args: Capture, twinHome: Id<'space'> | null): Promise<boolean> {
  if (args.spaceId === null || args.spaceId === twinHome) return false;
  const home = await tx.get('space', args.spaceId);
  return home !== undefined && !workspaceReads(home.visibility);
}

/** Brings what the capture says into the memory that is there, which comes back out of the archive. */
export async function mergeIntoTwin({ tx, args, context }: Place, twin: Id<'memory'>): Promise<void> {
  const row = present(await tx.get('memory', twin), 'Memory');
  const at = context.at(args.at);
  await tx.update('memory', twin, {
    archived: false,
    ...completed(row, args),
    ...bothNotes(row, args.notes, at),
    updated: at,
    lastEditedBy: context.actor.userId,
  });
  if (args.spaceId !== null) {
    await addMemoryToSpace.run(tx, { spaceId: args.spaceId, memoryId: twin, at: args.at }, context);
  }
  await sql`
    insert into "memory_alias" ("id", "workspaceId", "memoryId", "created")
    values (${args.id}, ${tx.realmId}, ${twin}, ${tx.now.toISOString()}) on conflict do nothing`.execute(
    tx.trx,
  );
}

function bothNotes(
  row: Pick<MemoryHead, 'notes'>,
  notes: string | null,
  at: string,
): Partial<Pick<MemoryHead, 'notes' | 'bodyHash' | 'bodyBytes'>> {
  if (notes === null || notes === '' || row.notes?.includes(notes)) return {};
  return bodyFields(row.notes === null ? notes : mergeNotes(notes, row.notes, at));
}

/** The memory behind an id that a device gave to a page which was there already. */
export async function behindAlias(tx: ServerTx, id: string): Promise<Id<'memory'> | undefined> {
  const { rows } = await sql<{ memoryId: Id<'memory'> }>`
    select "memoryId" from "memory_alias" where "id" = ${id} and "workspaceId" = ${tx.realmId}`.execute(
    tx.trx,
  );
  return rows[0]?.memoryId;
}
