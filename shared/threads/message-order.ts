/** The order of messages within their thread, and which of them it has from another one. */
import type { Message } from './message.ts';
import type { Thread } from './thread.ts';

type Place = Pick<Message, 'createdAt' | 'id'>;

/** Oldest first; those of the same moment by their ids. */
export function byPlace(a: Place, b: Place): number {
  const [first, second] = a.createdAt === b.createdAt ? [a.id, b.id] : [a.createdAt, b.createdAt];
  return first < second ? -1 : Number(first > second);
}

/** Whether a branch copied the message, which is older than the branch then: it is not answered again. */
export function isCopied({ createdAt }: Place, { created }: Pick<Thread, 'created'>): boolean {
  return createdAt < created;
}
