/** How many memories a space holds, in words as wide as the placeholder before the number is known. */
import type { Known } from '#client/replica/use-known.ts';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { countMemories } from '#shared/english.ts';

export function MemoryCount({ count }: { count: Known<number> }) {
  if (count === undefined) return <Skeleton className="h-3 w-18" />;
  return <span className="tabular-nums">{countMemories(count)}</span>;
}
