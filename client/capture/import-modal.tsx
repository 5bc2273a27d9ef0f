/**
 * The dialog that brings notes and exports of other products in: choose files or a folder and what folders become, then see how
 * far it is.
 * Closing it never stops an import.
 */
import { FolderOpen } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { IMPORT_FORMATS } from '#shared/capture/import-formats.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import type { Id } from '#shared/ids.ts';
import { IMPORT } from '#shared/capture/limits.ts';
import { ImportHistory } from '#client/capture/import-history.tsx';
import { NEEDS_ANSWER } from '#client/capture/import-messages.ts';
import {
  archiveOf,
  chosenFiles,
  entriesOf,
  filesBelow,
  hasFolder,
  TooMuchError,
} from '#client/capture/gathered-files.ts';
import { previewOf, type ImportPreview } from '#client/capture/import-preview.ts';
import { ImportProgress } from '#client/capture/import-progress.tsx';
import { beginImport, clearImport, resumeImports, showImport } from '#client/capture/import-run.ts';
import { importStore, isFinished } from '#client/capture/import-store.ts';
import {
  closeImport,
  markImportStarted,
  openImport,
  useImportDialog,
  type PlacedFile,
} from '#client/shell/import-state.ts';
import { useStore } from '#client/shell/external-store.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { closeToast, showToast } from '#client/shell/toasts.ts';
import { useWorkspace } from '#client/workspaces/queries.ts';
import { useResolved } from '#client/shell/use-loaded.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogFormFoot } from '#client/ui/dialog.tsx';
import { DropZone } from '#client/ui/drop-zone.tsx';
import { RadioList } from '#client/ui/radio-list.tsx';
import { formatCount } from '#shared/english.ts';

const FOLDERS = [
  { value: 'tags', label: 'Turn into tags', hint: 'recipes/bread.md gets the tag “recipes”.' },
  {
    value: 'spaces',
    label: 'Turn into spaces',
    hint: `One space per folder. Asks before making more than ${IMPORT.spacesUnasked}.`,
  },
  { value: 'none', label: 'Ignore', hint: 'Only the contents are imported.' },
] as const;

const QUESTION_TOAST = 'import-question';
const ACCEPTED = '.zip,.html,.htm,.csv,.json,.enex,.md,.markdown,.txt,.pdf,image/*';
const { bookmarks: _bookmarks, markdown: _markdown, ...products } = IMPORT_FORMATS;
const PRODUCTS = Object.values(products).map(({ label }) => label);

/** What was chosen as one file for the import, or why it cannot be imported. */
interface Chosen extends ImportPreview {
  file?: File;
}

const UNREADABLE = 'Could not read these files. Choose them again.';

async function chosenIn(files: Promise<readonly PlacedFile[]>): Promise<Chosen> {
  try {
    const file = await archiveOf(await files);
    return { file, ...(await previewOf(file)) };
  } catch (failure) {
    if (failure instanceof TooMuchError) return { problem: failure.message };
    console.info('import: files could not be read', failure);
    return { problem: UNREADABLE };
  }
}

function chooseFolder(onFiles: (files: FileList) => void): void {
  const field = Object.assign(document.createElement('input'), { type: 'file', webkitdirectory: true });
  field.addEventListener('change', () => field.files && onFiles(field.files));
  field.click();
}

interface ChooseProps {
  workspaceId: Id<'workspace'>;
  given: Promise<readonly PlacedFile[]> | undefined;
}

