/**
 * The share dialog of a space. Reads and writes the replica, so it works offline and says so by the sync indicator.
 */
import { useCallback } from 'react';
import type { SpaceView } from '#shared/spaces/space-view.ts';
import { anonymousReads, VISIBILITY, type Visibility, type SpaceViewer } from '#shared/spaces/visibility.ts';
import { pathTo } from '#shared/pages.ts';
import type { Space } from '#shared/spaces/space.ts';
import { api } from '#client/api/session-client.ts';
import { useModal } from '#client/shell/modals.ts';
import { showToast } from '#client/shell/toasts.ts';
import { updateSpace } from '#client/spaces/actions.ts';
import { GrantsCard } from '#client/spaces/grants-card.tsx';
import { PublicSpaceCard } from '#client/spaces/public-space-card.tsx';
import {
  useMayPublishSpaces,
  useSpace,
  useSpaceContents,
  useSpaceCount,
  useSpaceRights,
} from '#client/spaces/queries.ts';
import { ShareCard } from '#client/spaces/share-card.tsx';
import { spaceConsequence } from '#client/spaces/share-words.ts';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { ViewAsCard } from '#client/spaces/view-as-card.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Switch } from '#client/ui/switch.tsx';
import { useCan, useWorkspace, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { VisitorQuestions } from '#client/workspaces/visitor-questions-card.tsx';
import { countMemories } from '#shared/english.ts';

function ShareSpace({ space }: { space: Space }) {
  const slug = useWorkspaceSlug();
  const workspace = useWorkspace();
  const memoryCount = useSpaceCount(space.id);
  const contents = useSpaceContents(space.id);
  const rights = useSpaceRights();
  const can = useCan();
  const publishable = useMayPublishSpaces(space.ownerId);
  if (memoryCount === undefined || contents === undefined) return <FirstSyncNotice />;
  const path = pathTo('public_space', { workspace_slug: slug, space_slug: space.slug });
  const change = async (visibility: Visibility) => {
    const isDone = await updateSpace(space.id, { visibility });
    const wasShared = anonymousReads(space.visibility);
    if (isDone && wasShared !== anonymousReads(visibility)) {
      const title = wasShared ? `${space.name} is no longer shared` : `${space.name} is shared`;
      showToast({ kind: 'success', title, description: VISIBILITY[visibility].description });
    }
    return isDone;
  };
  const place = { id: space.workspaceId, slug, name: workspace?.name ?? '' };
  return (
    <ShareCard
      visibility={space.visibility}
      editable={rights('space.update', space)}
      publishable={publishable}
      path={path}
      feedPath={`${path}/feed.xml`}
      consequence={spaceConsequence(memoryCount, contents, space.publishText)}
      choice={
        <div className="flex flex-col gap-4">
          <Switch
            label="Publish the text of notes"
            hint="Visitors read whole notes instead of their titles."
            checked={space.publishText}
            disabled={!rights('space.update', space) || !publishable}
            onCheckedChange={(publishText) => void updateSpace(space.id, { publishText })}
          />
          {workspace && anonymousReads(space.visibility) && (
            <VisitorQuestions workspace={workspace} disabled={!can('workspace.update')} />
          )}
        </div>
      }
      preview={<PublicSpaceCard space={{ ...space, memoryCount, workspace: place }} inert />}
      people={
        <>
          <GrantsCard place={space} editable={rights('space.update', space)} />
          {rights('space.update', space) && <ViewSpaceAs space={space} />}
        </>
      }
      unshared="workspace"
      onChange={change}
    />
  );
}

/** Once per dashboard. */
export function ShareSpaceModal() {
  const { open, args, onOpenChange } = useModal('shareSpace');
  const space = useSpace(args?.spaceId);
  return (
    <Dialog
      open={open && space !== undefined && space.deletedAt === null}
      onOpenChange={onOpenChange}
      title={space ? `Share “${space.name}”` : 'Share'}
    >
      {space && <ShareSpace key={space.id} space={space} />}
    </Dialog>
  );
}

function Content({ view, who }: { view: SpaceView; who: string }) {
  return (
    <>
      <p className="font-serif text-name wrap-anywhere">{view.space?.name}</p>
      {view.space?.description && (
        <p className="mt-1 wrap-anywhere text-ink-muted">{view.space.description}</p>
      )}
      <p className="mt-1 text-xs text-ink-muted">{countMemories(view.total)}</p>
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
function ViewSpaceAs({ space }: { space: Space }) {
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
