/**
 * The confirmation before a space is deleted, which states the effect on its memories in numbers. Leaves the page of a deleted
 * space.
 */
import { useLocation, useNavigate } from 'react-router';
import { TRASH_DAYS } from '#shared/memories/limits.ts';
import { countMemories } from '#shared/english.ts';
import { pathTo } from '#shared/pages.ts';
import type { Space } from '#shared/spaces/space.ts';
import { anonymousReads } from '#shared/spaces/visibility.ts';
import { removeSpace } from '#client/spaces/actions.ts';
import { useSpace, useSpaceRights, useSpaceShare } from '#client/spaces/queries.ts';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { useModal } from '#client/shell/modals.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';

/** "12 memories stay in the workspace; 3 of them are in no other space." */
function describeSpaceDeletion({ total, onlyHere }: { total: number; onlyHere: number }): string {
  if (total === 0) return 'There are no memories in it.';
  if (total === 1) {
    return onlyHere === 1
      ? '1 memory stays in the workspace; it is in no other space.'
      : '1 memory stays in the workspace and in its other spaces.';
  }
  const stay = `${countMemories(total)} stay in the workspace`;
  if (onlyHere === 0) return `${stay}, each of them in another space too.`;
  return `${stay}; ${onlyHere} of them ${onlyHere === 1 ? 'is' : 'are'} in no other space.`;
}

function Consequence({ space }: { space: Space }) {
  const share = useSpaceShare(space.id);
  return (
    <>
      {share ? <p>{describeSpaceDeletion(share)}</p> : <Skeleton className="h-5 w-4/5" />}
      {anonymousReads(space.visibility) && <p className="mt-2">Its public page stops working at once.</p>}
      <p className="mt-2">It can be restored for {TRASH_DAYS} days.</p>
    </>
  );
}

/** Once per dashboard. */
export function DeleteSpaceModal() {
  const modal = useModal('deleteSpace');
  const space = useSpace(modal.args?.spaceId);
  const rights = useSpaceRights();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const workspaceSlug = useWorkspaceSlug();
  if (!space || !rights('space.remove', space)) return null;
  const own = pathTo('space', { workspace_slug: workspaceSlug, space_slug: space.slug });
  const remove = async () => {
    modal.close();
    const isHere = pathname === own;
    const isDone = await removeSpace(space, () => isHere && void navigate(own));
    if (isDone && isHere) await navigate(pathTo('spaces', { workspace_slug: workspaceSlug }));
  };
  return (
    <ConfirmDialog
      open={modal.open}
      onOpenChange={modal.onOpenChange}
      title={`Delete ${space.name}?`}
      confirm="Delete space"
      onConfirm={() => void remove()}
    >
      <Consequence space={space} />
    </ConfirmDialog>
  );
}
