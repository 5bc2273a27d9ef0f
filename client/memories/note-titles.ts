/** The titles that a reference in a note can name, for completing one while it is typed. */
import type { MemoryHead } from '#shared/memories/memory.ts';
import { referenceName } from '#shared/markdown/references.ts';
import { foldText } from '#shared/memories/text-analysis.ts';
import { rankTitles, type Titled } from '#client/shell/ranked-titles.ts';

const MOST = 30;
/** A reference ends at these, so a title with one of them cannot be referred to. */
const UNWRITABLE = /[[\]|\n\r]/;
const LONGEST = 300;

/** A list that changed is another list. */
const known = new WeakMap<readonly MemoryHead[], readonly Titled<string>[]>();

/** Of equal titles the first, which is the newest: the one that a reference leads to. */
function titlesOf(rows: readonly MemoryHead[]): readonly Titled<string>[] {
  const before = known.get(rows);
  if (before) return before;
  const seen = new Set<string>();
  const titles = rows.flatMap(({ title }): Titled<string>[] => {
    if (!title || title.length > LONGEST || UNWRITABLE.test(title)) return [];
    const name = referenceName(title);
    if (name === '' || seen.has(name)) return [];
    seen.add(name);
    return [{ row: title.trim(), folded: foldText(title.trim()) }];
  });
  known.set(rows, titles);
  return titles;
}

/** The best titles for what is typed; of equally good ones the newest first. */
export function findTitles(rows: readonly MemoryHead[], typed: string): string[] {
  return rankTitles(titlesOf(rows), typed, MOST);
}
