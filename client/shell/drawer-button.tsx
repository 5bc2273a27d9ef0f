/**
 * The way to the sidebar on phones. There the sync indicator is out of sight, so what somebody should know of it is
 * marked here and told by the name.
 */
import { Menu } from 'lucide-react';
import { useSyncTrouble } from '#client/replica/use-sync-status.ts';
import { setDrawerOpen } from '#client/shell/sidebar-state.ts';
import { syncTrouble } from '#client/shell/sync-words.ts';
import { IconButton } from '#client/ui/icon-button.tsx';

/** Hidden where the sidebar is there. */
export function DrawerButton() {
  const trouble = useSyncTrouble(syncTrouble);
  return (
    <IconButton
      label={trouble === undefined ? 'Open the sidebar' : `Open the sidebar. Sync: ${trouble}`}
      icon={
        <>
          <Menu />
          {trouble !== undefined && (
            <span className="absolute end-0.5 top-0.5 size-2.5 rounded-full border-2 border-canvas bg-warning-mark" />
          )}
        </>
      }
      className="relative md:hidden"
      onClick={() => setDrawerOpen(true)}
    />
  );
}
