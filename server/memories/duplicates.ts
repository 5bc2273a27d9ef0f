/**
 * The same page is one memory (PRODUCT 5.2): the one rule for REST and for pushes, decided under the lock of the
 * workspace, so that two devices which captured it offline meet here. Nothing that somebody wrote is dropped.
 */
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
  const reader = { userId: actor.userId, workspaceId: workspaceOf(context) };
  const found = await readableMemories(tx.trx, reader)
    .select(['memory.id', 'memory.ownerId', 'memory.spaceId', 'memory.notes'])
    .where('memory.urlKey', '=', key)
    .orderBy('memory.created')
    .executeTakeFirst();
  if (found === undefined || found.id === args.id) return undefined;
  if (!can(actor, 'memory.update', await memorySubject(tx, found))) return undefined;
  const both = bothNotes(found, args.notes, context.at(args.at));
  // Too long together, so they stay two: nothing is cut.
  if ((both.notes?.length ?? 0) > LIMITS.notes) return undefined;
  return (await wouldTell(tx, args, found.spaceId)) ? undefined : found.id;
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
    title: row.title ?? args.title,
    description: row.description ?? args.description,
    tags: [...new Set([...row.tags, ...args.tags])].slice(0, LIMITS.tagCount),
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
