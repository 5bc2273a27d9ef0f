// The check before a space or a thread is shown to people without an account.
import { authorize } from '../define/access.ts';
import { workspaceOf, type MutationContext, type Tx } from '../define/mutator.ts';
import { publishingSubjectOf } from '../subject.ts';

/** @throws forbidden also where the workspace does not allow its members to share publicly */
export async function authorizePublishing(
  tx: Tx,
  context: MutationContext,
  action: 'space.publish' | 'thread.publish',
  row: { ownerId: string },
): Promise<void> {
  const workspace = await tx.get('workspace', workspaceOf(context));
  authorize(context.actor, action, publishingSubjectOf(row, workspace));
}
