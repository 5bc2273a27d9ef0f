/**
 * Sentences about spaces that need counting or a table: how much is in one, what deleting one means.
 * Pure words.
 */
import { countMemories } from '#shared/english.ts';

/** "12 memories stay in the workspace; 3 of them are in no other space." */
export function describeSpaceDeletion({ total, onlyHere }: { total: number; onlyHere: number }): string {
  if (total === 0) return 'There are no memories in it.';
  if (total === 1) {
    return onlyHere === 1
      ? '1 memory stays in the workspace; it is in no other space.'
      : '1 memory stays in the workspace and in its other spaces.';
  }
  const stay = `${countMemories(total)} stay in the workspace`;
  if (onlyHere === 0) return `${stay}, each of them in another space too.`;
  return `${stay}; ${onlyHere} of them ${onlyHere === 1 ? 'is' : 'are'} in no other space.`;
}
