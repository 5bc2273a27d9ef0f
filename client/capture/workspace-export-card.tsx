/**
 * Export of a workspace: starts one, shows its progress, and downloads finished ones. Exports are made on the server, so the
 * card needs the network.
 */
import { CloudOff, Download } from 'lucide-react';
import { useState, useCallback, useEffect } from 'react';
import type { ExportJob } from '#shared/capture/export-job.ts';
import type { Id } from '#shared/ids.ts';
import { api } from '#client/api/session-client.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { showToast } from '#client/shell/toasts.ts';
import { LoadedList } from '#client/shell/loaded-list.tsx';
import { useLoaded, type Loaded } from '#client/shell/use-loaded.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Button } from '#client/ui/button.tsx';
import { bytesText } from '#client/ui/bytes-text.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Progress } from '#client/ui/progress.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { formatCount } from '#shared/english.ts';

function stateOf({ status, total, processed, bytes, includesFiles, error }: ExportJob): string {
  switch (status) {
    case 'pending':
      return 'Waiting to start';
    case 'running':
      return total === 0 ? 'Starting' : `Exported ${formatCount(processed)} of ${formatCount(total)}`;
    case 'completed':
      return `${bytesText(bytes ?? 0)}${includesFiles ? '' : ', without uploaded files'}`;
    case 'failed':
      return error ?? 'Failed';
    default:
      return error ?? 'Expired';
  }
}

async function download(job: ExportJob, reload: () => void): Promise<void> {
  const { workspaceId, id } = job;
  const { result } = await api('export.get', { params: { workspaceId, id } });
  if (result.download === null) {
    showToast({ kind: 'error', title: 'Could not download the export', description: stateOf(result) });
    reload();
    return;
  }
  Object.assign(document.createElement('a'), { href: result.download.url, download: job.filename }).click();
}

function Line({ job, isOnline, reload }: { job: ExportJob; isOnline: boolean; reload: () => void }) {
  const { status, filename, created, total, processed } = job;
  const isOver = status === 'expired';
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2">
          <span className={`min-w-0 truncate ${isOver ? 'text-ink-muted' : 'font-medium'}`}>{filename}</span>
          <RelativeTime at={created} className="shrink-0 text-xs text-ink-faint" />
        </p>
        <p className={`text-xs ${status === 'failed' ? 'text-danger' : 'text-ink-muted'}`}>{stateOf(job)}</p>
        {isUnderWay(job) && (
          <div className="mt-1.5">
            <Progress label={`Export of ${filename}`} value={total === 0 ? undefined : processed / total} />
          </div>
        )}
      </div>
      {status === 'completed' && (
        <Button
          size="sm"
          disabled={!isOnline}
          aria-label={`Download ${filename}`}
          onClick={() => void download(job, reload).catch(showProblem)}
        >
          <Download aria-hidden="true" className="size-3.5" /> Download
        </Button>
      )}
    </li>
  );
}

/** The choice of files, the button, and the newest exports. */
export function WorkspaceExport({ workspaceId }: { workspaceId: Id<'workspace'> }) {
  const { exports, reload } = useExports(workspaceId);
  const isOnline = useIsOnline();
  const [includeFiles, setIncludeFiles] = useState(true);
  const { busy, run } = useBusy();
  const jobs = exports.state === 'here' ? exports.value : [];
  const start = () =>
    run(async () => {
      await api('export.create', { body: { workspaceId, includeFiles } });
      reload();
    });
  return (
    <div className="flex flex-col gap-4">
      <Checkbox
        label="Include uploaded files"
        hint="Without them the archive is smaller. An import takes archives of up to 2 GB."
        checked={includeFiles}
        onCheckedChange={setIncludeFiles}
      />
      <div>
        <Button loading={busy} disabled={!isOnline || jobs.some(isUnderWay)} onClick={() => void start()}>
          Export workspace
        </Button>
      </div>
      {!isOnline && (
        <p className="flex items-center gap-1.5 text-xs text-ink-muted">
          <CloudOff aria-hidden="true" className="size-3.5" /> Exports are unavailable offline.
        </p>
      )}
      {(isOnline || exports.state === 'here') && (
        <LoadedList known={exports} what="your exports" usual={[]} onRetry={reload}>
          {(list) =>
            list.length > 0 && (
              <ul aria-label="Your exports" className="divide-y divide-line/60">
                {list.map((job) => (
                  <Line key={job.id} job={job} isOnline={isOnline} reload={reload} />
                ))}
              </ul>
            )
          }
        </LoadedList>
      )}
    </div>
  );
}

const SHOWN = 5;
const POLL_MS = 1_000;

/** Whether the server is still at it. */
function isUnderWay({ status }: Pick<ExportJob, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

/** This person's exports, read again while one is under way. The newest ones, and a function that reads them at once. */
function useExports(workspaceId: Id<'workspace'>): {
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
