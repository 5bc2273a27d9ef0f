/**
 * The bar under the thumb on phones: home, spaces, capture, threads, search.
 * Hidden where the sidebar is there.
 */
import { clsx } from 'clsx';
import { Folders, House, MessagesSquare, Plus, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import type { Known } from '#client/replica/use-known.ts';

interface BottomBarProps {
  home: string;
  spaces: string;
  threads: string;
  /** Its space is reserved until that is known. */
  mayCapture: Known<boolean>;
  onCapture: () => void;
  onSearch: () => void;
}

const cell =
  'flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs font-medium text-ink-muted aria-[current=page]:text-primary [&_svg]:size-5';

function Place({ to, label, icon, end }: { to: string; label: string; icon: ReactNode; end?: boolean }) {
  return (
    <NavLink to={to} end={end ?? false} className={cell}>
      {icon}
      {label}
    </NavLink>
  );
}

/** A landmark of its own, beside the sidebar's. */
export function BottomBar({ home, spaces, threads, mayCapture, onCapture, onSearch }: BottomBarProps) {
  return (
    <nav
      aria-label="Main"
      data-bottom-bar
      data-print="hide"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-paper pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <Place to={home} end label="Home" icon={<House />} />
      <Place to={spaces} label="Spaces" icon={<Folders />} />
      {mayCapture === undefined && <span className="flex-1" />}
      {mayCapture && (
        <button type="button" onClick={onCapture} className={clsx(cell, 'text-primary')}>
          <span className="grid size-8 place-items-center rounded-full bg-primary text-primary-ink [&_svg]:size-4.5">
            <Plus aria-hidden="true" />
          </span>
          <span className="sr-only">Save a memory</span>
        </button>
      )}
      <Place to={threads} label="Threads" icon={<MessagesSquare />} />
      <button type="button" onClick={onSearch} className={cell}>
        <Search aria-hidden="true" />
        Search
      </button>
    </nav>
  );
}
