/**
 * Files of this device on their way to the server: stored in the device's tables until the server has them, and sent one
 * after the other by one tab at a time. They survive a reload, and another tab sends on when this one closes.
 */
import type { Id } from '#shared/ids.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import type { SentFile } from '#client/capture/file-upload.ts';
import { retryPause } from '#client/capture/retry-pause.ts';
import { isPassing, NoResponseError, type Sending } from '#client/capture/send-form.ts';
import type { StoredUpload } from '#client/replica/device-database.ts';
import type { DeviceTables } from '#client/replica/lazy-device.ts';
import { waitingFiles, type WaitingFile } from '#client/replica/waiting-files.ts';

/** A file to be saved, with the title that the person chose. */
export interface NewFile {
  /** The id of the memory that it becomes. */
  id: Id<'memory'>;
  file: File;
  title: string;
}

export interface FilePlace {
  workspaceId: Id<'workspace'>;
  spaceId: Id<'space'> | null;
  tags?: readonly string[];
  /** Each file becomes a memory of its own, even if an earlier memory has the same file, because its id is referenced. */
  isSeparate?: boolean;
}

interface QueueOptions {
  /** Undefined where nothing may be stored on the device. */
  device: DeviceTables | undefined;
  token: () => string | undefined;
  send: (file: StoredUpload, sending: Sending) => Promise<SentFile>;
  /** Reports to the server that the rest of a file will not be sent. */
  giveUp?: (file: StoredUpload, token: string | undefined) => Promise<void>;
  onSent: (file: StoredUpload, sent: SentFile) => void;
  /** The server no longer accepts the token. */
  onUnauthorized: (token: string | undefined) => void;
}

const LOCK = 'loci-files';
const RETRY_MS = 5_000;

/** How much of a file the server has, from 0 to 1. */
const storedShare = ({ received = 0, blob }: StoredUpload) => (blob.size === 0 ? 0 : received / blob.size);

const isFile = ({ kind }: StoredUpload) => kind === 'file';

/** none = the queue is empty; stop = sending is impossible until the next start; a number = milliseconds to wait. */
type Outcome = 'sent' | 'none' | 'stop' | number;

