/** Makes a person a member of a workspace of a running program, without an invitation. */
import { Registry } from 'prom-client';
import type { Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import { openDatabase } from '#server/db/database.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { createLog } from '#server/log.ts';
import { createSyncMetrics } from '#server/sync/metrics.ts';
import { addMember } from '#server/workspaces/membership.ts';

/** Resolves when the membership is stored. */
export async function joinWorkspace(
  databaseUrl: string,
  given: { workspaceId: Id<'workspace'>; userId: Id<'user'>; position: Position },
): Promise<void> {
  const log = createLog('silent');
  const { db, close } = openDatabase({
    url: databaseUrl,
    name: 'join',
    size: 2,
    onError: (error) => log.error({ error }, 'the connection failed'),
  });
  const host = {
    db,
    writeDb: db,
    log,
    clock: { now: () => new Date() },
    pokes: { committed: () => undefined },
    metrics: createSyncMetrics(new Registry()),
  };
  try {
    await writeInRealm(host, given.workspaceId, systemActor, (tx) =>
      addMember(tx, { userId: given.userId, position: given.position, invitedBy: null }),
    );
  } finally {
    await close();
  }
}
