// Failures of pushed mutations that were nobody's decision (SYNC 2.5 step 6): counted outside the failed transaction,
// so that a mutation which always fails can block its author for minutes, never for ever.
import { sql } from 'kysely';
import { SYNC } from '#shared/constants.ts';
import type { PushedMutation } from '#shared/sync/protocol.ts';
import type { Database } from '../db/database.ts';

type MutationRef = Pick<PushedMutation, 'clientID' | 'id'>;

/** What earlier pushes of the same mutations met. */
export interface Attempts {
  /** It failed often enough, for long enough, to be set aside. */
  isPoisoned(mutation: MutationRef, now: Date): boolean;
}

const MESSAGE_LIMIT = 500;
const refOf = ({ clientID, id }: MutationRef): string => `${clientID}/${id}`;

/** One counted failure as it is stored. */
export interface AttemptRow {
  clientID: string;
  id: number;
  attempts: number;
  firstAt: string;
}

/** What was counted, ready to be asked. */
export function attemptsOf(rows: readonly AttemptRow[]): Attempts {
  const found = new Map(rows.map((row) => [refOf(row), row]));
  return {
    isPoisoned(mutation, now) {
      const row = found.get(refOf(mutation));
      if (row === undefined || row.attempts < SYNC.poisonAttempts) return false;
      return now.getTime() - Date.parse(row.firstAt) >= SYNC.poisonSpanMs;
    },
  };
}

/** Adds one failure. */
export async function countAttempt(
  db: Database,
  mutation: MutationRef,
  { error, now }: { error: unknown; now: Date },
): Promise<void> {
  const message = String(error).slice(0, MESSAGE_LIMIT);
  await sql`
    insert into "sync_mutation_attempt" as a ("clientId", "mutationId", "attempts", "firstAt", "lastError")
    values (${mutation.clientID}, ${mutation.id}, 1, ${now.toISOString()}, ${message})
    on conflict ("clientId", "mutationId")
      do update set "attempts" = a."attempts" + 1, "lastError" = excluded."lastError"`.execute(db);
}
