/**
 * One quiet line that tells where one's work is: on this device, on its way, or on the server.
 * Icon and words, never colour alone; a press opens the sheet with everything behind it.
 */
import { clsx } from 'clsx';
import {
  CircleAlert,
  CloudCheck,
  CloudOff,
  HardDrive,
  LogIn,
  RefreshCw,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { useUpdateAvailable } from '#client/shell/build-watch.ts';
import type { SyncStateName } from '#client/replica/status.ts';
import { useSyncStatus } from '#client/replica/use-sync-status.ts';
import { sidebarRow } from '#client/shell/sidebar-link.tsx';
import { SyncSheet } from '#client/shell/sync-sheet.tsx';
import { syncLabel } from '#client/shell/sync-words.ts';
import { Tooltip } from '#client/ui/tooltip.tsx';

const ICONS: Readonly<Record<SyncStateName, LucideIcon>> = {
  'sign-in': LogIn,
  update: CircleAlert,
  attention: CircleAlert,
  offline: CloudOff,
  'saved-here': HardDrive,
  syncing: RefreshCw,
  synced: CloudCheck,
};

const URGENT: ReadonlySet<SyncStateName> = new Set(['sign-in', 'update', 'attention']);

/** Sits at the foot of the sidebar. */
export function SyncIndicator({ collapsed }: { collapsed: boolean }) {
  const status = useSyncStatus();
  const updateWaiting = useUpdateAvailable();
  const [open, setOpen] = useState(false);
  const Icon = ICONS[status.state];
  const isUrgent = URGENT.has(status.state);
  const label = syncLabel(status.state, status.count);
  const words = updateWaiting && !isUrgent ? `${label}, new version ready` : label;
  const button = (
    <button
      type="button"
      aria-label={`Sync: ${words}`}
      data-sync={status.state}
      onClick={() => setOpen(true)}
      className={clsx(sidebarRow(collapsed), 'text-xs!', isUrgent && 'text-warning-text!')}
    >
      <span className="relative">
        <Icon aria-hidden="true" />
        {updateWaiting && <span className="absolute -end-1 -top-1 size-2 rounded-full bg-primary" />}
      </span>
      {!collapsed && <span className="truncate">{words}</span>}
    </button>
  );
  return (
    <>
      {collapsed ? (
        <Tooltip text={words} side="right" describes={false}>
          {button}
        </Tooltip>
      ) : (
        button
      )}
      <output className="sr-only">{isUrgent || status.state === 'offline' ? label : ''}</output>
      <SyncSheet status={status} open={open} onOpenChange={setOpen} />
    </>
  );
}
