// What the page and the worker say to each other. Everything here is cloned on its way, so it is plain data.
import type { ErrorCode } from '#shared/errors.ts';
import type { KeyChange } from '#client/replica/mirror.ts';
import type { Problem, RealmFacts } from '#client/replica/status.ts';

/** Who works on which realms and how the server is reached. */
export interface WorkerSession {
  userId: string;
  token: string;
  /** Origin of the API; empty for the page's own. */
  apiBase: string;
  /** Nothing may be written to this device (impersonation, or a browser without storage). */
  memoryOnly: boolean;
}

export type ToWorker =
  | { type: 'start'; session: WorkerSession }
  | { type: 'open'; realmId: string }
  | { type: 'close'; realmId: string }
  /** In the realm of the workspace that is open, or the account's when the mutator is one of the account. */
  | { type: 'mutate'; realmId: string | undefined; call: number; name: string; args: unknown }
  /** The last slice of many rows is taken over, and the page is ready for the next; `isUsed`: somebody works in it. */
  | { type: 'taken'; realmId: string; isUsed: boolean }
  /** Sends what waits and asks for news, for example when the tab becomes visible. */
  | { type: 'sync'; realmId: string }
  /** Forgets a failure that never reached the server. */
  | { type: 'forget'; realmId: string; problemId: string }
  /** Tries to send everything within the time; answered by `flushed`. */
  | { type: 'flush'; waitMs: number }
  /** Closes all realms and drops their databases; answered by `wiped`. */
  | { type: 'wipe' };

/** A failure of a mutation that was not carried out at all. */
export interface MutateFailure {
  code: ErrorCode;
  detail: string;
}

export type FromWorker =
  /** `bulk`: a slice of many that arrive; views may look at several of them at once. */
  | { type: 'rows'; realmId: string; changes: readonly KeyChange[]; bulk: boolean }
  /** The realm starts from nothing; rows known so far count no more. */
  | { type: 'reset'; realmId: string }
  | { type: 'facts'; realmId: string; facts: RealmFacts }
  | { type: 'mutated'; call: number; failure?: MutateFailure }
  /** Changes that this device still had when the server had forgotten it; they must be kept before anything else. */
  | { type: 'lost'; problems: readonly Problem[] }
  /** What is still unsent, as lines that can be shown, exported or kept. */
  | { type: 'flushed'; unsent: readonly Problem[] }
  | { type: 'wiped'; left: readonly string[] };

/** The worker as the page sees it; tests put an engine of the same process behind it. */
export interface WorkerPort {
  send(message: ToWorker): void;
  listen(listener: (message: FromWorker) => void): void;
  terminate(): void;
}
