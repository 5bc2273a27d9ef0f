/** A space as other people see it: its name and the memories that they find in it. */
import { useCallback } from 'react';
import type { Space } from '#shared/spaces/space.ts';
import type { SpaceView } from '#shared/spaces/space-view.ts';
import type { SpaceViewer } from '#shared/spaces/visibility.ts';
import { api } from '#client/api/session-client.ts';
import { memoryCount } from '#client/spaces/space-words.ts';
import { ViewAsCard } from '#client/spaces/view-as-card.tsx';

function Content({ view, who }: { view: SpaceView; who: string }) {
  return (
    <>
      <p className="font-serif text-name wrap-anywhere">{view.space?.name}</p>
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
    </>
  );
}

/** For those who may change who sees the space. */
export function ViewSpaceAs({ space }: { space: Space }) {
  const { id, workspaceId } = space;
  const load = useCallback(
    async (viewer: SpaceViewer) =>
      (await api('space.view_as', { params: { workspaceId, id }, query: { viewer } })).result,
    [workspaceId, id],
  );
  return (
    <ViewAsCard place={space} load={load}>
      {(view, who) => <Content view={view} who={who} />}
    </ViewAsCard>
  );
}
