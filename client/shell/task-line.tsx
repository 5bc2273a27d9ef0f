/**
 * Something that runs in the background: a line at the foot of the sidebar, and on phones, where the sidebar is out of sight, a
 * small bar above the bottom bar. A click opens its details.
 */
import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { sidebarRow } from '#client/shell/sidebar-link.tsx';
import { Progress } from '#client/ui/progress.tsx';
import { Tooltip } from '#client/ui/tooltip.tsx';

export interface ShownTask {
  name: string;
  icon: LucideIcon;
  /** How far it is; nothing is shown while empty. */
  words: string;
  /** From 0 to 1; undefined while nothing is counted. */
  share?: number | undefined;
  isWarning?: boolean;
  onOpen: () => void;
}

/** At the foot of the sidebar. */
export function TaskLine({ task, collapsed }: { task: ShownTask; collapsed: boolean }) {
  const { name, icon: Icon, words, share, isWarning = false, onOpen } = task;
  if (words === '') return null;
  const button = (
    <button
      type="button"
      aria-label={`${name}: ${words}`}
      onClick={onOpen}
      className={clsx(sidebarRow(collapsed), 'text-xs!', isWarning && 'text-warning!')}
    >
      <Icon aria-hidden="true" />
      {!collapsed && <span className="min-w-0 flex-1 truncate text-start">{words}</span>}
      {!collapsed && share !== undefined && share < 1 && (
        <span className="tabular-nums">{Math.round(share * 100)}%</span>
      )}
    </button>
  );
  if (!collapsed) return button;
  return (
    <Tooltip text={words} side="right" describes={false}>
      {button}
    </Tooltip>
  );
}

/** The place of the bars on phones, one above the other. */
export function TaskBars({ children }: { children: ReactNode }) {
  return (
    <div
      data-print="hide"
      className="pointer-events-none fixed inset-x-3 bottom-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom)+0.5rem)] z-20 flex flex-col gap-2 md:hidden"
    >
      {children}
    </div>
  );
}

/** One of them; `isRunning` shows how far it is. */
export function TaskBar({ task, isRunning }: { task: ShownTask; isRunning: boolean }) {
  const { name, icon: Icon, words, share, onOpen } = task;
  if (words === '') return null;
  return (
    <section aria-label={name}>
      <button
        type="button"
        onClick={onOpen}
        className="pointer-events-auto flex w-full flex-col gap-2 rounded-card border border-line bg-raised px-3 py-2.5 text-start text-xs font-medium shadow-float"
      >
        <span className="flex items-center gap-2">
          <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
          <span className="min-w-0 flex-1 truncate">{words}</span>
        </span>
        {isRunning && <Progress label={name} value={share} />}
      </button>
    </section>
  );
}
