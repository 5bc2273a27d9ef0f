/**
 * This person's imports into the workspace with their times and results, from the server. Each links to its details
 * with every skipped file.
 */
import { ChevronRight, CloudOff } from 'lucide-react';
import { useCallback } from 'react';
import type { ImportSummary } from '#shared/capture/import-job.ts';
import type { Id } from '#shared/ids.ts';
import { api } from '#client/api/session-client.ts';
import { showImport } from '#client/capture/import-run.ts';
import { useMayUndo } from '#client/capture/undo-import.tsx';
import { summaryLine } from '#client/capture/import-messages.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { useLoaded } from '#client/shell/use-loaded.ts';
import { Button } from '#client/ui/button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

const SHOWN = 20;

function Line({ job }: { job: ImportSummary }) {
  const mayUndo = useMayUndo(job);
  const show = (asks: boolean) => void showImport(job.workspaceId, job.id, { asks }).catch(showProblem);
  return (
    <li className="flex items-center gap-1">
      <button
        type="button"
        onClick={() => show(false)}
        className="flex min-h-11 min-w-0 flex-1 items-center gap-2 rounded-control px-2 py-1.5 text-start hover:bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className="min-w-0 truncate font-medium">{job.filename}</span>
            <RelativeTime at={job.created} className="shrink-0 text-xs text-ink-faint" />
          </span>
          <span className={`block text-xs ${job.status === 'failed' ? 'text-danger' : 'text-ink-muted'}`}>
            {summaryLine(job)}
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
      </button>
      {mayUndo && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Undo the import of ${job.filename}`}
          onClick={() => show(true)}
        >
          Undo
        </Button>
      )}
    </li>
  );
}

/** Empty where no import was made yet. */
export function ImportHistory({ workspaceId }: { workspaceId: Id<'workspace'> }) {
  const online = useIsOnline();
  const fetchJobs = useCallback(
    (signal?: AbortSignal) =>
      api('import.list', { params: { workspaceId }, query: { perPage: SHOWN } }, { signal }),
    [workspaceId],
  );
  const { known, load } = useLoaded(online ? fetchJobs : undefined);
  const jobs = known.state === 'here' ? known.value.result : [];
  const total = known.state === 'here' ? Number(known.value.meta['total'] ?? 0) : 0;
  if (known.state === 'here' && jobs.length === 0) return null;
  return (
    <section aria-label="Earlier imports" className="border-t border-line pt-4">
      <h3 className="text-sm font-medium">Earlier imports</h3>
      {known.state === 'here' ? (
        <>
          <ul data-scroll className="-mx-2 mt-1 max-h-56 overflow-y-auto">
            {jobs.map((job) => (
              <Line key={job.id} job={job} />
            ))}
          </ul>
          {total > jobs.length && (
            <p className="mt-1 text-xs text-ink-muted">
              The newest {jobs.length} of {total}.
            </p>
          )}
        </>
      ) : !online ? (
        <p className="mt-1 flex items-center gap-1.5 text-xs text-ink-muted">
          <CloudOff aria-hidden="true" className="size-3.5 shrink-0" /> Available when you are online.
        </p>
      ) : known.state === 'unreachable' ? (
        <p className="mt-1 flex items-center justify-between gap-2 text-xs text-ink-muted">
          Could not load earlier imports.
          <Button size="sm" variant="ghost" onClick={() => void load()}>
            Try again
          </Button>
        </p>
      ) : (
        <SkeletonGroup label="Loading earlier imports">
          <Skeleton className="mt-3 h-4 w-2/3" />
        </SkeletonGroup>
      )}
    </section>
  );
}
