/**
 * Everything that can be done to a space, as menu entries for its card, its page and the palette.
 * Leaves out what this person may not do.
 */
import { CopyPlus, Image, Pencil, Share2, Trash2 } from 'lucide-react';
import { pathTo } from '#shared/pages.ts';
import type { Space } from '#shared/spaces/space.ts';
import { useSpaceRights } from '#client/spaces/queries.ts';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { copyAddress } from '#client/shell/copy-address.ts';
import { openModal } from '#client/shell/modals.ts';
import type { MenuEntry } from '#client/ui/menu-entry.ts';

/** Builds the entries of a space. */
export function useSpaceMenu(): (space: Space) => MenuEntry[] {
  const rights = useSpaceRights();
  const slug = useWorkspaceSlug();
  return (space) => {
    const spaceId = space.id;
    const mayEdit = rights('space.update', space);
    return [
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
