/** The navigation of the documentation: pages by group, the one that is read marked. */
import type { NavigationGroup } from '#shared/site/content.ts';
import { usePageAddress } from '#client/shell/page-address.ts';

export function DocsNavigation({ groups }: { groups: readonly NavigationGroup[] }) {
  const { pathname } = usePageAddress();
  return (
    <ul className="space-y-7">
      {groups.map(({ title, pages }) => (
        <li key={title}>
          <p className="px-2.5 text-xs font-medium text-ink-faint">{title}</p>
          <ul className="mt-2 space-y-0.5">
            {pages.map(({ path, title: label }) => (
              <li key={path}>
                <a
                  href={path}
                  aria-current={path === pathname ? 'page' : undefined}
                  className="flex min-h-8 items-center rounded-control px-2.5 py-1 text-sm text-ink-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-primary-soft aria-[current=page]:font-medium aria-[current=page]:text-primary pointer-coarse:min-h-11"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
