/**
 * The dialog that brings a zip of Markdown notes in: choose the file and what folders become, then see how far it is.
 * Closing it never stops an import.
 */
import { useEffect, useRef, useState } from 'react';
import type { ImportJob } from '#shared/capture/import-job.ts';
import type { Id } from '#shared/ids.ts';
import { beginImport, clearImport, importStore, resumeImports } from '#client/capture/import-run.ts';
import { closeImport, useImportDialog } from '#client/shell/import-state.ts';
import { useStore } from '#client/shell/external-store.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useWorkspace } from '#client/workspaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DropZone } from '#client/ui/drop-zone.tsx';
import { Progress } from '#client/ui/progress.tsx';
import { RadioList } from '#client/ui/radio-list.tsx';

const FOLDERS = [
  { value: 'tags', label: 'Become tags', hint: 'recipes/bread.md gets the tag “recipes”.' },
  { value: 'spaces', label: 'Become spaces', hint: 'A space for every folder.' },
  { value: 'none', label: 'Are left out', hint: 'Only the notes come in.' },
] as const;

function Choose({ workspaceId, given }: { workspaceId: Id<'workspace'>; given: File | undefined }) {
  const [file, setFile] = useState(given);
  const [folders, setFolders] = useState<ImportJob['folders']>('tags');
  return (
    <div className="flex flex-col gap-4">
      <DropZone
        label={file?.name ?? 'Choose a zip or drop it here'}
        hint={file ? 'Choose another one to replace it' : 'Markdown files; front matter and dates are kept'}
        accept=".zip,application/zip"
        multiple={false}
        onFiles={([first]) => setFile(first)}
      />
      <RadioList label="Folders" options={FOLDERS} value={folders} onValueChange={setFolders} />
      <div className="flex justify-end gap-2 max-sm:*:flex-1">
        <Button onClick={closeImport}>Cancel</Button>
        <Button
          variant="primary"
          disabled={file === undefined}
          onClick={() => file && void beginImport(workspaceId, file, folders)}
        >
          Import
        </Button>
      </div>
    </div>
  );
}

function Running({ job }: { job: ImportJob }) {
  const done = job.status === 'completed' || job.status === 'failed';
  const { imported, updatedCount, unchanged, problems } = job;
  return (
    <div className="flex flex-col gap-4">
      <p className="truncate font-medium">{job.filename}</p>
      <Progress label="Import" value={done ? 1 : job.total === 0 ? undefined : job.processed / job.total} />
      <output className="text-ink-muted">
        {job.status === 'failed'
          ? (job.error ?? 'The import failed.')
          : `${job.processed} of ${job.total} files: ${imported} new, ${updatedCount} updated, ${unchanged} unchanged.`}
      </output>
      {problems.length > 0 && (
        <section aria-label="Problems">
          <h3 className="text-xs font-medium text-ink-faint">
            {problems.length === 1 ? '1 file with a problem' : `${problems.length} files with problems`}
          </h3>
          <ul data-scroll className="mt-1 max-h-48 divide-y divide-line overflow-y-auto text-xs">
            {problems.map((problem) => (
              <li key={`${problem.path}${problem.reason}`} className="py-1.5">
                <span className="block break-all">{problem.path}</span>
                <span className="text-ink-muted">{problem.reason}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="flex justify-end gap-2 max-sm:*:flex-1">
        {done && <Button onClick={clearImport}>Import another</Button>}
        <Button variant="primary" onClick={closeImport}>
          {done ? 'Done' : 'Continue in the background'}
        </Button>
      </div>
    </div>
  );
}

function useFinishedToast(): void {
  const current = useStore(importStore);
  const { open } = useImportDialog();
  const told = useRef<string>(undefined);
  useEffect(() => {
    if (open || current.state !== 'job' || current.job.status !== 'completed') return;
    if (told.current === current.job.id) return;
    told.current = current.job.id;
    showToast({ kind: 'success', title: `${current.job.imported} memories imported` });
  }, [open, current]);
}

/** Once per dashboard; also takes up what an earlier visit left. */
export function ImportModal() {
  const { open, file } = useImportDialog();
  const workspaceId = useWorkspace()?.id;
  const current = useStore(importStore);
  useFinishedToast();
  useEffect(() => {
    if (workspaceId !== undefined) void resumeImports(workspaceId);
  }, [workspaceId]);
  if (workspaceId === undefined) return null;
  return (
    <Dialog
      open={open}
      onOpenChange={closeImport}
      title="Import notes"
      description="A zip of Markdown files. Safe to repeat."
    >
      {current.state === 'none' && <Choose key={file?.name ?? ''} workspaceId={workspaceId} given={file} />}
      {(current.state === 'waiting' || current.state === 'sending') && (
        <div className="flex flex-col gap-4">
          <p className="truncate font-medium">{current.name}</p>
          <Progress label="Sending" value={undefined} />
          <output className="text-ink-muted">
            {current.state === 'sending'
              ? 'Sending the archive.'
              : 'Kept on this device. It is sent as soon as the server can be reached.'}
          </output>
        </div>
      )}
      {current.state === 'job' && <Running job={current.job} />}
    </Dialog>
  );
}
