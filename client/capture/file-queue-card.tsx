/** Runs the queue of files while the dashboard is open, and confirms the files that were sent. */
import { useEffect, useEffectEvent, useRef } from 'react';
import type { SentFile } from '#client/capture/file-upload.ts';
import { openFileQueue } from '#client/capture/open-file-queue.ts';
import { useReplica } from '#client/replica/replica-context.tsx';
import type { StoredUpload } from '#client/replica/device-database.ts';
import { waitingFiles } from '#client/replica/waiting-files.ts';
import { useWorkspace } from '#client/workspaces/queries.ts';
import { useOpenMemory } from '#client/shell/memory-address.ts';
import { showToast } from '#client/shell/toasts.ts';

interface Done {
  file: StoredUpload;
  sent: SentFile;
}

function titleOf(done: readonly Done[]): string {
  const [first] = done;
  if (first === undefined || done.length > 1) return `${done.length} files saved`;
  return first.sent.isDuplicate
    ? 'This file is already in your memories'
    : `Saved “${first.file.fields['title'] ?? first.file.name}”`;
}

/** Once per dashboard; draws nothing. */
export function FileQueueCard() {
  const replica = useReplica();
  const openMemory = useOpenMemory();
  const workspaceId = useWorkspace()?.id;
  const done = useRef<Done[]>([]);
  const confirm = useEffectEvent((file: StoredUpload, sent: SentFile) => {
    done.current.push({ file, sent });
    // One message for all that were sent in a row.
    if (waitingFiles.get().some(({ state }) => state !== 'refused')) return;
    const [first] = done.current;
    const isOne = done.current.length === 1 && first?.file.workspaceId === workspaceId;
    showToast({
      title: titleOf(done.current),
      kind: 'success',
      actions: isOne ? [{ label: 'Open', run: () => openMemory(sent.memoryId) }] : [],
    });
    done.current = [];
  });
  useEffect(() => openFileQueue((file, sent) => confirm(file, sent)), [replica]);
  return null;
}
