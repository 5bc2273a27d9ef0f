/**
 * The import dialog once a file was chosen: waiting, being sent, asking, running, finished, refused.
 * Every file that was left out or adjusted is listed with its reason.
 */
import { useEffect, useRef, useState, type Ref } from 'react';
import { IMPORT_PROBLEMS_MAX, type ImportJob } from '#shared/capture/import-job.ts';
import type { Id } from '#shared/ids.ts';
import { cancelWaiting, chooseFolders, clearImport } from '#client/capture/import-run.ts';
import { UndoImport } from '#client/capture/undo-import.tsx';
import { isFinished, type ImportState } from '#client/capture/import-store.ts';
import { importSentence, importShare, questionTitle } from '#client/capture/import-messages.ts';
import { openImport } from '#client/shell/import-state.ts';
import { perform } from '#client/shell/perform.ts';
import { Button } from '#client/ui/button.tsx';
import { DialogFormFoot } from '#client/ui/dialog.tsx';
import { Progress } from '#client/ui/progress.tsx';
import { countOf } from '#shared/english.ts';

const WAITING = {
  network:
    'Saved on this device. The upload starts when you are online, even after a reload. You can keep working.',
  busy: 'The server is busy. The archive stays on this device and is sent again automatically.',
} as const;

/** Back to the choice of a file, without the one that was chosen before. */
function another(workspaceId: Id<'workspace'>): void {
  clearImport(workspaceId);
  openImport();
}

function Problems({ problems }: Pick<ImportJob, 'problems'>) {
  if (problems.length === 0) return null;
  const left = problems.filter(({ imported }) => !imported);
  const many = problems.length >= IMPORT_PROBLEMS_MAX ? `The first ${IMPORT_PROBLEMS_MAX} of more. ` : '';
  return (
    <section aria-label="Problems">
      <h3 className="text-sm font-medium">
        {countOf(problems.length, 'item needs attention', 'items need attention')}
      </h3>
      <p className="text-xs text-ink-muted">
        {many}
        {left.length === 0
          ? 'All imported.'
          : `${countOf(left.length, 'was', 'were')} left out, the others were imported.`}
      </p>
      <ul
        data-scroll
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A list that scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label="Files"
        className="mt-2 max-h-48 divide-y divide-line overflow-y-auto rounded-card border border-line px-3 text-xs"
      >
        {problems.map((problem) => (
          <Line
            key={`${problem.path} ${problem.reason}`}
            path={problem.path}
            words={`${problem.imported ? 'Imported. ' : 'Skipped. '}${problem.reason}`}
          />
        ))}
      </ul>
    </section>
  );
}

function Line({ path, words }: { path: string; words: string }) {
  return (
    <li className="py-2">
      <span className="block font-medium break-all">{path}</span>
      <span className="text-ink-muted">{words}</span>
    </li>
  );
}

function Kept({ kept, keptCount }: Pick<ImportJob, 'kept' | 'keptCount'>) {
  if (kept.length === 0) return null;
  return (
    <section aria-label="What stayed">
      <h3 className="text-sm font-medium">{countOf(keptCount, 'item stayed', 'items stayed')}</h3>
      {keptCount > kept.length && <p className="text-xs text-ink-muted">The first {kept.length} of them.</p>}
      <ul
        data-scroll
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A list that scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label="Kept items"
        className="mt-2 max-h-48 divide-y divide-line overflow-y-auto rounded-card border border-line px-3 text-xs"
      >
        {kept.map(({ path, reason }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- Two items of an export may have one path and one reason.
          <Line key={index} path={path} words={reason} />
        ))}
      </ul>
    </section>
  );
}

