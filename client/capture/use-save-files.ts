/**
 * Saves the files that were chosen: texts as notes at once, the others through the queue of this device, from where they
 * go up as soon as there is a connection.
 */
import { useCallback } from 'react';
import { titleOfFilename } from '#shared/capture/file-title.ts';
import type { FilePlace, NewFile } from '#client/capture/file-queue.ts';
import { fileQueue } from '#client/capture/open-file-queue.ts';
import { removePicked, type PickedFile } from '#client/capture/picked-files.ts';
import { useCapture } from '#client/capture/use-capture.ts';
import { useWorkspace } from '#client/workspaces/queries.ts';
import { countSave } from '#client/shell/install.ts';
import { perform } from '#client/shell/perform.ts';
import { showToast } from '#client/shell/toasts.ts';

type SavePlace = Omit<FilePlace, 'workspaceId'>;

interface SaveFiles {
  /** Saves the chosen files; resolves to whether all are stored. Stored files are no longer listed. */
  savePicked: (files: readonly PickedFile[], place: SavePlace) => Promise<boolean>;
  /** Puts files into the queue; resolves to whether they are there. */
  upload: (files: readonly NewFile[], place: SavePlace) => Promise<boolean>;
}

/** Both stay the same while the workspace does. */
export function useSaveFiles(): SaveFiles {
  const capture = useCapture();
  const workspaceId = useWorkspace()?.id;
  const upload = useCallback<SaveFiles['upload']>(
    async (files, place) => {
      if (files.length === 0) return true;
      if (workspaceId === undefined) return false;
      const isQueued = await perform(() => fileQueue().add(files, { workspaceId, ...place }));
      if (!isQueued) return false;
      countSave();
      if (!navigator.onLine) {
        showToast({
          title:
            files.length === 1 ? 'File kept on this device' : `${files.length} files kept on this device`,
          description: 'Uploads when there is a connection.',
        });
      }
      return true;
    },
    [workspaceId],
  );
  const savePicked = useCallback<SaveFiles['savePicked']>(
    async (picked, place) => {
      for (const { id, note, title } of picked) {
        if (note === undefined) continue;
        const named = { id, at: new Date().toISOString() };
        const captured = { ...note, title: title.trim() === '' ? null : title };
        if (!(await capture(captured, { by: 'dropped', ...place, named }))) return false;
        removePicked([id]);
      }
      const files = picked.filter(({ note }) => note === undefined);
      const titled = files.map(({ id, file, title }) => ({
        id,
        file,
        title: title.trim() || titleOfFilename(file.name),
      }));
      if (!(await upload(titled, place))) return false;
      removePicked(files.map(({ id }) => id));
      return true;
    },
    [capture, upload],
  );
  return { savePicked, upload };
}
