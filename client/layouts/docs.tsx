// The documentation's frame: the public header and footer, and the navigation beside the page (a fold-out on phones).
import { useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { DocsNavigation, useDocsNavigation } from '#client/site/docs-navigation.tsx';
import { whenIdle } from '#client/shell/quiet-moment.ts';
import { SiteFooter } from '#client/site/site-footer.tsx';
import { SiteHeader } from '#client/site/site-header.tsx';
import { SiteIcon } from '#client/shell/site-icon.tsx';

/** Scrolls the list, where there is one, to the page that is read. Not scrollIntoView: it would move the page as well. */
function showCurrent(list: HTMLElement): void {
  if (!list.checkVisibility()) return;
  const frame = list.getBoundingClientRect();
  const current = list.querySelector('[aria-current=page]')?.getBoundingClientRect();
  if (!current || (current.top >= frame.top && current.bottom <= frame.bottom)) return;
  list.scrollBy(0, (current.top + current.bottom - frame.top - frame.bottom) / 2);
}

/** Everything below /docs. */
export function DocsLayout() {
  const { pathname } = useLocation();
  const groups = useDocsNavigation();
  const [openAt, setOpenAt] = useState<string>();
  const open = openAt === pathname;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isHere = true;
    // Later: to measure while the page becomes alive costs a phone a whole layout.
    whenIdle(() => {
      if (isHere && list.current) showCurrent(list.current);
    });
    return () => {
      isHere = false;
    };
  }, [pathname, groups]);
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <div className="mx-auto w-full max-w-7xl flex-1 px-4 sm:px-6 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-10">
        <div className="border-b border-line lg:hidden">
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpenAt(open ? undefined : pathname)}
            className="flex h-12 w-full items-center justify-between text-sm font-medium"
          >
            Documentation
            <SiteIcon
              name="chevron-down"
              aria-hidden="true"
              className={`size-4 transition-transform duration-fast ${open ? 'rotate-180' : ''}`}
            />
          </button>
          <nav aria-label="Documentation" hidden={!open} className="pb-6">
            <DocsNavigation groups={groups} onChoose={() => setOpenAt(undefined)} />
          </nav>
        </div>
        <nav aria-label="Documentation" className="hidden border-e border-line lg:block">
          {/* Scrolls by itself where the window is lower than the list; the page that is read stays in sight. */}
          <div
            ref={list}
            data-scroll
            className="sticky top-16 max-h-[calc(100dvh-4rem)] overflow-y-auto py-10 pe-4"
          >
            <DocsNavigation groups={groups} />
          </div>
        </nav>
        <main id="main" tabIndex={-1} className="min-w-0 py-10 outline-none">
          <Outlet />
        </main>
      </div>
      <SiteFooter />
    </div>
  );
}
