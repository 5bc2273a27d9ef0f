/** Counts the requests to the embedding model for each workspace. */
import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** One request, with the tokens that the service reported. A count that fails is logged, because the vectors are there. */
export async function countEmbedding(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  workspaceId: string,
  tokens: number | undefined,
): Promise<void> {
  const day = clock.now().toISOString().slice(0, 10);
  try {
    await sql`
      insert into "model_usage" as counted ("workspaceId", "day", "calls", "embeddingCalls", "embeddingTokens")
      select "id", ${day}::date, 0, 1, ${tokens ?? 0}::bigint from "workspace" where "id" = ${workspaceId}
      on conflict ("workspaceId", "day") do update set "embeddingCalls" = counted."embeddingCalls" + 1,
        "embeddingTokens" = counted."embeddingTokens" + excluded."embeddingTokens"`.execute(db);
  } catch (error) {
    log.warn({ error, workspaceId }, 'a request to the embedding model was not counted');
  }
}
