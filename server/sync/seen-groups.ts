// When a client group was last in use, so that the clean-up forgets only those that are out of use.
import { sql } from 'kysely';
import type { WriteContext } from '../db/transaction.ts';

type Host = Pick<WriteContext, 'db' | 'clock'>;

interface Group {
  userId: string;
  realmId: string;
  clientGroupId: string;
}

/** An hour is exact enough for a limit of months. */
export const SEEN_GRANULARITY_MS = 3_600_000;
const REMEMBERED_MAX = 10_000;

/** Records that the group is in use. */
export async function noteSeen(host: Host, { userId, realmId, clientGroupId }: Group): Promise<void> {
  const now = host.clock.now();
  await sql`
    update "sync_client_group" set "lastSeen" = ${now.toISOString()}
    where "id" = ${clientGroupId} and "userId" = ${userId} and "realmId" = ${realmId}
      and "lastSeen" < ${new Date(now.getTime() - SEEN_GRANULARITY_MS).toISOString()}`.execute(host.db);
}

/** The record of one process, which writes to the database once an hour per group and not at every pull. */
export function createSeenNotes(host: Host): { note(group: Group): Promise<void> } {
  const noted = new Map<string, number>();
  return {
    async note(group) {
      const now = host.clock.now().getTime();
      if (now - (noted.get(group.clientGroupId) ?? 0) < SEEN_GRANULARITY_MS) return;
      if (noted.size >= REMEMBERED_MAX) noted.clear();
      noted.set(group.clientGroupId, now);
      await noteSeen(host, group);
    },
  };
}
