// Messages between the page and the worker. They are cloned when posted, so they are plain data.
import type { ErrorCode } from '#shared/errors.ts';
import type { KeyChange } from '#client/replica/mirror.ts';
import type { Problem, RealmFacts } from '#client/replica/status.ts';

export interface WorkerSession {
  userId: string;
  token: string;
  /** Origin of the API; empty for the page's own. */
  apiBase: string;
  /** Nothing may be written to this device (impersonation, or a browser without storage). */
  memoryOnly: boolean;
}

/** A mutation of the page; `call` identifies the answer. */
export interface CalledChange {
  call: number;
  name: string;
  args: unknown;
}

export type ToWorker =
  | { type: 'start'; session: WorkerSession }
  | { type: 'open'; realmId: string }
  /** No view shows the realm any more; with unsent changes it stays open in the background until they are sent. */
  | { type: 'leave'; realmId: string }
  /** Closes the realm whatever waits in it, as the end of a page does. */
  | { type: 'close'; realmId: string }
  /** Opens a realm that no view shows, until everything in it is sent. */
  | { type: 'open-behind'; realmId: string }
  /**
   * Changes of one realm, made in order until one fails: the workspace's that is open, or the account's when their mutators are
   * those of the account. Each is answered with `mutated`.
   */
  | { type: 'mutate'; realmId: string | undefined; changes: readonly CalledChange[] }
  /** The last batch of many rows is applied, and the page is ready for the next; `isUsed`: the page is in use. */
  | { type: 'taken'; realmId: string; isUsed: boolean }
  /** Pushes and pulls now, for example when the tab becomes visible. */
  | { type: 'sync'; realmId: string }
  /** The browser reports that there is a network again, or none; emulated outages are reported to pages alone. */
  | { type: 'network'; isOnline: boolean }
  /** The page has the changes of `lost` with this number; `isStored`: they are on the device. */
  | { type: 'lost-stored'; realmId: string; lost: number; isStored: boolean }
  /** Tries to send everything within the time; the reply is `flushed`. */
  | { type: 'flush'; waitMs: number }
  /** Closes all realms and deletes their databases; the reply is `wiped`. */
  | { type: 'wipe' };

/** A failure of a mutation that was not carried out at all. */
export interface MutateFailure {
  code: ErrorCode;
  detail: string;
}

export type FromWorker =
  /** `bulk`: a batch of many rows; views may handle several batches at once. */
  | { type: 'rows'; realmId: string; changes: readonly KeyChange[]; bulk: boolean }
  /** The realm starts empty; earlier rows are invalid. */
  | { type: 'reset'; realmId: string }
  | { type: 'facts'; realmId: string; facts: RealmFacts }
  /** Realms of this person that hold unsent changes from before; they are opened and report like any other. */
  | { type: 'behind'; realmIds: readonly string[] }
  | { type: 'mutated'; call: number; failure?: MutateFailure }
  /** Changes that can no longer be sent by themselves. Their journal stays until `lost-stored` confirms the number. */
  | { type: 'lost'; realmId: string; lost: number; problems: readonly Problem[] }
  /** Changes that are still unsent, as problems that can be shown, exported or stored. */
  | { type: 'flushed'; unsent: readonly Problem[] }
  | { type: 'wiped'; left: readonly string[] };

/** The worker as the page sees it; tests put an engine of the same process behind it. */
export interface WorkerPort {
  send(message: ToWorker): void;
  listen(listener: (message: FromWorker) => void): void;
  terminate(): void;
}
