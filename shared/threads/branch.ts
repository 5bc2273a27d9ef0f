/**
 * A branch: a private thread of the person with the messages of another one up to a certain message. They keep their authors,
 * times and sources, and are not answered again.
 */
import { LIMITS } from '../constants.ts';
import { derivedId } from '../derived-id.ts';
import { byPlace } from './message-order.ts';
import type { Message } from './message.ts';
import type { Thread } from './thread.ts';

/** Copies of messages, oldest first. Their ids are the same on each side, so a copy can be branched from before it is sent. */
export function copiesOf(messages: readonly Message[], threadId: Thread['id']): Message[] {
  // Messages of the same moment are in the order of their ids.
  const places = messages
    .map(({ id, createdAt }) => ({ createdAt, id: derivedId('message', `${threadId} ${id}`) }))
    .sort(byPlace);
  const idOf = new Map(messages.map(({ id }, index) => [id, places[index]?.id]));
  return messages.map((message) => ({
    ...message,
    id: idOf.get(message.id) ?? message.id,
    threadId,
    replyTo: (message.replyTo && idOf.get(message.replyTo)) ?? null,
  }));
}

const SUFFIX = ' (branch)';

export function branchName(name: string): string {
  const room = LIMITS.name - SUFFIX.length;
  // Never cuts a surrogate pair.
  const start = name.length > room ? name.slice(0, room).replace(/[\ud800-\udbff]$/, '') : name;
  return start.endsWith(SUFFIX) ? start : `${start}${SUFFIX}`;
}
