// Failures of pushed mutations caused by neither the author nor the database: counted outside the failed transaction, so that a
// mutation which always fails can block its author for minutes, never for ever.
import { sql } from 'kysely';
import { SYNC } from '#shared/sync/limits.ts';
import type { PushedMutation } from '#shared/sync/protocol.ts';
import type { Database } from '../db/database.ts';
import { textOf } from '../log.ts';

type MutationRef = Pick<PushedMutation, 'clientID' | 'id'>;

const MESSAGE_LIMIT = 500;

/**
 * Adds one failure. True when the mutation has failed often enough, with enough time between the first failure and this
 * one, to be set aside: quick failures followed by a long absence are no proof.
 */
export async function countAttempt(
  db: Database,
  mutation: MutationRef,
  { error, now }: { error: unknown; now: Date },
): Promise<boolean> {
  const message = textOf(error).slice(0, MESSAGE_LIMIT);
  const at = now.toISOString();
  const { rows } = await sql<{ attempts: number; firstAt: string; lastAt: string }>`
    insert into "sync_mutation_attempt" as a ("clientId", "mutationId", "attempts", "firstAt", "lastAt", "lastError")
    values (${mutation.clientID}, ${mutation.id}, 1, ${at}, ${at}, ${message})
    on conflict ("clientId", "mutationId") do update
      set "attempts" = a."attempts" + 1, "lastAt" = excluded."lastAt", "lastError" = excluded."lastError"
    returning "attempts", "firstAt", "lastAt"`.execute(db);
  return rows.some(
    ({ attempts, firstAt, lastAt }) =>
      attempts >= SYNC.poisonAttempts && Date.parse(lastAt) - Date.parse(firstAt) >= SYNC.poisonSpanMs,
  );
}
