/**
 * Imports of this device: an archive waits until the server can be reached, is sent, and is followed to its end. The
 * archive is stored in the device's tables and the running job's id in local storage, so both survive a reload.
 */
import { z } from 'zod';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { PARTS } from '#shared/capture/upload-limits.ts';
import { IMPORT } from '#shared/capture/limits.ts';
import { idOf } from '#shared/define/id-schema.ts';
import { isId, newId, type Id } from '#shared/ids.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { endSession, sessionToken } from '#client/api/session.ts';
import { importStore, isFinished, type WaitReason } from '#client/capture/import-store.ts';
import { retryPause } from '#client/capture/retry-pause.ts';
import { giveUpFile, sendParts } from '#client/capture/file-parts.ts';
import { isPassing, NoResponseError, sendBody, sendForm, type Sending } from '#client/capture/send-form.ts';
import type { StoredUpload } from '#client/replica/device-database.ts';
import { openedReplica } from '#client/replica/open-replica.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

type Folders = ImportJob['folders'];

const POLL_MS = 1_000;
const RETRY_MS = 5_000;

interface Run {
  workspaceId: Id<'workspace'>;
  stop: AbortController;
  wake: () => void;
  busy: boolean;
}

let run: Run | undefined;
/** Where nothing may be stored on the device, an archive exists as long as its page. */
const unstored: StoredUpload[] = [];

const jobKey = (workspaceId: string) => `loci-import-${workspaceId}`;

async function nextArchive(workspaceId: string): Promise<StoredUpload | undefined> {
  const tables = await openedReplica()?.device?.tables();
  const stored = await tables?.upload.where('workspaceId').equals(workspaceId).sortBy('created');
  return (
    stored?.find(({ kind }) => kind === 'import') ??
    unstored.find((archive) => archive.workspaceId === workspaceId)
  );
}

async function forgetArchive(id: string): Promise<void> {
  await (await openedReplica()?.device?.tables())?.upload.delete(id);
  const at = unstored.findIndex((archive) => archive.id === id);
  if (at >= 0) unstored.splice(at, 1);
}

/** Stores the archive on the device and sends it as soon as possible. */
export async function beginImport(workspaceId: Id<'workspace'>, file: File, folders: Folders): Promise<void> {
  const archive: StoredUpload = {
    id: newId('upload'),
    workspaceId,
    kind: 'import',
    name: file.name,
    blob: file,
    fields: { folders },
    created: Date.now(),
    tries: 0,
    lastError: null,
  };
  importStore.set({ state: 'sending', uploadId: archive.id, name: file.name, sent: 0 });
  try {
    await (await openedReplica()?.device?.tables())?.upload.put(archive);
  } catch (failure) {
    // No room on the device: it is sent from memory, and a reload before that would lose only the choice of the file.
    console.warn('import: the archive could not be kept on this device', failure);
    unstored.push(archive);
  }
  if (!openedReplica()?.device) unstored.push(archive);
  resumeImports(workspaceId);
}

/** Cancels the import of an archive that was not sent yet. */
export async function cancelWaiting(uploadId: string): Promise<void> {
  const archive = await nextArchive(run?.workspaceId ?? '');
  await forgetArchive(uploadId);
  importStore.set({ state: 'none' });
  run?.wake();
  if (archive?.id !== uploadId || archive.blob.size <= PARTS.fromBytes) return;
  // What has arrived would go by itself after a few days.
  giveUpFile(archive, sessionToken()).catch((failure: unknown) =>
    console.info('import: the parts that were sent are still on the server', failure),
  );
}

/** Sends what waits and follows what runs in this workspace; safe to call at every opening. */
export function resumeImports(workspaceId: Id<'workspace'>): void {
  if (run?.workspaceId === workspaceId && !run.stop.signal.aborted) {
    if (run.busy) return run.wake();
  } else {
    run?.stop.abort();
    importStore.set({ state: 'none' });
  }
  const mine: Run = { workspaceId, stop: new AbortController(), wake: () => undefined, busy: true };
  run = mine;
  void work(mine)
    .catch((failure: unknown) => console.error('import: stopped', failure))
    .finally(() => (mine.busy = false));
}

async function work(mine: Run): Promise<void> {
  while (!mine.stop.signal.aborted) {
    const id = readSetting(jobKey(mine.workspaceId));
    if (isId('upload', id)) {
      if (!(await follow(mine, id))) return;
    } else if (await nextArchive(mine.workspaceId)) {
      // Of several tabs one sends; the others see the job afterwards.
      if (!(await navigator.locks.request('loci-import', () => sendNext(mine)))) return;
    } else return;
  }
}

function rest(mine: Run, ms: number): Promise<void> {
  return retryPause(ms, mine.stop.signal, (wake) => (mine.wake = wake));
}

function show(mine: Run, state: Parameters<typeof importStore.set>[0]): void {
  if (run === mine && !mine.stop.signal.aborted) importStore.set(state);
}

