// Announces commits through the database: NOTIFY, outside of any write transaction, and the node's LISTEN connection. PostgreSQL
// takes a lock over all its databases at the commit of a NOTIFY, so many nodes that write all the time wait for each other here.
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { readMessage, writeMessage, type PokeChannel } from './poke-channel.ts';
import type { PostgresNotifications } from './postgres-notifications.ts';

const CHANNEL = 'loci_commit';

/** The fan-out holds the connection of the notifications, because it needs it for sessions too. */
export function createPostgresChannel(db: Database, notifications: PostgresNotifications): PokeChannel {
  return {
    async announce(commits) {
      const messages = commits.map(writeMessage);
      await sql`select pg_notify(${CHANNEL}, message) from unnest(${messages}::text[]) as message`.execute(
        db,
      );
    },
    async listen({ onCommit }) {
      notifications.on(CHANNEL, (payload) => {
        const commit = readMessage(payload);
        if (commit) onCommit(commit);
      });
    },
  };
}
