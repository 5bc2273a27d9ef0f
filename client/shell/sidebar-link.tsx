/**
 * One row of the sidebar, a link or an action: with its label or, when collapsed, as an icon with a tooltip.
 */
import { clsx } from 'clsx';
import type { ReactNode, Ref } from 'react';
import { NavLink } from 'react-router';
import { setDrawerOpen } from '#client/shell/sidebar-state.ts';
import { Kbd } from '#client/ui/kbd.tsx';
import { Tooltip } from '#client/ui/tooltip.tsx';

/** Class names of a row, for menu triggers that must look the same. */
export function sidebarRow(collapsed: boolean): string {
  return clsx(
    'relative flex h-8 items-center gap-2.5 rounded-control border border-transparent text-sm font-medium text-ink-muted transition-colors duration-fast',
    'hover:bg-hover hover:text-ink data-[state=open]:bg-hover pointer-coarse:h-11',
    'aria-[current=page]:border-line aria-[current=page]:bg-raised aria-[current=page]:text-ink',
    '[&_svg]:size-4 [&_svg]:shrink-0',
    collapsed ? 'w-9 justify-center' : 'w-full min-w-0 px-2',
  );
}

interface SidebarLinkProps {
  to: string;
  label: string;
  /** Shown instead of the label where there is no room for it. */
  icon: ReactNode;
  /** The icon distinguishes the link from others of its kind, so it is also shown beside the label. */
  marked?: boolean;
  collapsed: boolean;
  keys?: string;
  /** Current only on exactly this address. */
  end?: boolean;
  /** Another row names what the address shows. */
  isElsewhere?: boolean;
  ref?: Ref<HTMLAnchorElement>;
  className?: string;
}

/** A link; choosing it closes the drawer of a phone. */
export function SidebarLink({
  to,
  label,
  icon,
  marked = false,
  collapsed,
  keys,
  end = false,
  isElsewhere = false,
  ref,
  className,
}: SidebarLinkProps) {
  const link = (
    <NavLink
      ref={ref}
      to={to}
      end={end}
      aria-current={isElsewhere ? 'false' : 'page'}
      aria-label={collapsed ? label : undefined}
      onClick={() => setDrawerOpen(false)}
      className={clsx(sidebarRow(collapsed), className)}
    >
      {(collapsed || marked) && icon}
      {!collapsed && <span className="min-w-0 flex-1 truncate">{label}</span>}
    </NavLink>
  );
  if (!collapsed && keys === undefined) return link;
  return (
    <Tooltip text={label} keys={keys} side="right" describes={false}>
      {link}
    </Tooltip>
  );
}

/** A button that looks like a sidebar row. */
export function SidebarButton({
  label,
  icon,
  collapsed,
  keys,
  showKeys = false,
  after,
  onClick,
}: {
  label: string;
  icon: ReactNode;
  collapsed: boolean;
  keys?: string;
  /** Show the keys in the row itself instead of in the tooltip. */
  showKeys?: boolean;
  after?: ReactNode;
  onClick: () => void;
}) {
  const button = (
    <button
      type="button"
      aria-label={collapsed ? label : undefined}
      onClick={onClick}
      className={sidebarRow(collapsed)}
    >
      {collapsed && icon}
      {!collapsed && <span className="min-w-0 flex-1 truncate text-start">{label}</span>}
      {!collapsed && after}
      {!collapsed && showKeys && keys !== undefined && (
        <span aria-hidden="true" className="contents">
          <Kbd keys={keys} />
        </span>
      )}
    </button>
  );
  if (!collapsed && (showKeys || keys === undefined)) return button;
  return (
    <Tooltip text={label} keys={keys} side="right" describes={false}>
      {button}
    </Tooltip>
  );
}
