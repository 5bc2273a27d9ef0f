/** The three faces of what the server has: loading, not reachable, here. */
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { keptHeight, useKeptHeight } from '#client/shell/use-kept-height.ts';
import type { Loaded } from '#client/shell/use-loaded.ts';
import { Button } from '#client/ui/button.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

interface LoadedListProps<T> {
  known: Loaded<T>;
  /** Name of the loaded data, for example "your connected apps". */
  what: string;
  /** What a new account has: drawn unseen where nothing is known, so that what stands below has its place. */
  usual: T;
  onRetry: () => void;
  children: (value: T) => ReactNode;
}

export function LoadedList<T>({ known, what, usual, onRetry, children }: LoadedListProps<T>) {
  if (known.state === 'here') return <Shown name={what}>{children(known.value)}</Shown>;
  if (known.state === 'loading') return <Awaited name={what}>{children(usual)}</Awaited>;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-ink-muted">Could not load {what}.</p>
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

/** As high as it was when it was last here, or as the usual. */
function Awaited({ name, children }: { name: string; children: ReactNode }) {
  const kept = keptHeight(name);
  return (
    <div
      data-loaded
      hidden={kept === 0}
      style={{ height: kept }}
      className={clsx(
        'relative gap-[inherit] overflow-hidden',
        kept === undefined && 'has-[>:first-child:empty]:hidden',
      )}
    >
      <div inert className="invisible flex flex-col gap-[inherit]">
        {kept === undefined && children}
      </div>
      <div className="absolute inset-x-0 top-0">
        <SkeletonGroup label={`Loading ${name}`}>
          <Skeleton className="h-12 w-full" />
        </SkeletonGroup>
      </div>
    </div>
  );
}

function Shown({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div data-loaded ref={useKeptHeight(name)} className="contents">
      {children}
    </div>
  );
}
