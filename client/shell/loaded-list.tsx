/** The three faces of a list that the server has: loading, not reachable, here. */
import type { ReactNode } from 'react';
import { keptHeight, useKeptHeight } from '#client/shell/use-kept-height.ts';
import type { Loaded } from '#client/shell/use-loaded.ts';
import { Button } from '#client/ui/button.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

interface LoadedListProps<T> {
  known: Loaded<T>;
  /** Name of the loaded data, for example "your connected apps". */
  what: string;
  /** Height of the skeleton. */
  height?: string;
  onRetry: () => void;
  children: (value: T) => ReactNode;
}

export function LoadedList<T>({ known, what, height = 'h-12', onRetry, children }: LoadedListProps<T>) {
  if (known.state === 'loading') {
    const kept = keptHeight(what);
    return (
      <div hidden={kept === 0} style={{ minHeight: kept }}>
        <SkeletonGroup label={`Loading ${what}`}>
          <Skeleton className={`${height} w-full`} />
        </SkeletonGroup>
      </div>
    );
  }
  if (known.state === 'here') return <Shown name={what}>{children(known.value)}</Shown>;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-ink-muted">Could not load {what}.</p>
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

function Shown({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div ref={useKeptHeight(name)} className="contents">
      {children}
    </div>
  );
}