/** Returns whether to continue. */
async function sendNext(mine: Run): Promise<boolean> {
  const archive = await nextArchive(mine.workspaceId);
  if (!archive) return true;
  const { id: uploadId, name } = archive;
  const wait = async (reason: WaitReason, ms: number) => {
    show(mine, { state: 'waiting', uploadId, name, reason });
    await rest(mine, ms);
    return true;
  };
  const refuse = async (reason: string) => {
    await forgetArchive(uploadId);
    show(mine, { state: 'refused', name, reason });
    return false;
  };
  if (!navigator.onLine) return wait('network', RETRY_MS);
  const token = sessionToken();
  show(mine, { state: 'sending', uploadId, name, sent: 0 });
  try {
    const onProgress = (sent: number) => show(mine, { state: 'sending', uploadId, name, sent });
    const id = await sendArchive(archive, { token, signal: mine.stop.signal, onProgress });
    writeSetting(jobKey(mine.workspaceId), id);
    await forgetArchive(uploadId);
    return true;
  } catch (failure) {
    if (failure instanceof NoResponseError) return wait('network', RETRY_MS);
    if (!(failure instanceof ApiProblem)) {
      console.error('import: the archive could not be sent', failure);
      return refuse('This device could not read it. Choose it again.');
    }
    if (isPassing(failure)) return wait('busy', Math.max(RETRY_MS, 1_000 * (failure.retryAfter ?? 0)));
    if (failure.status === 401) {
      // The archive stays for the same person's next login.
      endSession(token);
      return false;
    }
    return refuse(failure.error.detail);
  }
}

/** Returns whether to continue after this job; its outcome stays until it was seen. */
async function follow(mine: Run, id: Id<'upload'>): Promise<boolean> {
  const { workspaceId } = mine;
  try {
    const { result: job } = await api('import.get', { params: { workspaceId, id } });
    show(mine, { state: 'job', job, heard: true });
    if (isFinished(job)) return false;
    await rest(mine, job.status === 'asking' ? RETRY_MS : POLL_MS);
    return true;
  } catch (failure) {
    if (failure instanceof ApiProblem && !isPassing(failure)) {
      if (failure.status === 401) return false;
      writeSetting(jobKey(workspaceId), undefined);
      show(mine, { state: 'none' });
      return true;
    }
    const before = importStore.get();
    if (before.state === 'job') show(mine, { ...before, heard: false });
    await rest(mine, RETRY_MS);
    return true;
  }
}

/**
 * Shows an earlier import like the one that ended last, until it was seen; with `asks`, opens the confirmation of its undo.
 * @throws ApiProblem
 */
export async function showImport(
  workspaceId: Id<'workspace'>,
  id: Id<'upload'>,
  { asks = false } = {},
): Promise<void> {
  const { result: job } = await api('import.get', { params: { workspaceId, id } });
  if (importStore.get().state !== 'none') return;
  importStore.set({ state: 'job', job, heard: true, asks: asks && job.undo === 'possible' });
  if (isFinished(job)) return;
  // Begun on another device: followed here too.
  writeSetting(jobKey(workspaceId), id);
  resumeImports(workspaceId);
}

/** Answers an import that asks what folders become. @throws ApiProblem */
export async function chooseFolders(
  { workspaceId, id }: Pick<ImportJob, 'workspaceId' | 'id'>,
  folders: Folders,
): Promise<void> {
  try {
    const { result: job } = await api('import.choose', { params: { workspaceId, id }, body: { folders } });
    importStore.set({ state: 'job', job, heard: true });
  } finally {
    // A refusal may mean that it was answered on another device.
    resumeImports(workspaceId);
  }
}

/** Opens or closes the question whether to undo the import that is shown. */
export function askForUndo(asks: boolean): void {
  const current = importStore.get();
  if (current.state === 'job') importStore.set({ ...current, asks });
}

/** Has the server undo an import, and shows the progress. @throws ApiProblem */
export async function undoImport({ workspaceId, id }: Pick<ImportJob, 'workspaceId' | 'id'>): Promise<void> {
  const { result: job } = await api('import.undo', { params: { workspaceId, id } });
  importStore.set({ state: 'job', job, heard: true });
  writeSetting(jobKey(workspaceId), id);
  resumeImports(workspaceId);
}

/** The outcome was seen: it is forgotten, and the next archive that waits has its turn. */
export function clearImport(workspaceId: Id<'workspace'>): void {
  writeSetting(jobKey(workspaceId), undefined);
  importStore.set({ state: 'none' });
  resumeImports(workspaceId);
}

const accepted = z.object({ result: z.object({ id: idOf('upload') }) });

/**
 * Sends one archive, a large one in parts. A lost response is harmless: the file's idempotency key makes the server return the
 * import that the first upload started. Resolves to the id of the import.
 * @throws ApiProblem for a refusal, NoResponseError without network
 */
async function sendArchive(archive: StoredUpload, sending: Sending): Promise<Id<'upload'>> {
  const { id, workspaceId, name, blob, fields } = archive;
  const payload = { workspaceId, filename: name, spacesMax: IMPORT.spacesUnasked, ...fields };
  const headers = { 'idempotency-key': id };
  const read = (body: unknown) => accepted.safeParse(body).data?.result.id;
  const order = { path: '/v1/imports', read };
  if (blob.size <= PARTS.fromBytes)
    return sendForm({ ...order, payload, file: { name, blob }, headers }, sending);
  const uploadId = await sendParts(archive, sending);
  const withUpload = { ...headers, 'x-upload': uploadId, 'content-type': 'application/json' };
  return sendBody(
    { ...order, method: 'POST', headers: withUpload, body: JSON.stringify(payload) },
    { ...sending, onProgress: () => undefined },
  );
}
