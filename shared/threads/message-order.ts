/** The order of messages within their thread. */
import type { Message } from './message.ts';

type Place = Pick<Message, 'createdAt' | 'id'>;

/** Oldest first; those of the same moment by their ids. */
export function byPlace(a: Place, b: Place): number {
  const [first, second] = a.createdAt === b.createdAt ? [a.id, b.id] : [a.createdAt, b.createdAt];
  return first < second ? -1 : Number(first > second);
}
