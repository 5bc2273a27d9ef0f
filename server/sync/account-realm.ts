// The account realm of a person who was never written to: opened at the first pull, so that it has a version.
import { sql } from 'kysely';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';
import { asPerson } from './readable.ts';

/** Creates the realm unless it exists; its first version gives its owner access. */
export async function openAccountRealm(context: WriteContext, userId: string): Promise<void> {
  const { rows } = await sql`select 1 from "sync_realm" where "realmId" = ${userId}`.execute(context.db);
  if (rows.length === 0) await writeInRealm(context, userId, asPerson(userId), async () => undefined);
}
