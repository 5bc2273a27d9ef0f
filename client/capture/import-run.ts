/**
 * The import of a zip as it is on this device: waiting for the network, being sent, running on the server, finished.
 * What waits is kept in the device's tables and the running job's id in local storage, so both survive a reload.
 */
import type { ImportJob } from '#shared/capture/import-job.ts';
import { newId, isId, type Id } from '#shared/ids.ts';
import { api } from '#client/api/session-client.ts';
import { ApiProblem } from '#client/api/client.ts';
import { sessionToken } from '#client/api/session.ts';
import { openedReplica } from '#client/replica/open-replica.ts';
import { createStore } from '#client/shell/external-store.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';
import { showProblem } from '#client/shell/problem-toast.ts';

/** Where an import stands. */
export type ImportState =
  | { state: 'none' }
  | { state: 'waiting' | 'sending'; name: string }
  | { state: 'job'; job: ImportJob };

type Folders = ImportJob['folders'];

const POLL_MS = 1_000;
const RETRY_MS = 5_000;

/** Followed by the dialog and the badge. */
export const importStore = createStore<ImportState>({ state: 'none' });

let busy = false;

function jobKey(workspaceId: string): string {
  return `loci-import-${workspaceId}`;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Keeps the archive on the device and sends it as soon as that is possible. */
export async function beginImport(workspaceId: Id<'workspace'>, file: File, folders: Folders): Promise<void> {
  importStore.set({ state: 'waiting', name: file.name });
  const upload = {
    ...{ id: newId('upload'), workspaceId, kind: 'import' as const, name: file.name, blob: file },
    ...{ fields: { folders }, created: Date.now(), tries: 0, lastError: null },
  };
  const device = openedReplica()?.device;
  if (device) await device.upload.put(upload);
  else if (!(await send(workspaceId, { name: file.name, blob: file, folders }))) return;
  await resumeImports(workspaceId);
}

async function send(
  workspaceId: Id<'workspace'>,
  given: { name: string; blob: Blob; folders: string },
): Promise<boolean> {
  importStore.set({ state: 'sending', name: given.name });
  const form = new FormData();
  form.set('payload', JSON.stringify({ workspaceId, folders: given.folders, filename: given.name }));
  form.set('file', given.blob, given.name);
  const response = await fetch('/v1/imports', {
    method: 'POST',
    credentials: 'omit',
    headers: { authorization: `Bearer ${sessionToken() ?? ''}`, 'x-upload': 'file' },
    body: form,
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new ApiProblem(response.status, body);
  const result: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'result') : undefined;
  const id: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'id') : undefined;
  if (isId('upload', id)) writeSetting(jobKey(workspaceId), id);
  return true;
}

/** Sends what waits and follows what runs; safe to call at every opening of the workspace. */
export async function resumeImports(workspaceId: Id<'workspace'>): Promise<void> {
  if (busy) return;
  busy = true;
  try {
    await sendWaiting(workspaceId);
    await follow(workspaceId);
  } catch (failure) {
    importStore.set({ state: 'none' });
    showProblem(failure);
  } finally {
    busy = false;
  }
}

async function sendWaiting(workspaceId: Id<'workspace'>): Promise<void> {
  for (;;) {
    const device = openedReplica()?.device;
    const waiting = await device?.upload.where('workspaceId').equals(workspaceId).first();
    if (!device || !waiting) return;
    try {
      await send(workspaceId, { ...waiting, folders: waiting.fields['folders'] ?? 'tags' });
      await device.upload.delete(waiting.id);
    } catch (failure) {
      // No answer at all: the file stays here and is tried again.
      if (!(failure instanceof TypeError)) {
        await device.upload.delete(waiting.id);
        throw failure;
      }
      importStore.set({ state: 'waiting', name: waiting.name });
      await pause(RETRY_MS);
    }
  }
}

async function follow(workspaceId: Id<'workspace'>): Promise<void> {
  for (;;) {
    const id = readSetting(jobKey(workspaceId));
    if (!isId('upload', id)) return;
    try {
      const { result: job } = await api('import.get', { params: { workspaceId, id } });
      importStore.set({ state: 'job', job });
      if (job.status === 'completed' || job.status === 'failed') {
        writeSetting(jobKey(workspaceId), undefined);
        return;
      }
      await pause(POLL_MS);
    } catch (failure) {
      if (failure instanceof ApiProblem) {
        writeSetting(jobKey(workspaceId), undefined);
        throw failure;
      }
      await pause(RETRY_MS);
    }
  }
}

/** Forgets a finished import. */
export function clearImport(): void {
  importStore.set({ state: 'none' });
}
