/**
 * One space in the sidebar: a link that accepts memories and other spaces dropped on it, with its menu. There may be more than
 * a hundred rows, so the menu is created on first use and a row is rendered again only when its space has changed.
 */
import { clsx } from 'clsx';
import { MoreHorizontal } from 'lucide-react';
import { memo } from 'react';
import type { Id } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import type { Space } from '#shared/spaces/space.ts';
import { useSpaceRow, type DropPlace } from '#client/shell/drag.ts';
import { SidebarLink } from '#client/shell/sidebar-link.tsx';
import { useSpaceCount } from '#client/spaces/queries.ts';
import { SpaceMark } from '#client/spaces/space-mark-card.tsx';
import { LazyMenu } from '#client/ui/lazy-menu.tsx';
import type { MenuEntry } from '#client/ui/menu-entry.ts';
import { formatCount } from '#shared/english.ts';

/** Actions of a row; the same object for the life of the sidebar. */
export interface RowActs {
  entries: (spaceId: Space['id']) => readonly MenuEntry[];
  file: (ids: readonly Id<'memory'>[], space: Space) => void;
  drop: (dragged: Space['id'], beside: Space['id'], place: DropPlace) => void;
}

interface SpaceRowProps {
  space: Space;
  workspaceSlug: string;
  collapsed: boolean;
  movable: boolean;
  fileable: boolean;
  acts: RowActs;
}

const LINES = { above: 'before:-top-px', below: 'before:-bottom-px', into: '' } as const;

/** One item of a list. */
export const SidebarSpaceRow = memo(function SidebarSpaceRow({
  space,
  workspaceSlug,
  collapsed,
  movable,
  fileable,
  acts,
}: SpaceRowProps) {
  const { ref, over } = useSpaceRow<HTMLAnchorElement>({
    spaceId: space.id,
    movable,
    fileable,
    onMemories: (ids) => acts.file(ids, space),
    onSpace: (dragged, place) => acts.drop(dragged, space.id, place),
  });
  const count = useSpaceCount(space.id);
  return (
    <li
      data-space={space.id}
      className={clsx(
        'group/row relative',
        over !== undefined &&
          over !== 'into' && [
            'before:pointer-events-none before:absolute before:inset-x-0 before:z-1 before:h-0.5 before:rounded-full before:bg-primary forced-colors:before:bg-[Highlight]',
            LINES[over],
          ],
      )}
    >
      <SidebarLink
        ref={ref}
        to={pathTo('space', { workspace_slug: workspaceSlug, space_slug: space.slug })}
        label={space.name}
        collapsed={collapsed}
        marked
        icon={<SpaceMark color={space.color} className="size-3!" />}
        className={clsx(
          !collapsed && 'pe-10! pointer-coarse:pe-11!',
          over === 'into' && 'bg-primary-soft! text-primary! outline-2 outline-primary',
        )}
      />
      {!collapsed && count !== undefined && count > 0 && (
        <span className="pointer-events-none absolute inset-y-0 end-2 grid place-items-center text-xs text-ink-faint tabular-nums group-focus-within/row:opacity-0 group-hover/row:opacity-0 pointer-coarse:hidden">
          {formatCount(count)}
          <span className="sr-only">{count === 1 ? 'memory' : 'memories'}</span>
        </span>
      )}
      {!collapsed && (
        <span className="absolute inset-y-0 end-1 grid place-items-center opacity-0 group-hover/row:opacity-100 focus-within:opacity-100 has-data-[state=open]:opacity-100 pointer-coarse:opacity-100">
          <LazyMenu
            button={{
              label: `Options for ${space.name}`,
              icon: <MoreHorizontal />,
              size: 'xs',
              tabIndex: -1,
            }}
            entries={() => acts.entries(space.id)}
          />
        </span>
      )}
    </li>
  );
});
