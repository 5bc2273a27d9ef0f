/**
 * The same page is one memory: the one rule for REST and for pushes, decided under the lock of the workspace, so that the
 * captures of two offline devices are merged here. No text is dropped.
 */
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { z } from 'zod';
import { urlKey } from '#shared/capture/url-key.ts';
import { LIMITS } from '#shared/constants.ts';
import { requireRow } from '#shared/define/access.ts';
import { workspaceOf, type MutationContext } from '#shared/define/mutator.ts';
import type { Head } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import { bodyFields, mergeNotes } from '#shared/memories/body.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import type { memoryMutators } from '#shared/memories/mutators.ts';
import { readMemorySubject } from '#shared/spaces/granted-subject.ts';
import { can } from '#shared/permissions.ts';
import { spaceMutators } from '#shared/spaces/mutators.ts';
import { isOpenHome } from '#shared/subject.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { readableMemories } from './store.ts';

type Capture = z.output<(typeof memoryMutators)['memory.create']['args']>;

interface Place {
  tx: ServerTx;
  args: Capture;
  context: MutationContext;
}

/** The memory that has the page already; it must be the person's to see and to change. */
export async function findDuplicate({ tx, args, context }: Place): Promise<Id<'memory'> | undefined> {
  const key = args.url ? urlKey(args.url) : null;
  const { actor } = context;
  if (key === null || !can(actor, 'memory.create')) return undefined;
  const [found] = await withKey(tx, key, context);
  if (found === undefined || found.id === args.id) return undefined;
  if (!can(actor, 'memory.update', await readMemorySubject(tx, actor, found))) return undefined;
  const both = bothNotes(found, args.notes, context.at(args.at));
  // Too long together, so they stay separate: no text is cut.
  if ((both.notes?.length ?? 0) > LIMITS.notes) return undefined;
  return (await wouldExpose(tx, args, found.spaceId)) ? undefined : found.id;
}

/** The memories of one page that the person reads, oldest first. */
function withKey(tx: ServerTx, key: string, context: MutationContext) {
  const { spaceIds } = tx.actor;
  const reader = { userId: context.actor.userId, workspaceId: workspaceOf(context), spaceIds };
  return readableMemories(tx.trx, reader)
    .select(['memory.id', 'memory.ownerId', 'memory.spaceId', 'memory.notes'])
    .where('memory.urlKey', '=', key)
    .orderBy('memory.created')
    .execute();
}

/** The fields of a memory that a copied space brings along. */
export type Copied = Pick<MemoryHead, 'title' | 'description' | 'tags'>;

/**
 * The memory of a page that a copied space may show instead of a second one: the workspace can read it, and the person may
 * change it. Missing fields are filled from the copy; if none is missing, the row is not written.
 */
