/**
 * A space or a thread as a member, a guest or a visitor sees it. The server works it out, so it needs a connection;
 * nothing can be changed here, and a banner says whose view it is.
 */
import { Eye } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import { isId } from '#shared/ids.ts';
import { SPACE_VIEWERS, type SpaceViewer } from '#shared/spaces/visibility.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { useResolved } from '#client/shell/use-loaded.ts';
import { Button } from '#client/ui/button.tsx';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

const LABELS: Readonly<Record<SpaceViewer, string>> = {
  member: 'Member',
  guest: 'Guest',
  visitor: 'Visitor',
};

const subjectsOf = (kind: 'space' | 'thread'): Readonly<Record<SpaceViewer, string>> => ({
  member: 'a member',
  guest: `a guest of this ${kind}`,
  visitor: 'a visitor without an account',
});

/** The version is part of the key, so that a change of its readers is shown at once. */
interface Place {
  id: string;
  updated: string;
}

interface ViewAsProps<V> {
  place: Place;
  /** Stays the same function between renders. */
  load: (viewer: SpaceViewer) => Promise<V>;
  /** The content for those who read it; `who` as in "a member". */
  children: (view: V, who: string) => ReactNode;
}

/** Undefined until it is here. */
function useView<V>(
  { place, load }: ViewAsProps<V>,
  viewer: SpaceViewer | undefined,
): V | 'failed' | undefined {
  const read = useCallback(
    async () =>
      viewer &&
      load(viewer).catch((failure: unknown) => {
        console.info('The view could not be loaded', failure);
        return 'failed' as const;
      }),
    [load, viewer],
  );
  return useResolved(read, place.updated);
}

/** For those who may change who sees it. */
export function ViewAsCard<V extends { viewer: SpaceViewer; reads: boolean }>(props: ViewAsProps<V>) {
  const kind = isId('thread', props.place.id) ? 'thread' : 'space';
  const subjects = subjectsOf(kind);
  const [viewer, setViewer] = useState<SpaceViewer>();
  const isOnline = useIsOnline();
  const known = useView(props, isOnline ? viewer : undefined);
  if (viewer === undefined) {
    return (
      <div className="mt-4">
        <Button size="sm" icon={<Eye />} disabled={!isOnline} onClick={() => setViewer('member')}>
          View as someone else
        </Button>
        {!isOnline && <p className="mt-1 text-xs text-ink-muted">Available when you are online.</p>}
      </div>
    );
  }
  return (
    <section
      aria-label="View as someone else"
      className="mt-4 overflow-hidden rounded-card border border-warning"
    >
      <div className="flex flex-wrap items-center gap-2 bg-warning-soft px-4 py-2 text-warning">
        <output className="min-w-40 flex-1 font-medium">
          Viewing as {subjects[viewer]}. Nothing can be changed here.
        </output>
        <Button size="sm" onClick={() => setViewer(undefined)}>
          Exit
        </Button>
      </div>
      <div className="px-4 pt-3">
        <SegmentedControl
          label="View as"
          value={viewer}
          options={SPACE_VIEWERS.map((value) => ({ value, label: LABELS[value] }))}
          onValueChange={setViewer}
        />
      </div>
      {!isOnline && <p className="p-4 text-ink-muted">This view is unavailable offline.</p>}
      {isOnline && known === undefined && (
        <SkeletonGroup label="Loading the view">
          <Skeleton className="m-4 h-16" />
        </SkeletonGroup>
      )}
      {isOnline && known === 'failed' && (
        <p className="p-4 text-ink-muted">Could not load this view. Choose it again to retry.</p>
      )}
      {isOnline &&
        known !== undefined &&
        known !== 'failed' &&
        (known.reads ? (
          <div className="p-4">{props.children(known, subjects[known.viewer])}</div>
        ) : (
          <p className="p-4">
            This {kind} does not exist for {subjects[known.viewer]}.
          </p>
        ))}
    </section>
  );
}
