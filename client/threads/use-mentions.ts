/** Suggestions for `@` in a message: memories and spaces of this device whose title matches the text after it. */
import type { Head } from '#shared/entities.ts';
import { foldText } from '#shared/memories/text-analysis.ts';
import { sourceTitle } from '#shared/threads/answer-sources.ts';
import type { ContextItem } from '#shared/threads/message-context.ts';
import { useReader } from '#client/replica/use-query.ts';
import { rankTitles, type Titled } from '#client/shell/ranked-titles.ts';

const MOST = { memories: 6, spaces: 3 } as const;

/** An `@` at the start of a word, with what is typed after it up to the cursor. */
const BEGUN = /(?:^|\s)@((?:\S[^\n@]{0,60})?)$/;

/** Where the mention under the cursor begins, and the typed part of it; undefined where there is none. */
export function mentionAt(text: string, cursor: number): { start: number; typed: string } | undefined {
  const [, typed] = BEGUN.exec(text.slice(Math.max(0, cursor - 64), cursor)) ?? [];
  return typed === undefined ? undefined : { start: cursor - typed.length - 1, typed };
}

/** A list that changed is another list. */
const known = new WeakMap<readonly object[], readonly Titled<ContextItem>[]>();

function titledOf<T extends object>(
  rows: readonly T[],
  itemOf: (row: T) => ContextItem,
): readonly Titled<ContextItem>[] {
  const before = known.get(rows);
  if (before) return before;
  const titled = rows.map((row) => {
    const item = itemOf(row);
    return { row: item, folded: foldText(item.title) };
  });
  known.set(rows, titled);
  return titled;
}

/** Reads no notes for a title, as the sources of an answer do not. */
const memoryItem = (row: Head<'memory'>): ContextItem => ({
  kind: 'memory',
  id: row.id,
  title: sourceTitle(row),
});

const spaceItem = ({ id, name }: Head<'space'>): ContextItem => ({ kind: 'space', id, title: name });

/** Finds them, spaces first; those that are chosen already are left out. */
export function useMentions(): (typed: string, chosen: readonly ContextItem[]) => readonly ContextItem[] {
  const read = useReader();
  return (typed, chosen) => {
    const taken = new Set<string>(chosen.map(({ id }) => id));
    const best = (rows: readonly Titled<ContextItem>[], most: number) =>
      rankTitles(rows, typed, most + taken.size)
        .filter(({ id }) => !taken.has(id))
        .slice(0, most);
    return read((view) => [
      ...best(titledOf(view.list('space'), spaceItem), MOST.spaces),
      ...best(titledOf(view.list('memory'), memoryItem), MOST.memories),
    ]);
  };
}
