// Mutations of memories. They run on the replica and on the server; what only the server knows (duplicate key,
// processing) is added by server/memories/effects.ts.
import { z } from 'zod';
import { allow, present } from '../define/access.ts';
import { tags, timestamp, withoutUndefined } from '../define/fields.ts';
import { defineMutator, workspaceOf, type MutationContext, type Tx } from '../define/mutator.ts';
import { AppError } from '../errors.ts';
import type { Subject } from '../permissions.ts';
import { LIMITS } from '../constants.ts';
import type { Space } from '../spaces/space.ts';
import { workspaceReads } from '../spaces/visibility.ts';
import { bodyFields, mergeNotes } from './body.ts';
import { SERVER_ORIGINS } from './memory-kinds.ts';
import { memory, type MemoryHead } from './memory.ts';

const { shape } = memory.row;
const target = { id: shape.id, at: timestamp };

/** Facts about a memory for the permission table. */
export async function memorySubject(tx: Tx, row: Pick<MemoryHead, 'ownerId' | 'spaceId'>): Promise<Subject> {
  if (row.spaceId === null) return { ownerId: row.ownerId, workspaceReads: true };
  const home = await tx.get('space', row.spaceId);
  return { ownerId: row.ownerId, workspaceReads: home !== undefined && workspaceReads(home.visibility) };
}

/** @throws not_found, also for a deleted memory */
async function existing(tx: Tx, id: MemoryHead['id']): Promise<MemoryHead> {
  const row = present(await tx.get('memory', id), 'Memory');
  if (row.deletedAt !== null) throw new AppError('not_found', 'Memory not found');
  return row;
}

/** A memory lives only in a space that is there and that the person may file into. @throws not_found, forbidden */
async function allowHome(tx: Tx, context: MutationContext, id: Space['id']): Promise<void> {
  const home = present(await tx.get('space', id), 'Space');
  if (home.deletedAt !== null) throw new AppError('not_found', 'Space not found');
  allow(context.actor, 'space.file', {
    ownerId: home.ownerId,
    workspaceReads: workspaceReads(home.visibility),
  });
}

/** A home lists what lives in it. */
async function listInHome(
  tx: Tx,
  context: MutationContext,
  { spaceId, memoryId, created }: { spaceId: Space['id']; memoryId: MemoryHead['id']; created: string },
): Promise<void> {
  const workspaceId = workspaceOf(context);
  await tx.insert('space_memory', {
    ...{ workspaceId, spaceId, memoryId, created, createdBy: context.actor.userId },
  });
}

async function change(
  tx: Tx,
  context: MutationContext,
  { id, at, fields }: { id: MemoryHead['id']; at: string; fields: (row: MemoryHead) => Partial<MemoryHead> },
): Promise<void> {
  const row = await existing(tx, id);
  allow(context.actor, 'memory.update', await memorySubject(tx, row));
  await tx.update('memory', id, {
    ...fields(row),
    updated: context.at(at),
    lastEditedBy: context.actor.userId,
  });
}

export const createMemory = defineMutator({
  realm: 'workspace',
  args: z
    .object({
      ...target,
      spaceId: shape.spaceId.default(null),
      origin: shape.origin.refine((origin) => !SERVER_ORIGINS.has(origin), 'Given by the server only'),
      title: shape.title.default(null),
      description: shape.description.default(null),
      url: shape.url.default(null),
      notes: shape.notes.default(null),
      tags: tags.default([]),
      archived: shape.archived.default(false),
    })
    .refine(
      (args) => args.url !== null || args.notes !== null || args.title !== null,
      'Needs a url or a text',
    ),
  async run(tx, args, context) {
    allow(context.actor, 'memory.create');
    if (args.spaceId !== null) await allowHome(tx, context, args.spaceId);
    const userId = context.actor.userId;
    const created = context.at(args.at);
    await tx.insert('memory', {
      id: args.id,
      workspaceId: workspaceOf(context),
      ownerId: userId,
      createdBy: userId,
      lastEditedBy: userId,
      spaceId: args.spaceId,
      type: args.url === null ? 'note' : 'link',
      origin: args.origin,
      contentStatus: args.url === null ? 'completed' : 'pending',
      metadata: {},
      title: args.title,
      description: args.description,
      summary: null,
      url: args.url,
      ...bodyFields(args.notes),
      tags: args.tags,
      screenshot: null,
      filename: null,
      uploadId: null,
      archived: args.archived,
      created,
      updated: created,
      deletedAt: null,
    });
    if (args.spaceId !== null)
      await listInHome(tx, context, { spaceId: args.spaceId, memoryId: args.id, created });
  },
});

