/**
 * One line that shows where the person's work is: on this device, being sent, or on the server. Icon and text, never
 * colour alone; pressing it opens the sheet with the details.
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
import { useEffect, useState, type ReactNode } from 'react';
import { announceUpdate, applyUpdate, useUpdateAvailable } from '#client/shell/build-watch.ts';
import type { SyncStateName } from '#client/replica/status.ts';
import { useSyncStatus } from '#client/replica/use-sync-status.ts';
import { sidebarRow } from '#client/shell/sidebar-link.tsx';
import { markSidebar } from '#client/shell/sidebar-state.ts';
import { SyncSheet } from '#client/shell/sync-sheet.tsx';
import { showToast } from '#client/shell/toasts.ts';
import {
  storageLabel,
  syncExplanation,
  syncLabel,
  syncTrouble,
  URGENT_STATES,
} from '#client/shell/sync-labels.ts';
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

/** Nothing can be sent until a newer build runs: announced at once, and loaded at the next pause in which no typed text can be lost. */
function tellTooOld(): void {
  announceUpdate();
  showToast({
    id: 'too-old',
    title: syncLabel('update', 0),
    description: syncExplanation('update', 'ok'),
    kind: 'warning',
    actions: [{ label: 'Reload', run: applyUpdate }],
  });
}

/** Sits at the foot of the sidebar. */
export function SyncIndicator({ collapsed }: { collapsed: boolean }) {
  const status = useSyncStatus();
  const updateWaiting = useUpdateAvailable();
  const [open, setOpen] = useState(false);
  const Icon = ICONS[status.state];
  const isUrgent = URGENT_STATES.has(status.state);
  const label = syncLabel(status.state, status.count, status.texts);
  const said = status.state === 'synced' ? `${label}, all changes saved` : label;
  const words = updateWaiting && !isUrgent ? `${label}, new version ready` : said;
  // Without storage everything is lost with the page, which the person must know without opening the sheet.
  const storage = storageLabel(status.storage);
  // On phones the sidebar is folded away and this line with it.
  const trouble = syncTrouble(status);
  const isOffline = status.state === 'offline';
  useEffect(() => {
    markSidebar(trouble && `Sync: ${trouble}`, isOffline);
  }, [trouble, isOffline]);
  const isTooOld = status.state === 'update';
  useEffect(() => {
    if (isTooOld) tellTooOld();
  }, [isTooOld]);
  const line = (name: string, text: string, { icon, urgent }: { icon: ReactNode; urgent: boolean }) => {
    const button = (
      <button
        type="button"
        aria-label={`${name}: ${text}`}
        onClick={() => setOpen(true)}
        className={clsx(sidebarRow(collapsed), 'text-xs! font-normal!', urgent && 'text-warning!')}
      >
        {icon}
        {!collapsed && <span className="truncate">{text}</span>}
      </button>
    );
    if (!collapsed) return button;
    return (
      <Tooltip text={text} side="right" describes={false}>
        {button}
      </Tooltip>
    );
  };
  const mark = (
    <span className="relative">
      <Icon aria-hidden="true" />
      {updateWaiting && <span className="absolute -end-1 -top-1 size-2 rounded-full bg-primary" />}
    </span>
  );
  return (
    <>
      {line('Sync', words, { icon: mark, urgent: isUrgent })}
      {storage !== undefined &&
        line('Storage', storage, { icon: <CircleAlert aria-hidden="true" />, urgent: true })}
      <output className="sr-only">{isUrgent || isOffline ? label : ''}</output>
      <output className="sr-only">{storage}</output>
      <SyncSheet status={status} open={open} onOpenChange={setOpen} />
    </>
  );
}
