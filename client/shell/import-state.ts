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

/** Opens it, with a file that was dropped if there is one. */
export function openImport(file?: File): void {
  store.set({ open: true, file });
}

/** Closes it; a running import goes on. */
export function closeImport(): void {
  store.set({ open: false, file: undefined });
}

/** Both. */
export function useImportDialog(): ImportDialog {
  return useStore(store);
}
