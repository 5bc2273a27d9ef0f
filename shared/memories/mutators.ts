// Mutations of memories. They run on the replica and on the server; server/memories/effects.ts adds the server's part
// (duplicates, processing).
import { z } from 'zod';
import { authorize, requireRow } from '../define/access.ts';
import { authoredBy } from '../define/authored.ts';
import { tags, timestamp, withoutUndefined } from '../define/fields.ts';
import { refuseOutdated, replacedTexts } from '../define/edited-texts.ts';
import { manyOf } from '../define/many.ts';
import { defineMutator, workspaceOf, type MutationContext, type Tx } from '../define/mutator.ts';
import { AppError } from '../errors.ts';
import { LIMITS } from '../constants.ts';
import type { Space } from '../spaces/space.ts';
import { readMemorySubject, placeSubject } from '../spaces/granted-subject.ts';
import { withoutSummary } from './automatic.ts';
import { bodyFields, editNotes, editQuote } from './body.ts';
import { SERVER_ORIGINS } from './memory-kinds.ts';
import { memory, NEW_MEMORY, type MemoryHead } from './memory.ts';

const { shape } = memory.row;
const target = { id: shape.id, at: timestamp };

/** @throws not_found, also for a deleted memory */
async function existing(tx: Tx, id: MemoryHead['id']): Promise<MemoryHead> {
  const row = requireRow(await tx.get('memory', id), 'Memory');
  if (row.deletedAt !== null) throw new AppError('not_found', 'Memory not found');
  return row;
}

/** The home of a memory must be an existing space that the person may file into. @throws not_found, forbidden */
async function allowHome(tx: Tx, context: MutationContext, id: Space['id']): Promise<void> {
  const home = requireRow(await tx.get('space', id), 'Space');
  if (home.deletedAt !== null) throw new AppError('not_found', 'Space not found');
  authorize(context.actor, 'space.file', await placeSubject(tx, context.actor, home));
}

/** A guest creates only in a space that is granted for writing. @throws forbidden */
async function authorizeCreate(tx: Tx, context: MutationContext, spaceId: Space['id'] | null): Promise<void> {
  const home = spaceId === null ? undefined : await tx.get('space', spaceId);
  const subject = home === undefined ? {} : await placeSubject(tx, context.actor, home);
  authorize(context.actor, 'memory.create', subject);
}

/** A home lists its own memories. */
async function listInHome(
  tx: Tx,
  context: MutationContext,
  { spaceId, memoryId, created }: { spaceId: Space['id']; memoryId: MemoryHead['id']; created: string },
): Promise<void> {
  const workspaceId = workspaceOf(context);
  await tx.insert('space_memory', {
    workspaceId,
    spaceId,
    memoryId,
    created,
    createdBy: context.actor.userId,
  });
}

async function change(
  tx: Tx,
  context: MutationContext,
  { id, at, fields }: { id: MemoryHead['id']; at: string; fields: (row: MemoryHead) => Partial<MemoryHead> },
): Promise<void> {
  const row = await existing(tx, id);
  authorize(context.actor, 'memory.update', await readMemorySubject(tx, context.actor, row));
  await tx.update('memory', id, {
    ...fields(row),
    updated: context.arrival(at),
    lastEditedBy: context.actor.userId,
  });
}

const createMemory = defineMutator({
  realm: 'workspace',
  args: memory.createArgs
    .omit({ workspaceId: true })
    .extend({
      origin: shape.origin.refine((origin) => !SERVER_ORIGINS.has(origin), 'Given by the server only'),
      at: timestamp,
    })
    .refine(
      (args) => args.url !== null || args.notes !== null || args.title !== null,
      'Needs a url or a text',
    ),
  async run(tx, { at, notes, ...given }, context) {
    await authorizeCreate(tx, context, given.spaceId);
    if (given.spaceId !== null) await allowHome(tx, context, given.spaceId);
    const created = context.at(at);
    const isNew = await tx.insert('memory', {
      ...NEW_MEMORY,
      ...given,
      ...authoredBy(context.actor.userId, workspaceOf(context), created),
      ...bodyFields(notes),
      type: given.url === null ? 'note' : 'link',
      contentStatus: given.url === null ? 'completed' : 'pending',
    });
    if (isNew && given.spaceId !== null)
      await listInHome(tx, context, { spaceId: given.spaceId, memoryId: given.id, created });
  },
});

/**
 * After a change of address: a note with one becomes a link, a link without one a note again. What was read of the former
 * page goes; only the application that created the memory stays in its metadata. A file is what was uploaded.
 */
function contentOf(
  row: MemoryHead,
  url: string | null | undefined,
): Partial<Pick<MemoryHead, 'type' | 'contentStatus' | 'metadata'>> {
  if (url === undefined || url === row.url || row.type === 'file') return {};
  const { clientId } = row.metadata;
  const metadata = clientId === undefined ? {} : { clientId };
  return url === null
    ? { type: 'note', contentStatus: 'completed', metadata }
    : { type: 'link', contentStatus: 'pending', metadata };
}