/** The answers to an import that would make many spaces; `proposed` is the button of the main one. */
function FolderChoices({ job, proposed }: { job: ImportJob; proposed: Ref<HTMLButtonElement> }) {
  const [chosen, setChosen] = useState<ImportJob['folders']>();
  const button = (folders: ImportJob['folders']) => ({
    loading: chosen === folders,
    disabled: chosen !== undefined && chosen !== folders,
    onClick: () => {
      setChosen(folders);
      void perform(() => chooseFolders(job, folders)).finally(() => setChosen(undefined));
    },
  });
  return (
    <>
      <Button {...button('none')}>Ignore folders</Button>
      <Button {...button('spaces')}>Make {countOf(job.newSpaces, 'space')}</Button>
      <Button {...button('tags')} ref={proposed} variant="primary">
        Use tags
      </Button>
    </>
  );
}

function Job({
  current,
  workspaceId,
  onClose,
}: {
  current: ImportState & { state: 'job' };
  workspaceId: Id<'workspace'>;
  onClose: () => void;
}) {
  const { job, asks = false } = current;
  const done = isFinished(job);
  const isFailed = job.status === 'failed' && job.undo !== 'done' && job.undo !== 'running';
  const last = useRef<HTMLButtonElement>(null);
  const isUndone = job.undo === 'done';
  const isAsking = job.status === 'asking';
  useEffect(() => {
    // The button or the confirmation that had the focus no longer exists.
    const surface = last.current?.closest('[data-surface]');
    if ((isUndone || isAsking) && surface?.contains(document.activeElement) === false) last.current?.focus();
  }, [isUndone, isAsking]);
  return (
    <>
      <p className="truncate font-medium">{job.filename}</p>
      {!isAsking && <Progress label="Import" value={importShare(current)} />}
      <output className={isFailed ? 'text-danger' : 'text-ink-muted'}>
        {isAsking && <span className="mb-1 block font-medium text-ink">{questionTitle(job)}</span>}
        {importSentence(current)}
      </output>
      {isUndone ? <Kept kept={job.kept} keptCount={job.keptCount} /> : <Problems problems={job.problems} />}
      <DialogFormFoot>
        <UndoImport job={job} asks={asks} />
        {done && <Button onClick={() => another(workspaceId)}>Import another</Button>}
        {isAsking ? (
          <FolderChoices job={job} proposed={last} />
        ) : (
          <Button ref={last} variant="primary" onClick={onClose}>
            {done ? 'Done' : 'Continue in the background'}
          </Button>
        )}
      </DialogFormFoot>
    </>
  );
}

/** Everything but the choice of the file. */
export function ImportProgress({
  current,
  workspaceId,
  onClose,
}: {
  current: Exclude<ImportState, { state: 'none' }>;
  workspaceId: Id<'workspace'>;
  onClose: () => void;
}) {
  return (
    <div className="flex flex-col gap-4">
      {current.state === 'job' && <Job current={current} workspaceId={workspaceId} onClose={onClose} />}
      {current.state === 'sending' && (
        <>
          <p className="truncate font-medium">{current.name}</p>
          <Progress label="Sending" value={current.sent} />
          <output className="text-ink-muted">Uploading the archive.</output>
          <DialogFormFoot>
            <Button variant="primary" onClick={onClose}>
              Continue in the background
            </Button>
          </DialogFormFoot>
        </>
      )}
      {current.state === 'waiting' && (
        <>
          <p className="truncate font-medium">{current.name}</p>
          <output className="text-ink-muted">{WAITING[current.reason]}</output>
          <DialogFormFoot>
            <Button variant="quietDanger" onClick={() => void cancelWaiting(current.uploadId)}>
              Cancel import
            </Button>
            <Button variant="primary" onClick={onClose}>
              Continue in the background
            </Button>
          </DialogFormFoot>
        </>
      )}
      {current.state === 'refused' && (
        <>
          <p className="truncate font-medium">{current.name}</p>
          <p role="alert" className="text-danger">
            {current.reason}
          </p>
          <DialogFormFoot>
            <Button variant="primary" onClick={() => another(workspaceId)}>
              Choose another file
            </Button>
          </DialogFormFoot>
        </>
      )}
    </div>
  );
}
