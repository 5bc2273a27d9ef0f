// The navigation of the documentation. It is loaded in the browser only (specification section 2); until it is there,
// and without JavaScript, the first page with its list of all pages stands in.
import { useEffect, useState } from 'react';
import { NavLink } from 'react-router';
import type { NavigationGroup } from '#shared/site/content.ts';
import { loadDocsNavigation } from '#client/site/browser-content.ts';

/** Pages by group; undefined until loaded. */
export function useDocsNavigation(): NavigationGroup[] | undefined {
  const [groups, setGroups] = useState<NavigationGroup[]>();
  useEffect(() => {
    loadDocsNavigation().then(setGroups, (error: unknown) =>
      console.warn('The navigation could not be loaded', error),
    );
  }, []);
  return groups;
}

/** The list itself; `onChoose` closes the drawer on phones. */
export function DocsNavigation({
  groups,
  onChoose,
}: {
  groups: NavigationGroup[] | undefined;
  onChoose?: () => void;
}) {
  if (!groups) {
    return (
      <noscript>
        <a href="/docs">All pages</a>
      </noscript>
    );
  }
  return (
    <ul className="space-y-7">
      {groups.map(({ title, pages }) => (
        <li key={title}>
          <p className="px-3 text-sm font-semibold">{title}</p>
          <ul className="mt-2 space-y-0.5">
            {pages.map(({ path, title: label }) => (
              <li key={path}>
                <NavLink
                  to={path}
                  end
                  onClick={onChoose}
                  className="flex min-h-8 items-center rounded-control px-3 py-1.5 text-sm text-ink-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-primary-soft aria-[current=page]:font-medium aria-[current=page]:text-primary-soft-ink pointer-coarse:min-h-11"
                >
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
