/**
 * The bar on top of every dashboard page: the button that opens the sidebar on phones, the page's heading and its
 * actions. Stays visible while the page scrolls.
 */
import { Menu } from 'lucide-react';
import type { ReactNode } from 'react';
import { setDrawerOpen, useSidebarMark } from '#client/shell/sidebar-state.ts';
import { IconButton } from '#client/ui/icon-button.tsx';

interface PageBarProps {
  /** Left out where the page below has its heading itself. */
  title?: ReactNode;
  /** Something small before the heading: a colour, a way back. */
  before?: ReactNode;
  actions?: ReactNode;
  /** A second line inside the bar, for example filters. */
  below?: ReactNode;
}

/** On phones; marks that something in the hidden sidebar needs attention, also in its accessible name. */
function DrawerButton() {
  const mark = useSidebarMark();
  return (
    <IconButton
      label={mark === undefined ? 'Open the sidebar' : `Open the sidebar. ${mark}`}
      icon={
        <>
          <Menu />
          {mark !== undefined && (
            <span className="absolute end-0.5 top-0.5 size-2.5 rounded-full border-2 border-paper bg-warning" />
          )}
        </>
      }
      className="relative md:hidden"
      onClick={() => setDrawerOpen(true)}
    />
  );
}

/** The heading is the page's h1, which receives the focus after navigation. */
export function PageBar({ title, before, actions, below }: PageBarProps) {
  return (
    <header
      data-print="hide"
      // The bar is always visible: focusing something in it must not scroll the page, whose padding hides it.
      className="**:-scroll-mt-20 sticky top-0 z-20 border-b border-line bg-paper/95 pt-[env(safe-area-inset-top)] backdrop-blur-sm"
    >
      <div className="flex h-13 items-center gap-2 px-3 sm:px-5">
        <DrawerButton />
        {before}
        {title !== undefined && (
          <h1 tabIndex={-1} className="min-w-0 truncate text-sm font-semibold outline-none">
            {title}
          </h1>
        )}
        <div className="ms-auto flex shrink-0 items-center gap-1.5">{actions}</div>
      </div>
      {below}
    </header>
  );
}
