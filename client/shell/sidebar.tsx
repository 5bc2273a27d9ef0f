/**
 * The frame of the dashboard's sidebar: a column on wide screens that collapses to icons, a drawer on phones. The
 * layout fills its slots.
 */
import { clsx } from 'clsx';
import { PanelLeft } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode } from 'react';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import {
  setDrawerOpen,
  setSidebarCollapsed,
  toggleSidebar,
  useSidebarState,
} from '#client/shell/sidebar-state.ts';
import { usePaneWidth } from '#client/shell/use-pane-width.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';
import { DialogOverlay } from '#client/ui/dialog.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { PopLayer, PopLayerEnd } from '#client/ui/pop-layer.tsx';
import { ResizeHandle } from '#client/ui/resize-handle.tsx';
import { useReturnFocus } from '#client/ui/use-return-focus.ts';

/** Slots of the sidebar; each is drawn for the collapsed or the full width. */
export interface SidebarSlots {
  top: (collapsed: boolean) => ReactNode;
  middle: (collapsed: boolean) => ReactNode;
  foot: (collapsed: boolean) => ReactNode;
}

function Column({
  slots,
  collapsed,
  corner,
}: {
  slots: SidebarSlots;
  collapsed: boolean;
  corner?: ReactNode;
}) {
  return (
    <div className="flex h-full flex-col">
      <div className={clsx('flex gap-1 p-2', collapsed ? 'flex-col items-center' : 'items-center')}>
        <div className={clsx(!collapsed && 'min-w-0 flex-1')}>{slots.top(collapsed)}</div>
        {corner}
      </div>
      <nav
        aria-label="Workspace"
        data-scroll
        className={clsx(
          'flex min-h-0 flex-1 flex-col overflow-x-hidden overflow-y-auto px-2 pb-3 *:shrink-0',
          collapsed && 'items-center',
        )}
      >
        {slots.middle(collapsed)}
      </nav>
      <div
        className={clsx(
          'flex flex-col gap-0.5 p-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]',
          collapsed && 'items-center',
        )}
      >
        {slots.foot(collapsed)}
      </div>
    </div>
  );
}

function Drawer({ slots }: { slots: SidebarSlots }) {
  const { drawerOpen } = useSidebarState();
  const focus = useReturnFocus();
  return (
    <Radix.Root open={drawerOpen} onOpenChange={setDrawerOpen}>
      <Radix.Portal>
        <DialogOverlay isOpen={drawerOpen} />
        <Radix.Content
          data-surface
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-y-0 start-0 z-50 w-[min(18rem,84vw)] bg-sunk pt-[env(safe-area-inset-top)] shadow-float outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in md:hidden"
        >
          <Radix.Title className="sr-only">Sidebar</Radix.Title>
          <PopLayer>
            <Column slots={slots} collapsed={false} />
            <PopLayerEnd />
          </PopLayer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Pixels. */
const WIDTH = { initial: 240, min: 200, max: 420 } as const;

/** mod+. collapses, `[` as well. */
export function Sidebar({ slots }: { slots: SidebarSlots }) {
  const { collapsed } = useSidebarState();
  const { width, resize } = usePaneWidth('loci-sidebar-width', WIDTH.initial);
  useShortcut('sidebar.toggle', toggleSidebar);
  useShortcut('pane.start', toggleSidebar);
  return (
    <>
      <aside
        aria-label="Sidebar"
        data-print="hide"
        className={clsx(
          'sticky top-0 z-30 hidden h-dvh shrink-0 border-e border-line bg-sunk md:block',
          collapsed && 'w-13',
        )}
        style={collapsed ? undefined : { width }}
      >
        <Column
          slots={slots}
          collapsed={collapsed}
          corner={
            <IconButton
              label={collapsed ? 'Show the sidebar' : 'Hide the sidebar'}
              keys={keysOf('sidebar.toggle')}
              icon={<PanelLeft />}
              aria-expanded={!collapsed}
              onClick={() => setSidebarCollapsed(!collapsed)}
            />
          }
        />
        {!collapsed && (
          <ResizeHandle label="Width of the sidebar" value={width} {...WIDTH} onResize={resize} />
        )}
      </aside>
      <Drawer slots={slots} />
    </>
  );
}
