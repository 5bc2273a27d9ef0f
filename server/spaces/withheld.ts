// Memories in a space that its sharer may not show to more people: their owners moved them into private homes after they
// were filed there. A replica does not know all of them.
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { can, type Actor } from '#shared/permissions.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { withdrawnFrom } from './store.ts';

/** The memories of a space that the actor may not show to more people. */
export async function withheldFrom(
  tx: ServerTx,
  actor: Actor,
  spaceId: Id<'space'>,
): Promise<Id<'memory'>[]> {
  const rows = await withdrawnFrom(tx.trx, tx.realmId, spaceId);
  return rows
    .filter(({ ownerId }) => !can(actor, 'memory.widen', { ownerId, workspaceReads: false }))
    .map(({ id }) => id);
}

/** @throws forbidden when more people would read memories that the actor may not share */
export async function refuseWithheld(tx: ServerTx, actor: Actor, spaceId: Id<'space'>): Promise<void> {
  if ((await withheldFrom(tx, actor, spaceId)).length > 0) {
    throw new AppError(
      'forbidden',
      'Some memories in this space are private to other members. Remove them from the space first',
    );
  }
}
