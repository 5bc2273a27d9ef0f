/** Notifications for tests: caused as features cause them, without the features. */
import { newId } from '#shared/ids.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { notify, type Notice } from '#server/notifications/service.ts';
import type { Agent } from './agent.ts';
import type { World } from './world.ts';

/** Notifies a person of something new, an import unless told otherwise. */
export async function cause(
  { context }: World,
  { user }: Pick<Agent, 'user'>,
  given: Partial<Notice> = {},
): Promise<void> {
  await writeInRealm(context, user.id, systemActor, (tx) =>
    notify(tx, {
      userId: user.id,
      workspaceId: null,
      triggerId: 'import.finished',
      subject: newId('upload'),
      title: 'Import finished',
      body: 'notes.zip is in your workspace.',
      priority: 'low',
      ...given,
    }),
  );
}