function Choose({ workspaceId, given }: ChooseProps) {
  const [files, setFiles] = useState(given);
  const [folders, setFolders] = useState<ImportJob['folders']>('tags');
  const chosen = useResolved(useCallback(async () => files && chosenIn(files), [files]));
  const isReading = files !== undefined && chosen === undefined;
  const { problem = '', words, file } = chosen ?? {};
  const size = file ? `${formatCount(Math.max(1, Math.round(file.size / 1024)))} KB. ` : '';
  const takeList = (list: Iterable<File>) => setFiles(Promise.resolve(chosenFiles(list)));
  return (
    <div className="flex flex-col gap-4">
      <DropZone
        label={
          isReading ? 'Reading the files…' : (file?.name ?? 'Choose files, or drop files and folders here')
        }
        hint={
          problem !== '' ? (
            <span role="alert" className="text-danger">
              {problem}
            </span>
          ) : file ? (
            <output>
              {words === undefined ? '' : `${words}. `}
              {size}Choose again to replace it
            </output>
          ) : (
            'Tags, folders and dates are kept'
          )
        }
        accept={ACCEPTED}
        onFiles={takeList}
        onDropped={(data) => {
          const entries = entriesOf(data);
          if (hasFolder(entries)) setFiles(filesBelow(entries));
          else takeList([...data.files]);
        }}
      />
      <Button size="sm" icon={<FolderOpen />} onClick={() => chooseFolder(takeList)} className="self-start">
        Choose a folder
      </Button>
      <p className="text-xs text-ink-muted">
        Takes bookmarks of your browser, Markdown files, their folder or a zip of it, and exports of{' '}
        {PRODUCTS.slice(0, -1).join(', ')} and {PRODUCTS.at(-1)}.{' '}
        <a href="/docs/import#other-products" target="_blank" rel="noreferrer" className="underline">
          Where to find your export
        </a>
      </p>
      <RadioList label="Folders" options={FOLDERS} value={folders} onValueChange={setFolders} />
      {given === undefined && <ImportHistory workspaceId={workspaceId} />}
      <DialogFormFoot>
        <Button onClick={closeImport}>Cancel</Button>
        <Button
          variant="primary"
          disabled={file === undefined || problem !== ''}
          onClick={() =>
            file && void beginImport(workspaceId, file, folders).then(markImportStarted).catch(showProblem)
          }
        >
          Import
        </Button>
      </DialogFormFoot>
    </div>
  );
}

function toastTitle(job: ImportJob): string {
  if (job.undo === 'done') return 'Import undone';
  if (job.status === 'failed') return 'Import failed';
  if (job.imported === 0 && job.updatedCount === 0) return 'Import finished: everything was already here';
  return `Import finished: ${formatCount(job.imported)} new memories`;
}

async function askToUndo({ workspaceId, id }: ImportJob): Promise<void> {
  await showImport(workspaceId, id, { asks: true });
  openImport();
}

/**
 * Announces the end of an import, and that it asks, to a person who closed the dialog. What went wrong stays in the sidebar until
 * it was read.
 */
function useFinishedToast(workspaceId: Id<'workspace'> | undefined): void {
  const current = useStore(importStore);
  const { open } = useImportDialog();
  const told = useRef<string>(undefined);
  useEffect(() => {
    // On a phone it would cover the answers.
    if (open) closeToast(QUESTION_TOAST);
    if (open || workspaceId === undefined || current.state !== 'job') return;
    const { job } = current;
    const isAsking = job.status === 'asking';
    if (!isAsking && !isFinished(job)) return;
    const outcome = `${job.id} ${isAsking ? job.status : job.undo}`;
    if (told.current === outcome) return;
    told.current = outcome;
    if (isAsking) {
      const toast = { id: QUESTION_TOAST, title: NEEDS_ANSWER };
      showToast({ ...toast, actions: [{ label: 'Answer', run: () => openImport() }] });
      return;
    }
    const isClean =
      job.undo === 'done' ? job.kept.length === 0 : job.status === 'completed' && job.problems.length === 0;
    const details = { label: 'Details', run: () => openImport() };
    const undo = { label: 'Undo', run: () => void askToUndo(job).catch(showProblem) };
    showToast({
      kind: job.status === 'completed' || job.undo === 'done' ? 'success' : 'error',
      title: toastTitle(job),
      actions: isClean ? (job.undo === 'possible' ? [undo] : []) : [details],
    });
    if (isClean) clearImport(workspaceId);
  }, [open, current, workspaceId]);
}

/** Render once per dashboard; it also continues an import that an earlier visit began. */
export function ImportModal() {
  const { open, files, turn } = useImportDialog();
  const workspaceId = useWorkspace()?.id;
  const current = useStore(importStore);
  useFinishedToast(workspaceId);
  useEffect(() => {
    if (workspaceId !== undefined) resumeImports(workspaceId);
  }, [workspaceId]);
  if (workspaceId === undefined) return null;
  const handleClose = () => {
    closeImport();
    const isOver = current.state === 'refused' || (current.state === 'job' && isFinished(current.job));
    if (isOver) clearImport(workspaceId);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={handleClose}
      title="Import notes and bookmarks"
      description="From your browser, other products or Markdown files. Safe to repeat: existing memories are not duplicated."
    >
      {current.state === 'none' ? (
        <Choose key={turn} workspaceId={workspaceId} given={files} />
      ) : (
        <ImportProgress current={current} workspaceId={workspaceId} onClose={handleClose} />
      )}
    </Dialog>
  );
}
