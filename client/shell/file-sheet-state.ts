/**
 * Whether the list of files that wait to be sent is open. The list is the capture feature’s file-sheet.tsx.
 */
import { createStore } from '#client/shell/store.ts';

export const fileSheet = createStore(false);
