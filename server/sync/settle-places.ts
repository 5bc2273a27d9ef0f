// Spaces and threads whose visibility was enforced as private before guests existed get the readers that it names. Until
// then fewer people read them than should, so a server that is killed meanwhile leaves nothing open.
import { sql } from 'kysely';
import { isId } from '#shared/ids.ts';
import { across } from '../db/across.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';
import { settleOthers } from './dependants.ts';

/** Settles what a migration left; safe to run twice. Returns how many places there were. */
export async function settlePlaces(context: WriteContext): Promise<number> {
  const { rows } = await sql<{ workspaceId: string; placeId: string }>`
    select "workspaceId", "placeId" from "sync_unsettled_place" order by 1, 2 ${across('upkeep')}`.execute(
    context.db,
  );
  for (const { workspaceId, placeId } of rows) {
    const kind = isId('space', placeId) ? 'space' : 'thread';
    await writeInRealm(context, workspaceId, systemActor, async (tx) => {
      if ((await tx.get(kind, placeId)) !== undefined) {
        await tx.touch(kind, [placeId], 'audience');
        await settleOthers(tx, workspaceId, { kind, ids: [placeId] });
      }
      await sql`
        delete from "sync_unsettled_place"
        where "workspaceId" = ${workspaceId} and "placeId" = ${placeId}`.execute(tx.trx);
    });
  }
  return rows.length;
}
