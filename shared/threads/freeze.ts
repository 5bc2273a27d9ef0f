// The frozen public view of a thread: it ends with one message, and later messages come after it.
import { requireRow } from '../define/access.ts';
import type { Tx } from '../define/mutator.ts';
import { AppError } from '../errors.ts';
import type { Thread } from './thread.ts';

/** Makes sure that a view can end with this message. @throws not_found for a message of another thread */
export async function checkLastPublic(
  tx: Tx,
  threadId: string,
  messageId: NonNullable<Thread['publicUntil']>,
): Promise<void> {
  const last = requireRow(await tx.get('message', messageId), 'Message');
  if (last.threadId !== threadId) throw new AppError('not_found', 'Message not found');
}

/** The time itself, or the one next to `last`: a device's clock may be slow, but its message is added last. */
export function behind(last: string, at: string): string {
  return at > last ? at : new Date(Date.parse(last) + 1).toISOString();
}

/**
 * The time to store for a new message. One that was written offline before the freeze, or with a clock that is behind,
 * arrives later: it may not slip into what the public sees already.
 */
export async function timeBehindFreeze(tx: Tx, { publicUntil }: Thread, at: string): Promise<string> {
  // A replica may have a row from before there was the field, or no longer have the message; the server has both.
  const last = publicUntil ? await tx.get('message', publicUntil) : undefined;
  return last === undefined ? at : behind(last.createdAt, at);
}