const updateMemory = defineMutator({
  realm: 'workspace',
  args: memory.patchArgs.omit({ notes: true, tags: true }).extend({
    ...target,
    base: replacedTexts({ title: shape.title, description: shape.description }),
  }),
  run: (tx, { id, at, base, ...given }, context) =>
    change(tx, context, {
      id,
      at,
      fields: (row) => {
        refuseOutdated(row, given, { base, by: context.actor.userId });
        return { ...withoutUndefined(given), ...contentOf(row, given.url) };
      },
    }),
});

const setMemoryNotes = defineMutator({
  realm: 'workspace',
  args: z.object({
    ...target,
    notes: shape.notes,
    /** bodyHash of the notes that the author has edited. */
    baseHash: shape.bodyHash,
  }),
  run: (tx, args, context) =>
    change(tx, context, {
      id: args.id,
      at: args.at,
      fields: (row) => editNotes(row, args, context.at(args.at)).fields,
    }),
});

/** Adds a quote of the page to the notes, changes its comment, or removes it. */
const editMemoryQuote = defineMutator({
  realm: 'workspace',
  args: z
    .object({
      ...target,
      /** All of the notes with the edit in them, as its author saw it. */
      notes: shape.notes,
      /** bodyHash of the notes without it. */
      baseHash: shape.bodyHash,
      /** The block of the quote before and after the edit. */
      from: shape.notes,
      to: shape.notes,
    })
    .refine(({ from, to }) => from !== null || to !== null, 'Needs a quote'),
  run: (tx, args, context) =>
    change(tx, context, { id: args.id, at: args.at, fields: (row) => editQuote(row, args) }),
});

const addMemoryTags = defineMutator({
  realm: 'workspace',
  args: z.object({ ...target, tags }),
  run: (tx, args, context) =>
    change(tx, context, {
      id: args.id,
      at: args.at,
      fields: (row) => ({ tags: [...new Set([...row.tags, ...args.tags])].slice(0, LIMITS.tagCount) }),
    }),
});

const removeMemoryTags = defineMutator({
  realm: 'workspace',
  args: z.object({ ...target, tags }),
  run: (tx, args, context) =>
    change(tx, context, {
      id: args.id,
      at: args.at,
      fields: (row) => ({ tags: row.tags.filter((tag) => !args.tags.includes(tag)) }),
    }),
});

/** Removes the summary that a language model wrote. */
const forgetSummary = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  run: (tx, { id, at }, context) =>
    change(tx, context, { id, at, fields: ({ metadata }) => ({ metadata: withoutSummary(metadata) }) }),
});

const retryMemory = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  run: (tx, { id, at }, context) =>
    change(tx, context, {
      id,
      at,
      fields: (row) => (row.type === 'note' ? {} : { contentStatus: 'pending' as const }),
    }),
});

/**
 * Moves a memory to another home. It is removed from its previous home, whose readers could otherwise still read it; it
 * stays in its other spaces.
 */
const moveMemory = defineMutator({
  realm: 'workspace',
  args: z.object({ ...target, spaceId: shape.spaceId }),
  async run(tx, { id, at, spaceId }, context) {
    const row = await existing(tx, id);
    authorize(context.actor, 'memory.move', await readMemorySubject(tx, context.actor, row));
    if (spaceId !== null) await allowHome(tx, context, spaceId);
    const updated = context.arrival(at);
    if (row.spaceId !== null && row.spaceId !== spaceId)
      await tx.remove('space_memory', `${row.spaceId}/${id}`);
    await tx.update('memory', id, { spaceId, updated, lastEditedBy: context.actor.userId });
    if (spaceId !== null) await listInHome(tx, context, { spaceId, memoryId: id, created: updated });
  },
});

const removeMemory = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id, at }, context) {
    const row = requireRow(await tx.get('memory', id), 'Memory');
    authorize(context.actor, 'memory.remove', await readMemorySubject(tx, context.actor, row));
    if (row.deletedAt === null) await tx.update('memory', id, { deletedAt: context.arrival(at) });
  },
});

const restoreMemory = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id }, context) {
    const row = requireRow(await tx.get('memory', id), 'Memory');
    authorize(context.actor, 'memory.remove', await readMemorySubject(tx, context.actor, row));
    await tx.update('memory', id, { deletedAt: null });
  },
});

/** Only the archive: an address or a title belongs to one memory. */
const archiveMemory = defineMutator({
  realm: updateMemory.realm,
  args: z.object({ ...target, archived: shape.archived }),
  run: (tx, args, context) => updateMemory.run(tx, args, context),
});

export const memoryMutators = {
  'memory.create': createMemory,
  'memory.update': updateMemory,
  'memory.set_notes': setMemoryNotes,
  'memory.edit_quote': editMemoryQuote,
  'memory.add_tags': addMemoryTags,
  'memory.remove_tags': removeMemoryTags,
  'memory.forget_summary': forgetSummary,
  'memory.retry': retryMemory,
  'memory.move': moveMemory,
  'memory.remove': removeMemory,
  'memory.restore': restoreMemory,
  'memory.archive_many': manyOf(archiveMemory, 'id'),
  'memory.add_tags_many': manyOf(addMemoryTags, 'id'),
  'memory.remove_tags_many': manyOf(removeMemoryTags, 'id'),
  'memory.move_many': manyOf(moveMemory, 'id'),
  'memory.remove_many': manyOf(removeMemory, 'id'),
  'memory.restore_many': manyOf(restoreMemory, 'id'),
} as const;
