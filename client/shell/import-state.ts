/**
 * Whether the import dialog is open, and with which files.
 * The dialog is the capture feature’s import-modal.tsx.
 */
import { createStore, useStore } from '#client/shell/external-store.ts';

/** A file and its place below what was chosen. */
export interface PlacedFile {
  path: string;
  file: File;
}

interface ImportDialog {
  open: boolean;
  /** Being read from the device. */
  files: Promise<readonly PlacedFile[]> | undefined;
  /** Another number for other files. */
  turn: number;
}

const store = createStore<ImportDialog>({ open: false, files: undefined, turn: 0 });

function show(open: boolean, files?: ImportDialog['files']): void {
  store.set({ open, files, turn: store.get().turn + 1 });
}

let decide: (() => void) | undefined;

export function openImport(): void {
  show(true);
}

/** Opens it with files from outside; resolves once they are stored or the dialog is closed. */
export function handToImport(files: Promise<readonly PlacedFile[]>): Promise<void> {
  decide?.();
  show(true, files);
  return new Promise((resolve) => {
    decide = resolve;
  });
}

/** Call when the import has stored the files. */
export function markImportStarted(): void {
  decide?.();
}

/** Closes the dialog; a running import continues. */
export function closeImport(): void {
  decide?.();
  show(false);
}

export function useImportDialog(): ImportDialog {
  return useStore(store);
}
