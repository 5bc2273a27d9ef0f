/**
 * Undo of a whole import: the button under its outcome, and the confirmation. Needs the server, which knows what has changed
 * since.
 */
import type { ImportJob } from '#shared/capture/import-job.ts';
import { TRASH_DAYS } from '#shared/memories/limits.ts';
import { askForUndo, undoImport } from '#client/capture/import-run.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Button } from '#client/ui/button.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { useCan } from '#client/workspaces/queries.ts';
import { formatCount } from '#shared/english.ts';

/** Whether this person can undo an import now. */
export function useMayUndo({ undo, createdBy }: Pick<ImportJob, 'undo' | 'createdBy'>): boolean {
  const online = useIsOnline();
  const rights = useCan();
  return online && undo === 'possible' && rights('import.undo', { ownerId: createdBy }) === true;
}

function made(count: number): string {
  if (count === 0) return 'No memory was new, so none is deleted.';
  const many = count === 1 ? 'the memory' : `the ${formatCount(count)} memories`;
  return `This deletes ${many} that it made, and its new spaces. They can be restored for ${TRASH_DAYS} days.`;
}

/** Empty where undo is impossible; during undo, the button stays, so that the focus returns to it. */
export function UndoImport({ job, asks }: { job: ImportJob; asks: boolean }) {
  const mayUndo = useMayUndo(job);
  const isRunning = job.undo === 'running';
  const { busy, run } = useBusy();
  if (!mayUndo && !isRunning) return null;
  const undo = () =>
    run(
      () => undoImport(job),
      () => askForUndo(false),
    );
  return (
    <>
      <Button variant="quietDanger" loading={isRunning} onClick={() => askForUndo(true)}>
        Undo import
      </Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={askForUndo}
        title={`Undo the import of ${job.filename}?`}
        confirm="Undo import"
        busy={busy}
        onConfirm={() => void undo()}
      >
        <p>{made(job.imported)}</p>
        {job.updatedCount > 0 && (
          <p className="mt-2">Memories that it brought up to date get their earlier text.</p>
        )}
        <p className="mt-2">What was changed since stays, and is listed.</p>
      </ConfirmDialog>
    </>
  );
}
