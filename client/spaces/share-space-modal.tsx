/**
 * The share dialog of a space. Reads and writes the replica, so it works offline and says so by the sync indicator.
 */
import { anonymousReads, VISIBILITY, type Visibility } from '#shared/spaces/visibility.ts';
import { pathTo } from '#shared/pages.ts';
import type { Space } from '#shared/spaces/space.ts';
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
import { ViewSpaceAs } from '#client/spaces/view-space-as.tsx';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Switch } from '#client/ui/switch.tsx';
import { useCan, useWorkspace, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { VisitorQuestions } from '#client/workspaces/visitor-questions-card.tsx';

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
