/**
 * Shown in place of content that needs the whole workspace on this device, such as an empty state: shows the progress of the
 * first copy until then.
 */
import type { ReactNode } from 'react';
import { useFirstSync } from '#client/replica/use-sync-status.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { Progress } from '#client/ui/progress.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

interface FirstSyncNoticeProps {
  /** Placeholder in the shape of the content; rows by default. */
  shape?: ReactNode;
  children?: ReactNode;
}

const ROWS = ['w-2/5', 'w-3/5', 'w-1/3', 'w-1/2', 'w-2/3', 'w-2/5'].map((width, index) => (
  <div key={`${width}-${index}`} className="flex h-15.5 items-center gap-3.5 px-2">
    <Skeleton className="size-6.5" />
    <Skeleton className={`h-3.5 ${width}`} />
  </div>
));

/** Shows the children once the replica has answered. */
export function FirstSyncNotice({ shape = ROWS, children }: FirstSyncNoticeProps) {
  const { state, loaded, total } = useFirstSync();
  if (state === 'ready') return children;
  if (state === 'waiting') {
    return (
      <EmptyState title="Not on this device yet">
        This workspace has not been opened on this device. It downloads when you are online.
      </EmptyState>
    );
  }
  if (state === 'loading' && total > 0) {
    return (
      <EmptyState title="Downloading your memories">
        <Progress label="Memories on this device" value={loaded / total} />
      </EmptyState>
    );
  }
  return <SkeletonGroup label="Opening the workspace">{shape}</SkeletonGroup>;
}
