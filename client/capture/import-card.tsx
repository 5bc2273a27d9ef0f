/**
 * The running import beside the sync indicator: a line in the sidebar, on phones a small bar above the bottom bar. A click
 * opens the dialog with the details.
 */
import { FileDown } from 'lucide-react';
import { importStore, type ImportState } from '#client/capture/import-store.ts';
import { importLine, importShare } from '#client/capture/import-messages.ts';
import { useStore } from '#client/shell/external-store.ts';
import { openImport, useImportDialog } from '#client/shell/import-state.ts';
import { TaskBar, TaskLine, type ShownTask } from '#client/shell/task-line.tsx';

function importTask(current: ImportState): ShownTask {
  return {
    name: 'Import',
    icon: FileDown,
    words: importLine(current),
    share: importShare(current),
    isWarning:
      current.state === 'refused' ||
      (current.state === 'job' && (current.job.status === 'failed' || current.job.status === 'asking')),
    onOpen: () => openImport(),
  };
}

/** At the foot of the sidebar; nothing while there is no import. */
export function ImportLine({ collapsed }: { collapsed: boolean }) {
  return <TaskLine task={importTask(useStore(importStore))} collapsed={collapsed} />;
}

/** On phones, where the sidebar is out of sight. */
export function ImportBar() {
  const current = useStore(importStore);
  const { open } = useImportDialog();
  if (open) return null;
  return (
    <TaskBar
      task={importTask(current)}
      isRunning={current.state === 'sending' || (current.state === 'job' && current.job.status !== 'asking')}
    />
  );
}
