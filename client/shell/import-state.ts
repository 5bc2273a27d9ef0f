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
}

const store = createStore<ImportDialog>({ open: false, files: undefined });

let decide: (() => void) | undefined;

export function openImport(): void {
  store.set({ open: true, files: undefined });
}

/** Opens it with files from outside; resolves once they are stored or the dialog is closed. */
export function handToImport(files: Promise<readonly PlacedFile[]>): Promise<void> {
  decide?.();
  store.set({ open: true, files });
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
  store.set({ open: false, files: undefined });
}

export function useImportDialog(): ImportDialog {
  return useStore(store);
}
