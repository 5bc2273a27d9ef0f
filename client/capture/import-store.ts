/**
 * Where the import of the open workspace stands, for everything that shows it.
 * Holds no behaviour; import-run.ts moves it on.
 */
import type { ImportJob } from '#shared/capture/import-job.ts';
import { createStore } from '#client/shell/external-store.ts';

/** Why an archive is still on this device. */
export type WaitReason = 'network' | 'busy';

/** An import as this device sees it. */
export type ImportState =
  | { state: 'none' }
  /** The archive is kept here and has not been sent. */
  | { state: 'waiting'; uploadId: string; name: string; reason: WaitReason }
  /** `sent` goes from 0 to 1. */
  | { state: 'sending'; uploadId: string; name: string; sent: number }
  /** The server said no, for good. */
  | { state: 'refused'; name: string; reason: string }
  /** `heard` is false while the server cannot be asked how far it is. */
  | { state: 'job'; job: ImportJob; heard: boolean };

/** Followed by the dialog and by the line in the sidebar. */
export const importStore = createStore<ImportState>({ state: 'none' });

/** Nothing of this job will change any more. */
export function isFinished(job: ImportJob): boolean {
  return job.status === 'completed' || job.status === 'failed';
}