export async function shareDuplicate(
  tx: ServerTx,
  { key, copied, context }: { key: string; copied: Copied; context: MutationContext },
): Promise<Id<'memory'> | undefined> {
  for (const found of await withKey(tx, key, context)) {
    const subject = await readMemorySubject(tx, context.actor, found);
    if (subject.workspaceReads !== true || !can(context.actor, 'memory.update', subject)) continue;
    const row = requireRow(await tx.get('memory', found.id), 'Memory');
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

/** The keys among these that a memory of the workspace has, so that only these are looked up individually. */
export async function knownUrlKeys(tx: ServerTx, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await sql<{ urlKey: string }>`
    select distinct "urlKey" from "memory"
    where "workspaceId" = ${tx.realmId} and "deletedAt" is null and "urlKey" = any(${keys}::text[])`.execute(
    tx.trx,
  );
  return new Set(rows.map((row) => row.urlKey));
}

/** Replicas do not have the key, so storing it moves no version. Does nothing after a change of the address. */
export async function storeUrlKey(tx: ServerTx, id: Id<'memory'>, url: string | null): Promise<void> {
  const key = url === null ? null : urlKey(url);
  await sql`
    update "memory" set "urlKey" = ${key}
    where "workspaceId" = ${tx.realmId} and "id" = ${id} and "url" is not distinct from ${url}`.execute(
    tx.trx,
  );
}

/** A memory that an import completed, with the values that it had before; without any where no field was missing. */
export interface Completed {
  id: Id<'memory'>;
  before: Partial<Head<'memory'>>;
}

/**
 * The memory of a page that an import brings again: missing fields are filled and its text is added. Undefined where the
 * person may change none, or both texts would be too long together. An archived one stays archived.
 */
export async function mergeImported(
  tx: ServerTx,
  {
    key,
    copied,
    context,
  }: { key: string; copied: Copied & { notes: string | null }; context: MutationContext },
): Promise<Completed | undefined> {
  for (const found of await withKey(tx, key, context)) {
    if (!can(context.actor, 'memory.update', await readMemorySubject(tx, context.actor, found))) continue;
    const row = requireRow(await tx.get('memory', found.id), 'Memory');
    const isNew = copied.notes !== null && row.notes?.includes(copied.notes) !== true;
    const notes = [row.notes, copied.notes].filter((text) => text !== null).join('\n\n');
    if (isNew && notes.length > LIMITS.notes) continue;
    const news = completed(row, copied);
    if (!isNew && isDeepStrictEqual(news, completed(row, row))) return { id: found.id, before: {} };
    const change = {
      ...news,
      ...(isNew && bodyFields(notes)),
      updated: tx.now.toISOString(),
      lastEditedBy: context.actor.userId,
    };
    await tx.update('memory', found.id, change);
    return { id: found.id, before: replacedBy(row, change) };
  }
  return undefined;
}

/** Fills missing fields from the other memory; replaces none. */
export function completed(row: Copied, other: Copied): Copied {
  return {
    title: row.title ?? other.title,
    description: row.description ?? other.description,
    tags: [...new Set([...row.tags, ...other.tags])].slice(0, LIMITS.tagCount),
  };
}

/** Words that were captured into a private space must not surface where others read. */
async function wouldExpose(tx: ServerTx, args: Capture, duplicateHome: Id<'space'> | null): Promise<boolean> {
  if (args.spaceId === null || args.spaceId === duplicateHome) return false;
  const home = await tx.get('space', args.spaceId);
  return home !== undefined && !isOpenHome(home);
}

/** Merges the capture into the existing memory and unarchives that memory. */
export async function mergeDuplicate({ tx, args, context }: Place, duplicate: Id<'memory'>): Promise<void> {
  const row = requireRow(await tx.get('memory', duplicate), 'Memory');
  const at = context.at(args.at);
  await tx.update('memory', duplicate, {
    archived: false,
    ...completed(row, args),
    ...bothNotes(row, args.notes, at),
    updated: at,
    lastEditedBy: context.actor.userId,
  });
  if (args.spaceId !== null) {
    await spaceMutators['space_memory.create'].run(
      tx,
      { spaceId: args.spaceId, memoryId: duplicate, at: args.at },
      context,
    );
  }
  await sql`
    insert into "memory_alias" ("id", "workspaceId", "memoryId", "created")
    values (${args.id}, ${tx.realmId}, ${duplicate}, ${tx.now.toISOString()}) on conflict do nothing`.execute(
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
export async function resolveAlias(tx: ServerTx, id: string): Promise<Id<'memory'> | undefined> {
  const { rows } = await sql<{ memoryId: Id<'memory'> }>`
    select "memoryId" from "memory_alias" where "id" = ${id} and "workspaceId" = ${tx.realmId}`.execute(
    tx.trx,
  );
  return rows[0]?.memoryId;
}

/** The memories behind those of the ids that are such an id and no memory themselves. */
export async function findAliases(
  tx: ServerTx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Id<'memory'>>> {
  const { rows } = await sql<{ id: string; memoryId: Id<'memory'> }>`
    select "id", "memoryId" from "memory_alias" alias
    where "workspaceId" = ${tx.realmId} and "id" = any(${ids}::text[])
      and not exists (select 1 from "memory"
        where "memory"."workspaceId" = alias."workspaceId" and "memory"."id" = alias."id")`.execute(tx.trx);
  return new Map(rows.map(({ id, memoryId }) => [id, memoryId]));
}

/** The previous values of the fields that the change modifies. */
export function replacedBy(row: Head<'memory'>, change: Partial<Head<'memory'>>): Partial<Head<'memory'>> {
  const entries = Object.entries(row).filter(
    ([field]) => field in change && !isDeepStrictEqual(Reflect.get(row, field), Reflect.get(change, field)),
  );
  return Object.fromEntries(entries);
}
