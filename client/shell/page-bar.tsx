/**
 * The top of every dashboard page: the button that opens the sidebar on phones, the page's heading and its actions. Stays
 * visible while the page scrolls.
 */
import { clsx } from 'clsx';
import { Menu } from 'lucide-react';
import type { ReactNode } from 'react';
import { setDrawerOpen, useSidebarMark } from '#client/shell/sidebar-state.ts';
import { IconButton } from '#client/ui/icon-button.tsx';

interface PageBarProps {
  /** Left out where the page below has its heading itself. */
  title?: ReactNode;
  /** Something small before the heading: a mark, a way back. */
  before?: ReactNode;
  /** A few quiet words after the heading, where there is room. */
  note?: ReactNode;
  actions?: ReactNode;
  /** Above a column of the width of a text. */
  narrow?: boolean;
}

/**
 * On phones; indicates that the hidden sidebar needs attention, also in its accessible name. It has room for the word below
 * the icon, so that the heading beside it stays where it is.
 */
function DrawerButton() {
  const { words, isOffline } = useSidebarMark();
  return (
    <IconButton
      label={words === undefined ? 'Open the sidebar' : `Open the sidebar. ${words}`}
      icon={
        <>
          <Menu />
          {isOffline && <span className="text-xs leading-none font-normal tracking-tight">Offline</span>}
          {words !== undefined && (
            <span className="absolute end-2 top-1 size-2.5 rounded-full border-2 border-paper bg-warning" />
          )}
        </>
      }
      className="-ms-3 size-11! flex-col gap-0.5 md:hidden"
      onClick={() => setDrawerOpen(true)}
    />
  );
}

/** The heading is the page's h1, which receives the focus after navigation. */
export function PageBar({ title, before, note, actions, narrow = false }: PageBarProps) {
  return (
    <header
      data-print="hide"
      // The bar is always visible: focusing something in it must not scroll the page, whose padding hides it.
      className="**:-scroll-mt-20 sticky top-0 z-20 bg-paper/95 pt-[env(safe-area-inset-top)] backdrop-blur-sm"
    >
      <div
        className={clsx(
          'column flex h-11 items-center gap-2 md:h-15 md:items-end md:pb-2',
          narrow && 'max-w-[45rem]!',
        )}
      >
        <DrawerButton />
        <div className="flex min-w-0 items-baseline gap-x-2.5">
          {before}
          {title !== undefined && (
            <h1 tabIndex={-1} className="min-w-0 truncate font-serif text-page leading-9! outline-none">
              {title}
            </h1>
          )}
          {note !== undefined && (
            <p className="shrink-0 text-xs whitespace-nowrap text-ink-faint max-md:hidden">{note}</p>
          )}
        </div>
        <div className="ms-auto flex shrink-0 items-center gap-1.5 md:h-9">{actions}</div>
      </div>
    </header>
  );
}
