/**
 * One space as a card of the spaces page: cover, name, what it is for, how much is in it and who can see it. The name is a link
 * over the whole card; the menu is above it.
 */
import { clsx } from 'clsx';
import { MoreHorizontal } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import type { Space } from '#shared/spaces/space.ts';
import type { Known } from '#client/replica/use-known.ts';
import { SpaceCover } from '#client/spaces/space-cover-card.tsx';
import { MemoryCount } from '#client/spaces/memory-count-card.tsx';
import { useSpaceMenu } from '#client/spaces/use-space-menu.tsx';
import { VisibilityMark } from '#client/spaces/visibility-card.tsx';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { ContextMenu } from '#client/ui/context-menu.tsx';
import { LazyMenu } from '#client/ui/lazy-menu.tsx';

interface SpaceCardProps {
  space: Space;
  count: Known<number>;
  selected: boolean;
  /** Something is selected or about to be: then a click selects. */
  selecting: boolean;
  onSelect: (range: boolean) => void;
}

/** Fills its cell of the grid. */
export function SpaceCard({ space, count, selected, selecting, onSelect }: SpaceCardProps) {
  const slug = useWorkspaceSlug();
  const menuOf = useSpaceMenu();
  const handleClick = (event: MouseEvent) => {
    if (!event.shiftKey && !selecting) return;
    event.preventDefault();
    onSelect(event.shiftKey);
  };
  return (
    <ContextMenu entries={() => menuOf(space)}>
      <article
        data-selected={selected || undefined}
        className="group/card relative flex h-full flex-col overflow-hidden rounded-card border border-line bg-raised transition-colors duration-fast hover:border-line-strong data-selected:border-primary data-selected:outline data-selected:outline-primary"
      >
        <SpaceCover color={space.color} name={space.name} lit={count !== 0} className="shrink-0" />
        <div className="flex min-h-26 flex-1 flex-col gap-1 px-4 pt-3 pb-3.5">
          <h2 className="font-serif text-name break-words">
            <Link
              to={pathTo('space', { workspace_slug: slug, space_slug: space.slug })}
              data-card={space.id}
              onClick={handleClick}
              className="outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-primary"
            >
              {space.name}
            </Link>
          </h2>
          <p className="line-clamp-2 break-words text-ink-muted">{space.description}</p>
          <p className="mt-auto flex items-center gap-x-1.5 pt-2 text-xs whitespace-nowrap text-ink-faint">
            <MemoryCount count={count} />
            <span className="ms-auto">
              <VisibilityMark visibility={space.visibility} wordless />
            </span>
          </p>
        </div>
        <span
          className={clsx(
            'absolute start-2 top-2 z-1 grid size-8 place-items-center rounded-control bg-raised',
            selecting
              ? 'opacity-100'
              : 'opacity-0 group-hover/card:opacity-100 focus-within:opacity-100 pointer-coarse:hidden',
          )}
        >
          <Checkbox
            label={`Select ${space.name}`}
            hideLabel
            tabIndex={-1}
            checked={selected}
            onCheckedChange={() => onSelect(false)}
          />
        </span>
        <span className="absolute end-2 top-2 z-1 rounded-control bg-raised opacity-0 group-hover/card:opacity-100 focus-within:opacity-100 has-data-[state=open]:opacity-100 pointer-coarse:opacity-100">
          <LazyMenu
            button={{ label: `Actions for ${space.name}`, icon: <MoreHorizontal />, size: 'sm' }}
            entries={() => menuOf(space)}
          />
        </span>
      </article>
    </ContextMenu>
  );
}
