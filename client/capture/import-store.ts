/**
 * The state of the open workspace's import, for everything that shows it. import-run.ts changes it.
 */
import type { ImportJob } from '#shared/capture/import-job.ts';
import { createStore } from '#client/shell/external-store.ts';

export type WaitReason = 'network' | 'busy';

export type ImportState =
  | { state: 'none' }
  /** The archive is stored here and has not been sent. */
  | { state: 'waiting'; uploadId: string; name: string; reason: WaitReason }
  /** `sent` is a share from 0 to 1. */
  | { state: 'sending'; uploadId: string; name: string; sent: number }
  /** The server has refused the archive and will not accept it later. */
  | { state: 'refused'; name: string; reason: string }
  /** `heard` is false while the server's progress cannot be read; `asks` is true while the confirmation of an undo is open. */
  | { state: 'job'; job: ImportJob; heard: boolean; asks?: boolean };

/** Followed by the dialog and by the line in the sidebar. */
export const importStore = createStore<ImportState>({ state: 'none' });

/** The job has ended and is not being undone, so its state no longer changes. */
export function isFinished(job: Pick<ImportJob, 'status' | 'undo'>): boolean {
  return (job.status === 'completed' || job.status === 'failed') && job.undo !== 'running';
}
