/**
 * A space as a member, a guest or a visitor sees it. The server works it out, so it needs a connection; nothing can be
 * changed here, and a banner says whose view it is.
 */
import { Eye } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { SpaceView } from '#shared/spaces/space-view.ts';
import type { Space } from '#shared/spaces/space.ts';
import { SPACE_VIEWERS, type SpaceViewer } from '#shared/spaces/visibility.ts';
import { api } from '#client/api/session-client.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { memoryCount } from '#client/spaces/space-words.ts';
import { Button } from '#client/ui/button.tsx';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

const LABELS: Readonly<Record<SpaceViewer, string>> = {
  member: 'Member',
  guest: 'Guest',
  visitor: 'Visitor',
};

const SUBJECTS: Readonly<Record<SpaceViewer, string>> = {
  member: 'a member',
  guest: 'a guest of this space',
  visitor: 'a visitor without an account',
};

type Known = { state: 'loading' } | { state: 'failed' } | { state: 'here'; view: SpaceView };

const LOADING: Known = { state: 'loading' };

/** The version of the space is part of the key, so that a change of who sees it is shown at once. */
function useSpaceView(space: Space, viewer: SpaceViewer | undefined): Known {
  const { id, workspaceId, updated } = space;
  const asked = `${id} ${updated} ${viewer}`;
  const [known, setKnown] = useState({ asked, answer: LOADING });
  useEffect(() => {
    if (viewer === undefined) return undefined;
    let isCurrent = true;
    api('space.view_as', { params: { workspaceId, id }, query: { viewer } }).then(
      ({ result }) => isCurrent && setKnown({ asked, answer: { state: 'here', view: result } }),
      (failure: unknown) => {
        console.info('The view could not be loaded', failure);
        if (isCurrent) setKnown({ asked, answer: { state: 'failed' } });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [id, workspaceId, asked, viewer]);
  return known.asked === asked ? known.answer : LOADING;
}

function Content({ view }: { view: SpaceView }) {
  const who = SUBJECTS[view.viewer];
  if (!view.reads) return <p className="p-4">This space does not exist for {who}.</p>;
  return (
    <div className="p-4">
      <p className="text-base font-semibold wrap-anywhere">{view.space?.name}</p>
      {view.space?.description && (
        <p className="mt-1 wrap-anywhere text-ink-muted">{view.space.description}</p>
      )}
      <p className="mt-1 text-xs text-ink-muted">{memoryCount(view.total)}</p>
      <ul aria-label={`What ${who} sees`} className="mt-3 divide-y divide-line/60">
        {view.memories.map((memory) => (
          <li key={memory.id} className="py-2 wrap-anywhere">
            {memory.title ?? 'Untitled'}
          </li>
        ))}
      </ul>
      {view.total > view.memories.length && (
        <p className="mt-2 text-xs text-ink-muted">And {view.total - view.memories.length} more.</p>
      )}
    </div>
  );
}

/** For those who may change who sees the space. */
export function ViewAs({ space }: { space: Space }) {
  const [viewer, setViewer] = useState<SpaceViewer>();
  const isOnline = useIsOnline();
  const known = useSpaceView(space, isOnline ? viewer : undefined);
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
      <div className="flex flex-wrap items-center gap-2 bg-warning-soft px-4 py-2 text-warning-soft-ink">
        <output className="min-w-40 flex-1 font-medium">
          Viewing as {SUBJECTS[viewer]}. Nothing can be changed here.
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
      {isOnline && known.state === 'loading' && (
        <SkeletonGroup label="Loading the view">
          <Skeleton className="m-4 h-16" />
        </SkeletonGroup>
      )}
      {isOnline && known.state === 'failed' && (
        <p className="p-4 text-ink-muted">Could not load this view. Choose it again to retry.</p>
      )}
      {isOnline && known.state === 'here' && <Content view={known.view} />}
    </section>
  );
}
