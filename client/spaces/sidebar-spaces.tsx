/**
 * The spaces in the sidebar, by name with their colours; memories can be dropped on each.
 * Filing itself is handed in, since it belongs to memories.
 */
import { clsx } from 'clsx';
import { Folders, Plus } from 'lucide-react';
import type { Id } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import type { Space } from '#shared/spaces/space.ts';
import { useMemoryDrop } from '#client/shell/drag.ts';
import { openModal } from '#client/shell/modals.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { SidebarLink } from '#client/shell/sidebar-link.tsx';
import { useSpaceRights, useSpaces } from '#client/spaces/queries.ts';
import { SpaceDot } from '#client/spaces/space-dot-card.tsx';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { IconButton } from '#client/ui/icon-button.tsx';

interface SidebarSpacesProps {
  collapsed: boolean;
  onFile: (ids: readonly Id<'memory'>[], space: Space) => void;
}

function SpaceLine({ space, collapsed, onFile }: SidebarSpacesProps & { space: Space }) {
  const slug = useWorkspaceSlug();
  const rights = useSpaceRights();
  const { ref, over } = useMemoryDrop<HTMLAnchorElement>(
    (ids) => onFile(ids, space),
    rights('space.file', space),
  );
  return (
    <SidebarLink
      ref={ref}
      to={pathTo('space', { workspace_slug: slug, space_slug: space.slug })}
      label={space.name}
      collapsed={collapsed}
      icon={
        <span className="grid size-4 shrink-0 place-items-center">
          <SpaceDot color={space.color} />
        </span>
      }
      className={clsx(over && 'bg-primary-soft! text-primary-soft-ink! outline-2 outline-primary')}
    />
  );
}

/** The list under its own line, which leads to all spaces. */
export function SidebarSpaces({ collapsed, onFile }: SidebarSpacesProps) {
  const slug = useWorkspaceSlug();
  const spaces = useSpaces();
  const can = useCan();
  return (
    <div className="mt-4">
      <div className={clsx('flex items-center', collapsed && 'justify-center')}>
        <SidebarLink
          to={pathTo('spaces', { workspace_slug: slug })}
          end
          label="Spaces"
          icon={<Folders />}
          collapsed={collapsed}
          keys={keysOf('go.spaces')}
        />
        {!collapsed && can('space.create') && (
          <IconButton
            label="New space"
            icon={<Plus />}
            size="xs"
            onClick={() => openModal('createSpace', {})}
          />
        )}
      </div>
      <ul className={clsx('mt-0.5 flex flex-col gap-0.5', !collapsed && 'ps-3')}>
        {spaces.map((space) => (
          <li key={space.id}>
            <SpaceLine space={space} collapsed={collapsed} onFile={onFile} />
          </li>
        ))}
      </ul>
      {!collapsed && spaces.length === 0 && (
        <p className="px-2 py-1 ps-5 text-xs text-ink-faint">Spaces group what belongs together.</p>
      )}
    </div>
  );
}
