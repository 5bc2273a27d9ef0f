// Spaces that were large before there were audiences of large spaces get theirs, in pieces. Others get them with the link
// that makes them large. No person reads more or less because of it, so a server that is killed meanwhile leaves nothing wrong, and
// what is switched meanwhile is settled as a small space is.
import { sql } from 'kysely';
import { across } from '../db/across.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';
import { settleContents, type SpacePart } from './dependants.ts';
import { LARGE_SPACE, openSpaceAudiences } from './space-audiences.ts';

/** Memories per transaction. */
const PIECE = 250;

/** Moves what is in such spaces; safe to run twice, also at once. Returns how many spaces there were. */
export async function enlargeSpaces(context: WriteContext): Promise<number> {
  const { rows } = await sql<{ realmId: string; spaceId: string }>`
    select s."workspaceId" as "realmId", s."id" as "spaceId" from "space" s
    left join "sync_space_audience" large on large."realmId" = s."workspaceId" and large."spaceId" = s."id"
    where not large."settled" or large."spaceId" is null and s."id" in (
      select "spaceId" from "space_memory" group by 1 having count(*) > ${LARGE_SPACE}
      union select "spaceId" from "memory" where "spaceId" is not null group by 1 having count(*) > ${LARGE_SPACE})
    order by s."workspaceId", s."id" ${across('upkeep')}`.execute(context.db);
  for (const { realmId, spaceId } of rows) await enlargeInPieces(context, realmId, spaceId);
  return rows.length;
}

async function enlargeInPieces(context: WriteContext, realmId: string, spaceId: string): Promise<void> {
  const open = (settled: boolean) =>
    writeInRealm(context, realmId, systemActor, async (tx) => {
      if ((await tx.get('space', spaceId)) !== undefined)
        await openSpaceAudiences(tx, realmId, { spaceId, settled });
    });
  await open(false);
  let after: string | undefined = '';
  while (after !== undefined) after = await moveSome(context, realmId, { spaceId, after, limit: PIECE });
  await open(true);
}

async function moveSome(
  context: WriteContext,
  realmId: string,
  part: SpacePart,
): Promise<string | undefined> {
  const { value } = await writeInRealm(context, realmId, systemActor, (tx) =>
    settleContents(tx, realmId, part),
  );
  return value;
}
