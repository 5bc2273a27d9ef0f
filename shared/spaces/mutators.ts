// Mutations of spaces and of the links between spaces and memories. The server adjusts a slug that is taken
// (server/spaces/effects.ts), because a replica does not see other people's private spaces.
import { z } from 'zod';
import { allow, present } from '../define/access.ts';
import { timestamp, withoutUndefined } from '../define/fields.ts';
import { defineMutator, workspaceOf, type MutationContext, type Tx } from '../define/mutator.ts';
import { AppError } from '../errors.ts';
import type { Subject } from '../permissions.ts';
import { memorySubject } from '../memories/mutators.ts';
import { spaceMemory } from './space-memory.ts';
import { space, type Space } from './space.ts';
import { anonymousReads, workspaceReads, type Visibility } from './visibility.ts';

const { shape } = space.row;
const target = { id: shape.id, at: timestamp };

function subjectOf(row: Pick<Space, 'ownerId' | 'visibility'>): Subject {
  return { ownerId: row.ownerId, workspaceReads: workspaceReads(row.visibility) };
}

async function allowPublishing(
  tx: Tx,
  context: MutationContext,
  row: Pick<Space, 'ownerId'>,
  to: Visibility,
) {
  if (!anonymousReads(to)) return;
  const owner = await tx.get('workspace', workspaceOf(context));
  allow(context.actor, 'space.publish', {
    ownerId: row.ownerId,
    publicSharing: owner?.allowPublicSharing ?? true,
  });
}

async function existing(tx: Tx, id: Space['id']): Promise<Space> {
  const row = present(await tx.get('space', id), 'Space');
  if (row.deletedAt !== null) throw new AppError('not_found', 'Space not found');
  return row;
}

export const createSpace = defineMutator({
  realm: 'workspace',
  args: z.object({
    ...target,
    name: shape.name,
    description: shape.description.default(null),
    color: shape.color.default('emerald'),
    cover: shape.cover.default('none'),
    slug: shape.slug,
    origin: shape.origin.default('web'),
    visibility: shape.visibility.default('workspace'),
  }),
  async run(tx, { at, ...given }, context) {
    allow(context.actor, 'space.create');
    const userId = context.actor.userId;
    await allowPublishing(tx, context, { ownerId: userId }, given.visibility);
    const created = context.at(at);
    await tx.insert('space', {
      ...given,
      workspaceId: workspaceOf(context),
      ownerId: userId,
      createdBy: userId,
      lastEditedBy: userId,
      created,
      updated: created,
      deletedAt: null,
    });
  },
});

export const updateSpace = defineMutator({
  realm: 'workspace',
  args: z.object({
    ...target,
    name: shape.name.optional(),
    description: shape.description.optional(),
    color: shape.color.optional(),
    cover: shape.cover.optional(),
    slug: shape.slug.optional(),
    visibility: shape.visibility.optional(),
  }),
  async run(tx, { id, at, ...given }, context) {
    const row = await existing(tx, id);
    allow(context.actor, 'space.update', subjectOf(row));
    if (given.visibility !== undefined && given.visibility !== row.visibility) {
      await allowPublishing(tx, context, row, given.visibility);
    }
    await tx.update('space', id, {
      ...withoutUndefined(given),
      updated: context.at(at),
      lastEditedBy: context.actor.userId,
    });
  },
});

export const removeSpace = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id, at }, context) {
    const row = present(await tx.get('space', id), 'Space');
    allow(context.actor, 'space.remove', subjectOf(row));
    if (row.deletedAt === null) await tx.update('space', id, { deletedAt: context.at(at) });
  },
});

export const restoreSpace = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id }, context) {
    const row = present(await tx.get('space', id), 'Space');
    allow(context.actor, 'space.remove', subjectOf(row));
    await tx.update('space', id, { deletedAt: null });
  },
});

const link = { spaceId: spaceMemory.row.shape.spaceId, memoryId: spaceMemory.row.shape.memoryId };

export const addMemoryToSpace = defineMutator({
  realm: 'workspace',
  args: z.object({ ...link, at: timestamp }),
  async run(tx, { spaceId, memoryId, at }, context) {
    const target = await existing(tx, spaceId);
    const row = present(await tx.get('memory', memoryId), 'Memory');
    if (row.deletedAt !== null) throw new AppError('not_found', 'Memory not found');
    allow(context.actor, 'space.file', subjectOf(target));
    const subject = await memorySubject(tx, row);
    const widens = anonymousReads(target.visibility) || subject.workspaceReads !== true;
    if (widens) allow(context.actor, 'memory.widen', subject);
    await tx.insert('space_memory', {
      workspaceId: workspaceOf(context),
      spaceId,
      memoryId,
      createdBy: context.actor.userId,
      created: context.at(at),
    });
  },
});

export const removeMemoryFromSpace = defineMutator({
  realm: 'workspace',
  args: z.object({ ...link, at: timestamp }),
  async run(tx, { spaceId, memoryId }, context) {
    const target = present(await tx.get('space', spaceId), 'Space');
    allow(context.actor, 'space.file', subjectOf(target));
    await tx.remove('space_memory', `${spaceId}/${memoryId}`);
  },
});
