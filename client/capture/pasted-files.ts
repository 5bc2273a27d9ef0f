/**
 * Files that are pasted into a field or dropped on a page that has no list of them: the capture sheet opens with them.
 */
import { openModal } from '#client/shell/modals.ts';
import { showProblem } from '#client/shell/problem-toast.ts';

/** The files of a paste. Tables and words are copied with a picture of themselves: there the words are meant. */
export function pastedFiles(data: DataTransfer): File[] {
  if (data.getData('text/plain') !== '') return [];
  // Browsers use this name for every picture.
  return [...data.files].map((file) =>
    file.name === 'image.png' ? new File([file], 'Pasted image.png', { type: file.type }) : file,
  );
}

/** Reads them and opens the sheet; what reads files is loaded only then. */
export function openWithFiles(files: readonly File[]): void {
  import('#client/capture/picked-files.ts')
    .then(({ pickFiles }) => pickFiles(files))
    .then(() => openModal('createMemory', {}))
    .catch(showProblem);
}
