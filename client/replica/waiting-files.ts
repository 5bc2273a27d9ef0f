/**
 * The files of this device that the server does not have yet, for everything that shows or counts them. The queue of the
 * capture feature changes the list; it is empty until that queue has read the device's tables.
 */
import { createStore } from '#client/shell/store.ts';

export interface WaitingFile {
  /** Id of the memory that it becomes. */
  id: string;
  workspaceId: string;
  name: string;
  title: string;
  bytes: number;
  blob: Blob;
  /** refused = the server does not accept it; it stays here until the person decides. */
  state: 'waiting' | 'sending' | 'refused';
  /** Share that was sent, from 0 to 1; while it waits, the share that the server has. */
  sent: number;
  /** Why it was refused. */
  reason: string | null;
  /** False when this device had no room: the file is lost with the page. */
  isStored: boolean;
}

export const waitingFiles = createStore<readonly WaitingFile[]>([]);
