import { useEffect } from 'react';
import { closeModal, type ModalName } from '#client/shell/modals.ts';

/** Closes a dialog that was opened by a person who may not use it: it is not shown, and would block every other one. */
export function useCloseRefused(name: ModalName, isRefused: boolean): void {
  useEffect(() => {
    if (isRefused) closeModal(name);
  }, [name, isRefused]);
}
