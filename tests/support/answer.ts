/** Writes an answer into the database of a running server, with the server's own function. */
import { Registry } from 'prom-client';
import { writeInRealm } from '#server/db/transaction.ts';
import { openDatabase } from '#server/db/database.ts';
import { createSyncMetrics } from '#server/sync/metrics.ts';
import { writeAnswer } from '#server/threads/answers.ts';
import type { Id } from '#shared/ids.ts';
import type { Citation } from '#shared/threads/citation.ts';
import { asPerson } from '#server/sync/readable.ts';

export interface Answered {
  workspaceId: string;
  userId: string;
  threadId: Id<'thread'>;
  content: string;
  citations?: Citation[];
}

/** Returns the id of the message. */
export async function answerInDatabase(
  databaseUrl: string,
  { workspaceId, userId, ...answer }: Answered,
): Promise<Id<'message'>> {
  const { db, close } = openDatabase({
    url: databaseUrl,
    name: 'answer',
    size: 2,
    onError: (error) => console.error(error),
  });
  try {
    const context = {
      db,
      writeDb: db,
      clock: { now: () => new Date() },
      log: { error: (...told: unknown[]) => console.error(...told) },
      pokes: { committed: () => undefined },
      metrics: createSyncMetrics(new Registry()),
    };
    const { value } = await writeInRealm(context, workspaceId, asPerson(userId), (tx) =>
      writeAnswer(tx, answer),
    );
    return value;
  } finally {
    await close();
  }
}
