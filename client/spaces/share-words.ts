/**
 * Sentences of the share dialogs: what becomes visible, in numbers. Pure words.
 */
import { memoryCount } from '#client/spaces/space-words.ts';

/** What the web sees of a space; notes are named because people worry about them. */
export function spaceConsequence(count: number): string {
  const shown = count === 0 ? 'Memories you add later' : memoryCount(count);
  const verb = count === 1 ? 'becomes' : 'become';
  return `${shown} ${verb} visible with title, address, description, summary and tags. Notes never do.`;
}
