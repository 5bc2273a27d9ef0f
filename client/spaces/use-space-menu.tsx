/**
 * Everything that can be done to a space, as menu entries for its card, its page and the palette.
 * Leaves out what this person may not do.
 */
import { CopyPlus, Image, Pencil, Pin, PinOff, Share2, Trash2 } from 'lucide-react';
import { pathTo } from '#shared/pages.ts';
import type { Space } from '#shared/spaces/space.ts';
import { usePinnedIds, useSpaceRights } from '#client/spaces/queries.ts';
import { pinSpaces } from '#client/spaces/sidebar-actions.ts';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { copyAddress } from '#client/shell/copy-address.ts';
import { openModal } from '#client/shell/modals.ts';
import type { MenuEntry } from '#client/ui/menu-entry.ts';

/** Builds the entries of a space; `onPin` is called before one is pinned or unpinned. */
export function useSpaceMenu(onPin?: (id: Space['id']) => void): (space: Space) => MenuEntry[] {
  const rights = useSpaceRights();
  const slug = useWorkspaceSlug();
  const can = useCan();
  const pinned = usePinnedIds();
  return (space) => {
    const spaceId = space.id;
    const mayEdit = rights('space.update', space);
    const isPinned = pinned.includes(spaceId);
    return [
      can('sidebar.update') && {
        label: isPinned ? 'Unpin' : 'Pin to the sidebar',
        icon: isPinned ? <PinOff /> : <Pin />,
        run: () => {
          onPin?.(spaceId);
          void pinSpaces([space], !isPinned);
        },
      },
      mayEdit && { label: 'Edit…', icon: <Pencil />, run: () => openModal('editSpace', { spaceId }) },
      mayEdit && {
        label: 'Change cover…',
        icon: <Image />,
        run: () => openModal('changeSpaceCover', { spaceId }),
      },
      mayEdit && { label: 'Share…', icon: <Share2 />, run: () => openModal('shareSpace', { spaceId }) },
      {
        label: 'Copy link',
        icon: <CopyPlus />,
        run: () => void copyAddress(pathTo('space', { workspace_slug: slug, space_slug: space.slug })),
      },
      rights('space.remove', space) && { kind: 'line' },
      rights('space.remove', space) && {
        label: 'Delete…',
        icon: <Trash2 />,
        tone: 'danger',
        run: () => openModal('deleteSpace', { spaceId }),
      },
    ];
  };
}
