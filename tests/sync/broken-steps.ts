/** Parts of sync that are wrong on purpose; they exist to be caught. */
import { sql } from 'kysely';
import type { PullState } from '#server/sync/pull-steps.ts';
import type { PushHost } from '#server/sync/push.ts';

/** Step 3 without `born`: everything that lives in a lost audience is named. */
export async function forgetLostWithoutBorn(state: PullState): Promise<void> {
  const lost = Object.keys(state.base?.a ?? {}).filter(
    (audience) => !state.realm.audiences.includes(audience),
  );
  const { rows } = await sql<{ key: string }>`
    select "key" from "sync_entry" where "audienceId" = any(${lost}::text[])`.execute(state.db);
  for (const { key } of rows) state.dels.add(key);
}

/** Stores refusals in the realm of the mutation, which a removed member can no longer read. */
export const keepRefusalsInClosedRealm: PushHost['inboxOf'] = ({ realmId }) => realmId;
