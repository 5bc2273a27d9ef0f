// Mutations that a device makes again after a crash: it cannot know whether its first push arrived, so it names the mutations
// that it repeats, and one that the server has processed is not applied twice.
import { sql } from 'kysely';
import type { PushedMutation } from '#shared/sync/protocol.ts';
import type { ServerTx } from '../db/server-tx.ts';

/** Whether one of the mutations that this one repeats was processed for the same person in the same realm. */
export async function wasTaken(
  tx: ServerTx,
  { userId, realmId }: { userId: string; realmId: string },
  { mutation, lastIds }: { mutation: PushedMutation; lastIds: ReadonlyMap<string, number | undefined> },
): Promise<boolean> {
  const refs = mutation.replayOf ?? [];
  if (refs.length === 0) return false;
  // Taken earlier in the same batch, so not in the table yet.
  if (refs.some(({ clientID, id }) => id <= (lastIds.get(clientID) ?? 0))) return true;
  const { rows } = await sql`
    select 1 from jsonb_to_recordset(${JSON.stringify(refs)}::jsonb) as r("clientID" text, "id" bigint)
    join "sync_client" c on c."id" = r."clientID" and c."lastMutationId" >= r."id"
    join "sync_client_group" g on g."id" = c."clientGroupId"
    where g."userId" = ${userId} and g."realmId" = ${realmId} limit 1`.execute(tx.trx);
  return rows.length > 0;
}
