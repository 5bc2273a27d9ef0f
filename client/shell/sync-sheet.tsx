/**
 * The details behind the sync indicator: the meaning of the state, waiting changes, refused changes (with copy, retry and
 * discard), and the time of the last sync.
 */
import { clsx } from 'clsx';
import { Download, FolderInput, Paperclip, RefreshCw } from 'lucide-react';
import { newId } from '#shared/ids.ts';
import { usePerson } from '#client/api/session.ts';
import { applyUpdate, useUpdateAvailable } from '#client/shell/build-watch.ts';
import type { Drift, PendingChange, Problem } from '#client/replica/status.ts';
import { useReplica } from '#client/replica/replica-context.tsx';
import { useQuery } from '#client/replica/use-query.ts';
import { exportProblems, type SyncStatusHandle } from '#client/replica/use-sync-status.ts';
import { waitingFiles } from '#client/replica/waiting-files.ts';
import { downloadText } from '#client/shell/download-text.ts';
import { useStore } from '#client/shell/external-store.ts';
import { fileSheet } from '#client/shell/file-sheet-state.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { changeDetail, changeLabel, syncExplanation, syncLabel } from '#client/shell/sync-labels.ts';
import { typedWords, wordsAsText } from '#client/shell/typed-words.ts';
import { Button } from '#client/ui/button.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { Sheet } from '#client/ui/sheet.tsx';
import { countMemories } from '#shared/english.ts';

