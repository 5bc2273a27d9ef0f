/**
 * Whether the import dialog is open, and with which file.
 * The dialog is the capture feature’s import-modal.tsx.
 */
import { createStore, useStore } from '#client/shell/external-store.ts';

interface ImportDialog {
  open: boolean;
  file: File | undefined;
}

const store = createStore<ImportDialog>({ open: false, file: undefined });

let decide: (() => void) | undefined;

export function openImport(): void {
  store.set({ open: true, file: undefined });
}

/** Opens it with a file from outside; resolves once the file is stored or the dialog is closed. */
export function handToImport(file: File): Promise<void> {
  decide?.();
  store.set({ open: true, file });
  return new Promise((resolve) => {
    decide = resolve;
  });
}

/** Call when the import has stored the file. */
export function markImportStarted(): void {
  decide?.();
}

/** Closes the dialog; a running import continues. */
export function closeImport(): void {
  decide?.();
  store.set({ open: false, file: undefined });
}

export function useImportDialog(): ImportDialog {
  return useStore(store);
}
