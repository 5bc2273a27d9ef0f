/**
 * The banner for data that was deleted from this device under the open page: shown while the page still saves what it
 * can, and again after the reload, so that work does not go on unsaved and the reload is explained.
 */
import { TriangleAlert } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useSyncStatus } from '#client/replica/use-sync-status.ts';
import { closeRecovery, checkForRecovery, useRecovery } from '#client/shell/recovery.ts';
import { Button } from '#client/ui/button.tsx';
import { countOf } from '#shared/english.ts';

function Banner({ title, children, action }: { title: string; children: ReactNode; action: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-warning-soft px-4 py-2.5 text-warning">
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1 basis-64">
        <strong className="font-semibold">{title}</strong> {children}
      </p>
      {action}
    </div>
  );
}

const reload = () => globalThis.location.reload();

function afterwards(setAside: number): string {
  if (setAside === 0) return 'Nothing is lost: your data is downloaded again, and waiting changes are sent.';
  const changes = countOf(setAside, 'change');
  return `What was on the server comes over again. ${changes} could not be sent: find ${setAside === 1 ? 'it' : 'them'} under “needs attention”.`;
}

/** Above the page; nothing while all is well. */
export function RecoveryNotice() {
  const { storage } = useSyncStatus();
  const setAside = useRecovery();
  useEffect(checkForRecovery, []);
  if (storage === 'lost') {
    return (
      <div role="alert">
        <Banner
          title="Loci’s data was removed from this device."
          action={
            <Button size="sm" onClick={reload}>
              Reload now
            </Button>
          }
        >
          Waiting changes are being sent; then the page reloads. Please wait until it has.
        </Banner>
      </div>
    );
  }
  return (
    <output className="block">
      {setAside !== undefined && (
        <Banner
          title="Loci’s data was removed from this device while it was open, so the page was reloaded."
          action={
            <Button size="sm" onClick={closeRecovery}>
              Understood
            </Button>
          }
        >
          {afterwards(setAside)}
        </Banner>
      )}
    </output>
  );
}
