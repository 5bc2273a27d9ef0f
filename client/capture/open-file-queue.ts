/**
 * The queue of the person whose replica this page has open, for everything that adds files or decides about them.
 */
import { endSession, sessionToken } from '#client/api/session.ts';
import { FileQueue } from '#client/capture/file-queue.ts';
import { giveUpFile } from '#client/capture/file-parts.ts';
import { sendFile, type SentFile } from '#client/capture/file-upload.ts';
import type { StoredUpload } from '#client/replica/device-database.ts';
import { openedReplica } from '#client/replica/open-replica.ts';

let current: FileQueue | undefined;

/** Starts it; returns its end. */
export function openFileQueue(onSent: (file: StoredUpload, sent: SentFile) => void): () => void {
  const queue = new FileQueue({
    device: openedReplica()?.device,
    token: sessionToken,
    send: sendFile,
    giveUp: giveUpFile,
    onSent,
    onUnauthorized: (token) => endSession(token),
  });
  current = queue;
  queue.start().catch((failure: unknown) => console.error('files: the queue did not start', failure));
  return () => {
    if (current === queue) current = undefined;
    queue.close();
  };
}

/** The queue of this page. @throws Error outside of the dashboard */
export function fileQueue(): FileQueue {
  if (!current) throw new Error('No queue of files is open');
  return current;
}
