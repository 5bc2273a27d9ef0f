/** The documentation's frame: the public header and footer, and the navigation beside the page (a fold-out on phones). */
import type { ReactNode } from 'react';
import type { NavigationGroup } from '#shared/site/content.ts';
import { usePageAddress } from '#client/shell/page-address.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { SiteFooter } from '#client/site/site-footer.tsx';
import { SiteHeader } from '#client/site/site-header.tsx';

interface DocsFrameProps {
  groups: readonly NavigationGroup[];
  children: ReactNode;
}

/** Everything below /docs. */
export function DocsFrame({ groups, children }: DocsFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <div className="mx-auto w-full max-w-6xl flex-1 px-4 sm:px-6 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-10">
        <nav aria-label="Documentation" className="border-line max-lg:border-b lg:border-e">
          <button
            type="button"
            data-action="fold-out"
            aria-expanded={false}
            aria-controls="docs-pages"
            className="group flex h-12 w-full items-center justify-between text-sm font-medium lg:hidden"
          >
            Documentation
            <SiteIcon
              name="chevron-down"
              className="size-4 transition-transform duration-fast group-aria-expanded:rotate-180"
            />
          </button>
          <noscript>
            <a href="/docs" className="inline-flex h-12 items-center underline lg:hidden">
              All pages
            </a>
          </noscript>
          <div id="docs-pages" className="max-lg:hidden max-lg:pb-6 max-lg:data-open:block lg:h-full">
            {/* Scrolls by itself where the window is lower than the list; the page that is read stays in sight. */}
            <div
              data-scroll
              className="lg:sticky lg:top-16 lg:-ms-2.5 lg:max-h-[calc(100dvh-4rem)] lg:overflow-y-auto lg:py-10 lg:pe-4"
            >
              <DocsNavigation groups={groups} />
            </div>
          </div>
        </nav>
        <main id="main" tabIndex={-1} className="min-w-0 py-10 outline-none">
          {children}
        </main>
      </div>
      <SiteFooter />
    </div>
  );
}

function DocsNavigation({ groups }: { groups: readonly NavigationGroup[] }) {
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
