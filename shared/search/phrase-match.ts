/** Finds the documents that contain terms side by side, from the stored positions. Reads only. */
import type { TermGroup } from '../memories/search-plan.ts';
import { readPostings, type TermUse } from './postings.ts';
import type { Segment } from './segment.ts';

/** For each document, where the phrase so far ends. */
type Ends = Map<number, number[]>;

/**
 * Documents in which the group's terms follow each other in the field that the group names.
 * `fillings` are the segment's terms for each of them; `isWanted` spares looking at documents that are out already.
 */
export function findPhrase(
  segment: Segment,
  group: TermGroup,
  fillings: readonly (readonly TermUse[])[],
  isWanted: (doc: number) => boolean,
): Set<number> {
  let ends: Ends | undefined;
  for (const filling of fillings) ends = extend(segment, filling, ends, isWanted);
  const found = new Set<number>();
  for (const [doc, last] of ends ?? []) {
    if (last.some((position) => isInField(segment, group, doc, position))) found.add(doc);
  }
  return found;
}

function extend(
  segment: Segment,
  filling: readonly TermUse[],
  before: Ends | undefined,
  isWanted: (doc: number) => boolean,
): Ends {
  const after: Ends = new Map();
  for (const term of filling.flatMap(termsIn)) {
    const reader = readPostings(segment.data, term, true);
    while (reader.next()) {
      const { doc } = reader;
      const previous = before?.get(doc);
      if (before ? !previous : !isWanted(doc)) continue;
      const positions = reader.positions();
      const following = previous
        ? positions.filter((position) => previous.includes(position - 1))
        : positions;
      if (following.length > 0) after.set(doc, [...(after.get(doc) ?? []), ...following]);
    }
  }
  return after;
}

function termsIn({ first, end }: TermUse): number[] {
  return Array.from({ length: end - first }, (_, offset) => first + offset);
}

function isInField({ data }: Segment, group: TermGroup, doc: number, last: number): boolean {
  const titleEnd = data.titleEnds[doc] ?? 0;
  if (group.field === 'title') return last < titleEnd;
  if (group.field === 'url') return last >= titleEnd && last < (data.urlEnds[doc] ?? 0);
  return true;
}
