/** The saved filters in the sidebar: links to lists of all memories, each with a menu that removes it. */
import { clsx } from 'clsx';
import { ListFilter, MoreHorizontal, Trash2 } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { filterQueryOf, removeFilter } from '#client/memories/filter-actions.ts';
import { sidebarRow } from '#client/shell/sidebar-link.tsx';
import { setDrawerOpen } from '#client/shell/sidebar-state.ts';
import { useSavedFilters } from '#client/spaces/queries.ts';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { LazyMenu } from '#client/ui/lazy-menu.tsx';
import { Tooltip } from '#client/ui/tooltip.tsx';

function useShown(): { home: string; current: string | undefined } {
  const home = pathTo('workspace_home', { workspace_slug: useWorkspaceSlug() });
  const { pathname, search } = useLocation();
  return { home, current: pathname === home ? filterQueryOf(new URLSearchParams(search)) : undefined };
}

/** Whether the list on the screen is that of a saved filter: then its link is the current one, and not that of all memories. */
export function useIsFilterShown(): boolean {
  const { current } = useShown();
  return useSavedFilters().some(([, query]) => query === current);
}

/** Nothing without a saved filter. */
export function SidebarFilters({ collapsed }: { collapsed: boolean }) {
  const filters = useSavedFilters();
  const { home, current } = useShown();
  if (filters.length === 0) return null;
  return (
    <ul aria-label="Saved filters" className="mt-0.5 flex flex-col gap-0.5">
      {filters.map(([name, query]) => {
        const link = (
          <Link
            to={`${home}?${query}`}
            aria-label={collapsed ? name : undefined}
            aria-current={query === current ? 'page' : undefined}
            onClick={() => setDrawerOpen(false)}
            className={clsx(sidebarRow(collapsed), !collapsed && 'group-hover/row:pe-8 pointer-coarse:pe-11')}
          >
            <ListFilter aria-hidden="true" />
            {!collapsed && <span className="min-w-0 flex-1 truncate">{name}</span>}
          </Link>
        );
        return (
          <li key={name} className="group/row relative">
            {collapsed ? (
              <Tooltip text={name} side="right" describes={false}>
                {link}
              </Tooltip>
            ) : (
              <>
                {link}
                <span className="absolute inset-y-0 end-1 grid place-items-center opacity-0 group-hover/row:opacity-100 focus-within:opacity-100 has-data-[state=open]:opacity-100 pointer-coarse:opacity-100">
                  <LazyMenu
                    button={{ label: `Options for ${name}`, icon: <MoreHorizontal />, size: 'xs' }}
                    entries={() => [
                      {
                        label: 'Remove filter',
                        icon: <Trash2 />,
                        tone: 'danger',
                        run: () => void removeFilter(name, query),
                      },
                    ]}
                  />
                </span>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
