/**
 * Files that are put into a note: each becomes a memory of its own through the queue of this device, and the note gets the
 * Markdown that shows it there. The content of a text file is inserted.
 */
import { useCallback } from 'react';
import { fileKind, kindOfName } from '#shared/capture/file-kinds.ts';
import { newId, type Id } from '#shared/ids.ts';
import { escapeMarkdown } from '#shared/markdown/escape-markdown.ts';
import { memoryAddress } from '#shared/markdown/file-links.ts';
import { readFileText } from '#shared/capture/file-text.ts';
import { FilePicker } from '#client/capture/file-picker.tsx';
import { pastedFiles } from '#client/capture/pasted-files.ts';
import { refusedMessage, sortFiles } from '#client/capture/take-files.ts';
import { useSaveFiles } from '#client/capture/use-save-files.ts';
import { showToast } from '#client/shell/toasts.ts';

/** The button that chooses them. */
export { FilePicker as NoteFilePicker };
export { pastedFiles as filesPastedIntoNote };

function referenceTo(id: Id<'memory'>, { name }: File): string {
  const kind = kindOfName(name);
  const isPicture = kind !== undefined && fileKind(kind).view === 'image';
  return `${isPicture ? '!' : ''}[${escapeMarkdown(name)}](${memoryAddress(id)})`;
}

/** Sorted as text before, so it is readable. */
async function textOf(file: File): Promise<string> {
  return readFileText(new Uint8Array(await file.arrayBuffer()))?.text ?? '';
}

/** Stores files for a note of this space; returns the Markdown for the note, empty when no file could be stored. */
export function useNoteFiles(spaceId: Id<'space'> | null): (files: readonly File[]) => Promise<string> {
  const { upload } = useSaveFiles();
  return useCallback(
    async (files) => {
      const { zip, texts, uploads, refused } = await sortFiles(files);
      if (zip) refused.push({ name: zip.name, reason: 'exports and zips cannot be put into a note' });
      if (refused.length > 0) {
        showToast({
          kind: 'warning',
          title: refused.length === 1 ? 'This file was not added' : `${refused.length} files were not added`,
          description: refusedMessage(refused),
        });
      }
      const queued = uploads.map(({ file, title }) => ({ file, title, id: newId('memory') }));
      const isQueued = await upload(queued, { spaceId, isSeparate: true });
      const parts = isQueued ? queued.map(({ id, file }) => referenceTo(id, file)) : [];
      for (const { file } of texts) parts.push((await textOf(file)).trim());
      return parts.filter((part) => part !== '').join('\n\n');
    },
    [upload, spaceId],
  );
}