/** What follows from another address: a note with one is a link, a link without one a note again (PRODUCT 5.2). */
function contentOf(
  row: MemoryHead,
  url: string | null | undefined,
): Partial<Pick<MemoryHead, 'type' | 'contentStatus'>> {
  if (url === undefined || url === row.url) return {};
  if (url !== null) return { type: row.type === 'note' ? 'link' : row.type, contentStatus: 'pending' };
  return row.type === 'link' ? { type: 'note', contentStatus: 'completed' } : {};
}

export const updateMemory = defineMutator({
  realm: 'workspace',
  args: z.object({
    ...target,
    title: shape.title.optional(),
    description: shape.description.optional(),
    url: shape.url.optional(),
    archived: shape.archived.optional(),
  }),
  run: (tx, { id, at, ...given }, context) =>
    change(tx, context, {
      id,
      at,
      fields: (row) => {
        return { ...withoutUndefined(given), ...contentOf(row, given.url) };
      },
    }),
});

export const setMemoryNotes = defineMutator({
  realm: 'workspace',
  args: z.object({
    ...target,
    notes: shape.notes,
    /** bodyHash of the notes that the author was editing. */
    baseHash: shape.bodyHash,
  }),
  run: (tx, args, context) =>
    change(tx, context, {
      id: args.id,
      at: args.at,
      fields: (row) => {
        const incoming = bodyFields(args.notes);
        const conflict = row.bodyHash !== args.baseHash && row.bodyHash !== incoming.bodyHash;
        // A replay over its own merged effect must not merge again.
        const merged = row.notes !== null && args.notes !== null && row.notes.startsWith(args.notes);
        if (!conflict || row.notes === null) return incoming;
        if (merged) return {};
        const both = mergeNotes(args.notes ?? '', row.notes, context.at(args.at));
        if (both.length > LIMITS.notes)
          throw new AppError('conflict', 'The notes were changed elsewhere meanwhile');
        return bodyFields(both);
      },
    }),
});

export const addMemoryTags = defineMutator({
  realm: 'workspace',
  args: z.object({ ...target, tags }),
  run: (tx, args, context) =>
    change(tx, context, {
      id: args.id,
      at: args.at,
      fields: (row) => ({ tags: [...new Set([...row.tags, ...args.tags])].slice(0, LIMITS.tagCount) }),
    }),
});

export const removeMemoryTags = defineMutator({
  realm: 'workspace',
  args: z.object({ ...target, tags }),
  run: (tx, args, context) =>
    change(tx, context, {
      id: args.id,
      at: args.at,
      fields: (row) => ({ tags: row.tags.filter((tag) => !args.tags.includes(tag)) }),
    }),
});

export const retryMemory = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  run: (tx, { id, at }, context) =>
    change(tx, context, {
      id,
      at,
      fields: (row) => (row.type === 'note' ? {} : { contentStatus: 'pending' as const }),
    }),
});

/** To another home: it leaves the one it had, whose readers would go on reading it; its other spaces keep it. */
export const moveMemory = defineMutator({
  realm: 'workspace',
  args: z.object({ ...target, spaceId: shape.spaceId }),
  async run(tx, { id, at, spaceId }, context) {
    const row = await existing(tx, id);
    allow(context.actor, 'memory.move', await memorySubject(tx, row));
    if (spaceId !== null) await allowHome(tx, context, spaceId);
    const updated = context.at(at);
    if (row.spaceId !== null && row.spaceId !== spaceId)
      await tx.remove('space_memory', `${row.spaceId}/${id}`);
    await tx.update('memory', id, { spaceId, updated, lastEditedBy: context.actor.userId });
    if (spaceId !== null) await listInHome(tx, context, { spaceId, memoryId: id, created: updated });
  },
});

export const removeMemory = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id, at }, context) {
    const row = present(await tx.get('memory', id), 'Memory');
    allow(context.actor, 'memory.remove', await memorySubject(tx, row));
    if (row.deletedAt === null) await tx.update('memory', id, { deletedAt: context.at(at) });
  },
});

export const restoreMemory = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id }, context) {
    const row = present(await tx.get('memory', id), 'Memory');
    allow(context.actor, 'memory.remove', await memorySubject(tx, row));
    await tx.update('memory', id, { deletedAt: null });
  },
});
