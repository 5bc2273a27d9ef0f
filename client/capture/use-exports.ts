/**
 * This person's exports of a workspace, from the server, read again while one is under way.
 */
import { useCallback, useEffect } from 'react';
import type { ExportJob } from '#shared/capture/export-job.ts';
import type { Id } from '#shared/ids.ts';
import { api } from '#client/api/session-client.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { useLoaded, type Loaded } from '#client/shell/use-loaded.ts';

const SHOWN = 5;
const POLL_MS = 1_000;

/** Whether the server is still at it. */
export function isUnderWay({ status }: Pick<ExportJob, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

/** The newest ones, and a function that reads them at once. */
export function useExports(workspaceId: Id<'workspace'>): {
  exports: Loaded<readonly ExportJob[]>;
  reload: () => void;
} {
  const isOnline = useIsOnline();
  const fetchJobs = useCallback(
    async (signal?: AbortSignal) =>
      (await api('export.list', { params: { workspaceId }, query: { perPage: SHOWN } }, { signal })).result,
    [workspaceId],
  );
  const { known, load } = useLoaded(isOnline ? fetchJobs : undefined);
  useEffect(() => {
    if (!isOnline || known.state !== 'here' || !known.value.some(isUnderWay)) return undefined;
    const timer = setTimeout(() => void load(), POLL_MS);
    return () => clearTimeout(timer);
  }, [known, isOnline, load]);
  return { exports: known, reload: () => void load() };
}
