// Mutations of grants: those who may change who sees a space or a thread name people for it, one by one, so that two
// devices that name different people offline both count.
import { z } from 'zod';
import { authorize } from '../define/access.ts';
import { timestamp } from '../define/fields.ts';
import { defineMutator, workspaceOf, type MutationContext, type Tx } from '../define/mutator.ts';
import { AppError } from '../errors.ts';
import { isId } from '../ids.ts';
import { subjectOf } from '../subject.ts';
import { quotesChoice } from '../threads/quotes-choice.ts';
import { grant, grantHolder, grantResource, type GrantResource } from './grant.ts';

const target = { resourceId: grantResource, holder: grantHolder, at: timestamp };

/** The space or thread, when the actor may change who sees it. @throws not_found, forbidden */
async function requireShareable(tx: Tx, context: MutationContext, id: GrantResource) {
  const kind = isId('space', id) ? 'space' : 'thread';
  const row = await tx.get(kind, id);
  if (row === undefined || row.deletedAt !== null) {
    throw new AppError('not_found', kind === 'space' ? 'Space not found' : 'Thread not found');
  }
  authorize(context.actor, kind === 'space' ? 'space.update' : 'thread.update', subjectOf(row, row));
  return row;
}

const putGrant = defineMutator({
  realm: 'workspace',
  args: z.object({
    ...target,
    level: grant.row.shape.level,
    /** Of a thread: what becomes of the passages that this person cannot read. */
    quotes: quotesChoice,
  }),
  async run(tx, { resourceId, holder, level, at }, context) {
    const place = await requireShareable(tx, context, resourceId);
    if (holder === place.ownerId)
      throw new AppError('invalid', 'userId: the owner can do everything already');
    const id = `${resourceId}/${holder}`;
    if ((await tx.get('grant', id)) !== undefined) return tx.update('grant', id, { level });
    await tx.insert('grant', {
      workspaceId: workspaceOf(context),
      resourceId,
      holder,
      userId: isId('user', holder) ? holder : null,
      level,
      createdBy: context.actor.userId,
      created: context.at(at),
    });
  },
});

const removeGrant = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { resourceId, holder }, context) {
    await requireShareable(tx, context, resourceId);
    await tx.remove('grant', `${resourceId}/${holder}`);
  },
});

const leaveGrant = defineMutator({
  realm: 'workspace',
  args: z.object({ resourceId: grantResource, at: timestamp }),
  /** Ends the grants of the actor by account or address; access by position cannot be ended this way. */
  async run(tx, { resourceId }, { actor }) {
    authorize(actor, 'grant.leave');
    const grants = await tx.ownGrants();
    for (const row of grants)
      if (row.resourceId === resourceId && row.userId === actor.userId)
        await tx.remove('grant', `${resourceId}/${row.holder}`);
  },
});

export const grantMutators = {
  'grant.put': putGrant,
  'grant.remove': removeGrant,
  'grant.leave': leaveGrant,
} as const;
