// Mutations of spaces and of the links between spaces and memories. The server adjusts a slug in use
// (server/spaces/effects.ts), because a replica does not see other people's private spaces.
import { z } from 'zod';
import { authorize, requireRow } from '../define/access.ts';
import { authoredBy } from '../define/authored.ts';
import { timestamp, withoutUndefined } from '../define/fields.ts';
import { refuseOutdated, replacedTexts } from '../define/edited-texts.ts';
import { manyOf } from '../define/many.ts';
import { defineMutator, workspaceOf, type Tx } from '../define/mutator.ts';
import { AppError } from '../errors.ts';
import { subjectOf } from '../subject.ts';
import { readMemorySubject, placeSubject } from './granted-subject.ts';
import { authorizePublishing } from './publishing.ts';
import { hueOf } from './space-looks.ts';
import { spaceMemory } from './space-memory.ts';
import { space, type Space } from './space.ts';
import { anonymousReads, outsidersRead } from './visibility.ts';

const { shape } = space.row;
const target = { id: shape.id, at: timestamp };

async function existing(tx: Tx, id: Space['id']): Promise<Space> {
  const row = requireRow(await tx.get('space', id), 'Space');
  if (row.deletedAt !== null) throw new AppError('not_found', 'Space not found');
  return row;
}

const createSpace = defineMutator({
  realm: 'workspace',
  args: space.createArgs.omit({ workspaceId: true }).extend({ color: shape.color.optional(), at: timestamp }),
  async run(tx, { at, ...given }, context) {
    authorize(context.actor, 'space.create');
    const userId = context.actor.userId;
    if (anonymousReads(given.visibility))
      await authorizePublishing(tx, context, 'space.publish', { ownerId: userId });
    await tx.insert('space', {
      ...given,
      ...authoredBy(userId, workspaceOf(context), context.at(at)),
      color: given.color ?? hueOf(given.name),
    });
  },
});

const updateSpace = defineMutator({
  realm: 'workspace',
  args: space.patchArgs.extend({
    ...target,
    base: replacedTexts({ name: shape.name, description: shape.description }),
  }),
  async run(tx, { id, at, base, ...given }, context) {
    const row = await existing(tx, id);
    authorize(context.actor, 'space.update', subjectOf(row, row));
    refuseOutdated(row, given, { base, by: context.actor.userId });
    const to = given.visibility ?? row.visibility;
    const publishesText = given.publishText === true && !row.publishText;
    if (anonymousReads(to) && (to !== row.visibility || publishesText))
      await authorizePublishing(tx, context, 'space.publish', row);
    await tx.update('space', id, {
      ...withoutUndefined(given),
      updated: context.arrival(at),
      lastEditedBy: context.actor.userId,
    });
  },
});

const colorSpace = defineMutator({
  realm: 'workspace',
  args: z.object({ ...target, color: shape.color }),
  run: updateSpace.run,
});

const removeSpace = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id, at }, context) {
    const row = requireRow(await tx.get('space', id), 'Space');
    authorize(context.actor, 'space.remove', subjectOf(row, row));
    if (row.deletedAt === null) await tx.update('space', id, { deletedAt: context.arrival(at) });
  },
});

const restoreSpace = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id }, context) {
    const row = requireRow(await tx.get('space', id), 'Space');
    authorize(context.actor, 'space.remove', subjectOf(row, row));
    await tx.update('space', id, { deletedAt: null });
  },
});

const link = { spaceId: spaceMemory.row.shape.spaceId, memoryId: spaceMemory.row.shape.memoryId };

const addMemoryToSpace = defineMutator({
  realm: 'workspace',
  args: z.object({ ...link, at: timestamp }),
  async run(tx, { spaceId, memoryId, at }, context) {
    const target = await existing(tx, spaceId);
    const row = requireRow(await tx.get('memory', memoryId), 'Memory');
    if (row.deletedAt !== null) throw new AppError('not_found', 'Memory not found');
    authorize(context.actor, 'space.file', await placeSubject(tx, context.actor, target));
    const subject = await readMemorySubject(tx, context.actor, row);
    const leavesWorkspace = anonymousReads(target.visibility) || outsidersRead(target.visibility);
    const widens = leavesWorkspace || subject.workspaceReads !== true;
    if (widens) authorize(context.actor, 'memory.widen', subject);
    await tx.insert('space_memory', {
      workspaceId: workspaceOf(context),
      spaceId,
      memoryId,
      createdBy: context.actor.userId,
      created: context.at(at),
    });
  },
});

const removeMemoryFromSpace = defineMutator({
  realm: 'workspace',
  args: z.object({ ...link, at: timestamp }),
  async run(tx, { spaceId, memoryId }, context) {
    const target = requireRow(await tx.get('space', spaceId), 'Space');
    authorize(context.actor, 'space.file', await placeSubject(tx, context.actor, target));
    await tx.remove('space_memory', `${spaceId}/${memoryId}`);
  },
});

export const spaceMutators = {
  'space.create': createSpace,
  'space.update': updateSpace,
  'space.color_many': manyOf(colorSpace, 'id'),
  'space.remove': removeSpace,
  'space.restore': restoreSpace,
  'space_memory.create': addMemoryToSpace,
  'space_memory.remove': removeMemoryFromSpace,
  'space_memory.create_many': manyOf(addMemoryToSpace, 'memoryId'),
  'space_memory.remove_many': manyOf(removeMemoryFromSpace, 'memoryId'),
} as const;