/** The queue of one person in this tab. */
export class FileQueue {
  readonly #options: QueueOptions;
  readonly #stop = new AbortController();
  #stored: readonly StoredUpload[] = [];
  /** Files for which the device has no room; they exist as long as the page. */
  #unstored: readonly StoredUpload[] = [];
  #sending: { id: string; sent: number } | undefined;
  #unfollow: () => void = () => undefined;
  #isBusy = false;
  #isAsked = false;
  #wake: () => void = () => undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Follows the tables, also what other tabs put there, and sends what waits. */
  async start(): Promise<void> {
    const tables = await this.#options.device?.tables();
    if (!tables || this.#stop.signal.aborted) return;
    this.#unfollow = tables.followUploads((uploads) => {
      this.#stored = uploads.filter(isFile);
      this.#publish();
      this.#kick();
    });
  }

  /** Ends the work of this tab; stored files stay. */
  close(): void {
    this.#stop.abort();
    this.#unfollow();
    waitingFiles.set([]);
  }

  /** Resolves once the files are safe on this device, as far as it has room. */
  async add(
    files: readonly NewFile[],
    { workspaceId, spaceId, tags = [], isSeparate = false }: FilePlace,
  ): Promise<void> {
    const now = Date.now();
    const rows = files.map(({ id, file, title }, index): StoredUpload => {
      const fields = {
        title,
        ...(spaceId === null ? {} : { spaceId }),
        // No tag has a comma.
        ...(tags.length === 0 ? {} : { tags: tags.join(',') }),
        ...(isSeparate && { separate: 'yes' }),
      };
      const row = { id, workspaceId, kind: 'file' as const, name: file.name, blob: file, fields };
      return { ...row, created: now + index, tries: 0, lastError: null };
    });
    for (const row of rows) await this.#keep(row);
    this.#publish();
    this.#kick();
  }

  /** Sends a refused file again. */
  async retry(id: string): Promise<void> {
    await this.#change(id, { lastError: null });
    this.#kick();
  }

  /** Forgets a file that was not sent, or only in part. */
  async discard(id: string): Promise<void> {
    const row = this.find(id);
    await this.#forget(id);
    if (row?.received === undefined) return;
    // Without a network the server removes what it has by itself, days later.
    await this.#options
      .giveUp?.(row, this.#options.token())
      .catch((failure: unknown) => console.info('files: an upload could not be given up', failure));
  }

  async #forget(id: string): Promise<void> {
    this.#unstored = this.#unstored.filter((row) => row.id !== id);
    await (await this.#options.device?.tables())?.upload.delete(id);
    this.#publish();
  }

  /** The file itself, for the person to save elsewhere. */
  find(id: string): StoredUpload | undefined {
    return [...this.#stored, ...this.#unstored].find((row) => row.id === id);
  }

  async #keep(row: StoredUpload): Promise<void> {
    try {
      const tables = await this.#options.device?.tables();
      if (tables) {
        await tables.upload.put(row);
        return;
      }
    } catch (failure) {
      console.warn('files: a file could not be stored on this device', failure);
    }
    this.#unstored = [...this.#unstored, row];
  }

  #refuse({ id, tries }: StoredUpload, lastError: string): Promise<void> {
    return this.#change(id, { tries: tries + 1, lastError });
  }

  async #change(
    id: string,
    change: Partial<Pick<StoredUpload, 'tries' | 'lastError' | 'received'>>,
  ): Promise<void> {
    this.#unstored = this.#unstored.map((row) => (row.id === id ? { ...row, ...change } : row));
    await (await this.#options.device?.tables())?.upload.update(id, change);
    this.#publish();
  }

  #publish(): void {
    if (this.#stop.signal.aborted) return;
    const shown = (isStored: boolean) => (row: StoredUpload) => this.#shown(row, isStored);
    waitingFiles.set([...this.#stored.map(shown(true)), ...this.#unstored.map(shown(false))]);
  }

  #shown(row: StoredUpload, isStored: boolean): WaitingFile {
    const { id, workspaceId, name, blob, fields, lastError } = row;
    const sending = this.#sending?.id === id ? this.#sending : undefined;
    return {
      id,
      workspaceId,
      name,
      title: fields['title'] ?? name,
      bytes: blob.size,
      blob,
      isStored,
      sent: sending?.sent ?? storedShare(row),
      reason: lastError,
      state: sending ? 'sending' : lastError === null ? 'waiting' : 'refused',
    };
  }

  #kick(): void {
    this.#isAsked = true;
    if (this.#isBusy) return this.#wake();
    this.#isBusy = true;
    void this.#work()
      .catch((failure: unknown) => {
        if (!this.#stop.signal.aborted) console.error('files: sending stopped', failure);
      })
      .finally(() => (this.#isBusy = false));
  }

  async #work(): Promise<void> {
    const { signal } = this.#stop;
    while (this.#isAsked && !signal.aborted) {
      this.#isAsked = false;
      let outcome: Outcome = 'sent';
      while (outcome !== 'none' && !signal.aborted) {
        if ((await this.#next()) === undefined) break;
        // Of several tabs one sends; the others look again afterwards.
        outcome = await this.#alone(() => this.#sendNext());
        if (outcome === 'stop') return;
        if (typeof outcome === 'number')
          await retryPause(outcome, this.#stop.signal, (wake) => (this.#wake = wake));
      }
    }
  }

  /** Plain http in a local network has no locks; the id of the memory then prevents two tabs from saving a file twice. */
  #alone(act: () => Promise<Outcome>): Promise<Outcome> {
    const { locks } = globalThis.navigator;
    return locks ? locks.request(LOCK, { signal: this.#stop.signal }, act) : act();
  }

  /** From the tables, since another tab may have sent a listed file. */
  async #next(): Promise<StoredUpload | undefined> {
    const tables = await this.#options.device?.tables();
    const stored = (await tables?.upload.orderBy('created').filter(isFile).toArray()) ?? [];
    return [...stored, ...this.#unstored].find(({ lastError }) => lastError === null);
  }

  async #sendNext(): Promise<Outcome> {
    const row = await this.#next();
    if (row === undefined) return 'none';
    if (!navigator.onLine) return RETRY_MS;
    const { send, onSent, onUnauthorized } = this.#options;
    const token = this.#options.token();
    const onProgress = (sent: number) => {
      this.#sending = { id: row.id, sent };
      this.#publish();
    };
    onProgress(storedShare(row));
    try {
      const onStored = (received: number) => this.#change(row.id, { received });
      const sent = await send(row, { token, signal: this.#stop.signal, onProgress, onStored });
      await this.#forget(row.id);
      onSent(row, sent);
      return 'sent';
    } catch (failure) {
      if (failure instanceof NoResponseError) return RETRY_MS;
      if (!(failure instanceof ApiProblem)) {
        // One file that this device cannot read must not hold up the others.
        console.error('files: a file could not be sent', failure);
        await this.#refuse(row, 'This device could not read it.');
        return 'sent';
      }
      if (isPassing(failure)) return Math.max(RETRY_MS, 1_000 * (failure.retryAfter ?? 0));
      if (failure.status === 401) {
        // The file stays for the same person's next login.
        onUnauthorized(token);
        return 'stop';
      }
      await this.#refuse(row, failure.error.detail);
      return 'sent';
    } finally {
      this.#sending = undefined;
      this.#publish();
    }
  }
}
