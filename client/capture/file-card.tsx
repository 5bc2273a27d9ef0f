/**
 * The files that wait to be sent, beside the sync indicator: a line in the sidebar, on phones a small bar. A press opens
 * the list of them.
 */
import { Paperclip } from 'lucide-react';
import { fileLine, fileShare } from '#client/capture/file-messages.ts';
import { waitingFiles } from '#client/replica/waiting-files.ts';
import { useStore } from '#client/shell/external-store.ts';
import { fileSheet } from '#client/shell/file-sheet-state.ts';
import { TaskBar, TaskLine, type ShownTask } from '#client/shell/task-line.tsx';

function useFileTask(): ShownTask {
  const files = useStore(waitingFiles);
  return {
    name: 'Files',
    icon: Paperclip,
    words: fileLine(files),
    share: fileShare(files),
    isWarning: files.some(({ state }) => state === 'refused'),
    onOpen: () => fileSheet.set(true),
  };
}

/** At the foot of the sidebar; nothing while no file waits. */
export function FileLine({ collapsed }: { collapsed: boolean }) {
  return <TaskLine task={useFileTask()} collapsed={collapsed} />;
}

/** On phones. */
export function FileBar() {
  const isOpen = useStore(fileSheet);
  const task = useFileTask();
  return isOpen ? null : <TaskBar task={task} isRunning={task.share !== undefined} />;
}
