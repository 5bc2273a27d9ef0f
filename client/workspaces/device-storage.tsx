/**
 * Storage of this browser: its size, whether the browser may evict it, and waiting changes. Reads the browser only, so
 * it works offline.
 */
import { useCallback, useEffect, useState } from 'react';
import { useSyncStatus } from '#client/replica/use-sync-status.ts';
import { useCounts } from '#client/workspaces/queries.ts';
import { bytesText } from '#client/ui/bytes-text.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { showToast } from '#client/shell/toasts.ts';
import { Button } from '#client/ui/button.tsx';
import { Meter } from '#client/ui/meter.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { formatCount } from '#shared/english.ts';

interface Storage {
  used: number;
  quota: number;
  persistent: boolean;
}

async function readStorage(): Promise<Storage> {
  const { usage = 0, quota = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  return { used: usage, quota, persistent: (await navigator.storage?.persisted?.()) ?? false };
}

function useStorage() {
  const [storage, setStorage] = useState<Storage>();
  const refresh = useCallback(() => {
    readStorage().then(setStorage, (failure: unknown) =>
      console.info('settings: the browser does not tell its storage', failure),
    );
  }, []);
  useEffect(refresh, [refresh]);
  return { storage, refresh };
}

/** Room, safety, and what is only here. */
export function DeviceStorage() {
  const { storage, refresh } = useStorage();
  const { count, waiting: unsent } = useSyncStatus();
  const counts = useCounts();
  const waiting = Math.max(count, unsent);
  const protect = async () => {
    const granted = await navigator.storage.persist();
    refresh();
    if (!granted) {
      showToast({
        title: 'Permission not granted yet',
        description:
          'The browser decides; installing the app usually grants it. Synced data is also on the server.',
      });
    }
  };
  return (
    <div className="flex flex-col gap-4">
      {storage && storage.quota > 0 && (
        <Meter
          label="Storage"
          value={storage.used}
          max={storage.quota}
          text={`${bytesText(storage.used)} of ${bytesText(storage.quota)} that this browser allows`}
        />
      )}
      <dl className="divide-y divide-line/60">
        <div className="flex justify-between gap-4 py-2">
          <dt>Memories that open without a network</dt>
          <dd className="tabular-nums">
            {counts ? formatCount(counts.memories) : <Skeleton className="h-4 w-10" />}
          </dd>
        </div>
        <div className="flex justify-between gap-4 py-2">
          <dt>Changes and files that only this device has</dt>
          <dd className="tabular-nums">
            {counts ? formatCount(waiting) : <Skeleton className="h-4 w-10" />}
          </dd>
        </div>
        <div className="flex items-center justify-between gap-4 py-2">
          <dt>
            Kept when space is short
            <span className="block text-xs text-ink-muted">
              {storage?.persistent
                ? 'The browser will not clear this data automatically.'
                : 'The browser may clear this data when space is short. Synced data is downloaded again from the server.'}
            </span>
          </dt>
          <dd className="shrink-0">
            {storage?.persistent ? (
              'Yes'
            ) : (
              <Button size="sm" onClick={() => void protect().catch(showProblem)}>
                Ask the browser
              </Button>
            )}
          </dd>
        </div>
      </dl>
    </div>
  );
}
