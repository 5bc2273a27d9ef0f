/**
 * This person's exports of a workspace, from the server, read again while one is under way.
 */
import { useCallback, useEffect, useState } from 'react';
import type { ExportJob } from '#shared/capture/export-job.ts';
import type { Id } from '#shared/ids.ts';
import { api } from '#client/api/session-client.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { isAborted } from '#client/shell/problem-toast.ts';

const SHOWN = 5;
const POLL_MS = 1_000;

export type Exports = { state: 'loading' | 'failed' } | { state: 'ready'; jobs: readonly ExportJob[] };

/** Whether the server is still at it. */
export function isUnderWay({ status }: Pick<ExportJob, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

/** The newest ones, and a function that reads them at once. */
export function useExports(workspaceId: Id<'workspace'>): { exports: Exports; reload: () => void } {
  const [exports, setExports] = useState<Exports>({ state: 'loading' });
  const [reads, setReads] = useState(0);
  const reload = useCallback(() => setReads((count) => count + 1), []);
  const isOnline = useIsOnline();
  useEffect(() => {
    if (!isOnline) return undefined;
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    api('export.list', { params: { workspaceId }, query: { perPage: SHOWN } }, { signal: leave.signal }).then(
      ({ result: jobs }) => {
        setExports({ state: 'ready', jobs });
        if (jobs.some(isUnderWay)) timer = setTimeout(reload, POLL_MS);
      },
      (failure: unknown) => {
        if (isAborted(failure)) return;
        console.info('export: the list could not be loaded', failure);
        setExports({ state: 'failed' });
      },
    );
    return () => {
      leave.abort();
      clearTimeout(timer);
    };
  }, [workspaceId, isOnline, reads, reload]);
  return { exports, reload };
}