interface SyncSheetProps {
  status: SyncStatusHandle;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const SHOWN = 50;

/** The workspace a line is about, where that is not the one that is open. */
function ElsewhereName({ realmId }: { realmId: string }) {
  const replica = useReplica();
  const person = usePerson();
  if (realmId === replica.mirrors.workspaceId || realmId === replica.userId) return null;
  const name = person?.workspaces.find(({ id }) => id === realmId)?.name;
  return <> in {name ?? 'a workspace that you no longer have access to'}</>;
}

function ProblemLine({ problem, status }: { problem: Problem; status: SyncStatusHandle }) {
  const replica = useReplica();
  const detail = changeDetail(problem.args);
  const words = typedWords(problem.args);
  const here = replica.mirrors.workspaceId;
  const isElsewhere = problem.realmId !== here && problem.realmId !== replica.userId;
  const saveHere = async () => {
    if (!words || here === undefined) return;
    await replica.saveMemory(here, { id: newId('memory'), origin: 'manual_entry', ...words });
    await status.discard(problem);
  };
  return (
    <li className="rounded-card border border-line p-3">
      <p className="font-medium">
        {changeLabel(problem.name)}
        <ElsewhereName realmId={problem.realmId} />
      </p>
      {detail !== undefined && <p className="mt-0.5 line-clamp-2 break-words text-ink-muted">{detail}</p>}
      <p className="mt-1 text-xs text-warning">
        {problem.message} · <RelativeTime at={problem.at} />
      </p>
      <div className="mt-2.5 flex flex-wrap gap-1.5">
        {isElsewhere ? (
          words && (
            <Button size="sm" icon={<FolderInput />} onClick={() => void saveHere().catch(showProblem)}>
              Save here
            </Button>
          )
        ) : (
          <Button
            size="sm"
            icon={<RefreshCw />}
            onClick={() => void status.retry(problem).catch(showProblem)}
          >
            Try again
          </Button>
        )}
        <CopyButton text={words ? wordsAsText(words) : exportProblems([problem])} variant="ghost" />
        <Button
          size="sm"
          variant="quietDanger"
          onClick={() => void status.discard(problem).catch(showProblem)}
        >
          Discard
        </Button>
      </div>
    </li>
  );
}

/** The row's own words, since a waiting change carries only its id. */
function WaitingLine({ change }: { change: PendingChange }) {
  const { subject, count } = change;
  const row = useQuery(
    (view) =>
      subject === undefined
        ? undefined
        : (view.peek('memory', subject) ?? view.peek('space', subject) ?? view.peek('thread', subject)),
    [subject],
  );
  return (
    <li className="py-2">
      <span className="block">
        {changeLabel(change.name)}
        <ElsewhereName realmId={change.realmId} />
      </span>
      <span className="block truncate text-xs text-ink-muted">
        {count === undefined ? changeDetail(row) : countMemories(count)}
      </span>
    </li>
  );
}

/** The files that the server does not have; their list says more about each. */
function FilesSection({ onShow }: { onShow: () => void }) {
  const files = useStore(waitingFiles);
  if (files.length === 0) return null;
  return (
    <section aria-label="Files" className="mt-6">
      <div className="flex items-center justify-between">
        <h3 className="text-xs font-medium text-ink-faint">Files</h3>
        <Button size="sm" variant="ghost" icon={<Paperclip />} onClick={onShow}>
          Show files
        </Button>
      </div>
      <ul className="mt-2 divide-y divide-line">
        {files.slice(0, SHOWN).map(({ id, title, state }) => (
          <li key={id} className="flex items-baseline justify-between gap-3 py-2">
            <span className="min-w-0 truncate">{title}</span>
            <span
              className={clsx('shrink-0 text-xs', state === 'refused' ? 'text-warning' : 'text-ink-muted')}
            >
              {FILE_STATES[state]}
            </span>
          </li>
        ))}
      </ul>
      {files.length > SHOWN && <p className="text-xs text-ink-muted">and {files.length - SHOWN} more</p>}
    </section>
  );
}

const FILE_STATES = { waiting: 'Waiting', sending: 'Uploading', refused: 'Not saved' } as const;

function Waiting({ pending }: { pending: readonly PendingChange[] }) {
  return (
    <section aria-label="Waiting to be sent" className="mt-6">
      <h3 className="text-xs font-medium text-ink-faint">Waiting to be sent</h3>
      <ul className="mt-2 divide-y divide-line">
        {pending.slice(0, SHOWN).map((change) => (
          <WaitingLine key={change.id} change={change} />
        ))}
      </ul>
      {pending.length > SHOWN && <p className="text-xs text-ink-muted">and {pending.length - SHOWN} more</p>}
    </section>
  );
}

const STORAGE_WORDS = {
  ok: undefined,
  memory:
    'This browser does not store data on the device. Stay online, or your changes are lost when you close this page.',
  full: 'This device is out of storage. New changes may not survive a reload.',
  lost: 'The data on this device was removed while the page was open. Reload the page.',
} as const;

const DRIFT_WORDS = {
  healing: 'This device differed from the server. Downloading its data again',
  healed: 'This device differed from the server. Its data was downloaded again and now matches',
  differs:
    'This device still differs from the server after downloading its data again. Waiting changes are kept; the next check is in a day',
} as const satisfies Record<Drift['state'], string>;

/** Shows a fault also after it is mended: rows on this device were wrong until then. */
function DriftLine({ state, at }: Drift) {
  const isMended = state === 'healed';
  return (
    <output
      className={clsx(
        'mb-4 block rounded-card px-3 py-2',
        isMended ? 'bg-sunk text-ink-muted' : 'bg-warning-soft text-warning',
      )}
    >
      {DRIFT_WORDS[state]} · <RelativeTime at={at} />
    </output>
  );
}

/** Opens from the indicator. */
export function SyncSheet({ status, open, onOpenChange }: SyncSheetProps) {
  const updateWaiting = useUpdateAvailable();
  const storage = STORAGE_WORDS[status.storage];
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={syncLabel(status.state, status.count, status.texts)}
      description={syncExplanation(status.state, status.storage, status.texts)}
    >
      {storage !== undefined && (
        <p role="alert" className="mb-4 rounded-card bg-warning-soft px-3 py-2 text-warning">
          {storage}
        </p>
      )}
      {status.drift && <DriftLine {...status.drift} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={<RefreshCw />} onClick={status.syncNow}>
          Sync now
        </Button>
        {(updateWaiting || status.state === 'update') && (
          <Button variant="primary" onClick={applyUpdate}>
            Load the new version
          </Button>
        )}
        <p className="text-xs text-ink-muted">
          {status.lastSyncedAt === undefined ? (
            'Never synced on this device'
          ) : (
            <>
              Last synced <RelativeTime at={status.lastSyncedAt} />
            </>
          )}
        </p>
      </div>
      {status.problems.length > 0 && (
        <section aria-label="Needs attention" className="mt-6">
          <div className="flex items-center justify-between">
            <h3 className="text-xs font-medium text-ink-faint">Needs attention</h3>
            <Button
              size="sm"
              variant="ghost"
              icon={<Download />}
              onClick={() => downloadText('loci-changes.json', exportProblems(status.problems))}
            >
              Download a copy
            </Button>
          </div>
          <ul className="mt-2 flex flex-col gap-2">
            {status.problems.map((problem) => (
              <ProblemLine key={`${problem.realmId}/${problem.id}`} problem={problem} status={status} />
            ))}
          </ul>
        </section>
      )}
      <FilesSection
        onShow={() => {
          onOpenChange(false);
          fileSheet.set(true);
        }}
      />
      {status.pending.length > 0 && <Waiting pending={status.pending} />}
    </Sheet>
  );
}
