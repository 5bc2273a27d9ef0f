// Waits for the answer to a message. Commits of this process trigger a poll at once; commits of other nodes are found by
// the regular one.
import { MCP } from './limits.ts';
import { SYNC } from '#shared/sync/limits.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';

interface Awaited {
  workspaceId: Id<'workspace'>;
  messageId: Id<'message'>;
}

/** Returns the id of the reply, or undefined after MCP.answerWaitMs or when the client disconnects. */
export async function awaitReply(
  { db, pokes, stopping }: Pick<Context, 'db' | 'pokes' | 'stopping'>,
  { workspaceId, messageId }: Awaited,
  disconnected: AbortSignal,
): Promise<Id<'message'> | undefined> {
  let commit = Promise.withResolvers<void>();
  const poll = () => commit.resolve();
  const over = AbortSignal.any([disconnected, stopping, AbortSignal.timeout(MCP.answerWaitMs)]);
  over.addEventListener('abort', poll, { once: true });
  const unsubscribe = pokes.listen(({ realmId }) => {
    if (realmId === workspaceId) poll();
  });
  const interval = setInterval(poll, SYNC.versionSweepMs);
  try {
    for (;;) {
      commit = Promise.withResolvers();
      const reply = await db
        .selectFrom('message')
        .select('id')
        .where('workspaceId', '=', workspaceId)
        .where('replyTo', '=', messageId)
        .executeTakeFirst();
      if (reply !== undefined || over.aborted) return reply?.id;
      await commit.promise;
    }
  } finally {
    clearInterval(interval);
    unsubscribe();
  }
}
