// The outcomes of the write transactions of one repeatable request. Each is stored in the transaction that it belongs
// to, so it exists exactly when the write does. Independent of HTTP.
import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** One write transaction of a request that carries an Idempotency-Key. */
interface LoggedWrite {
  /** Outcome that an earlier run of the request committed, as JSON, as of the start of this run. */
  stored: string | undefined;
  /** The same, read again from the database. */
  read(): Promise<string | undefined>;
  /** Stores the outcome inside the write's transaction. @throws conflict when another run has committed this write */
  store(trx: Transaction<Tables>, outcome: object): Promise<void>;
}

/** The write transactions of one request, in the order in which it makes them. */
export interface IdempotencyLog {
  next(): LoggedWrite;
}

type Store = (trx: Transaction<Tables>, outcome: object) => Promise<void>;

/**
 * Runs a write that stores its outcome, unless an earlier run has committed it. An error does not show whether the
 * write was committed: the connection may have broken after COMMIT, or another run was faster. The log shows it.
 */
export async function writeOnce<T extends object>(
  log: IdempotencyLog | undefined,
  write: (store: Store) => Promise<T>,
): Promise<T> {
  const logged = log?.next();
  if (logged === undefined) return write(async () => undefined);
  if (logged.stored !== undefined) return outcomeOf(logged.stored);
  try {
    return await write((trx, outcome) => logged.store(trx, outcome));
  } catch (error) {
    const stored = await logged.read().catch(() => undefined);
    if (stored === undefined) throw error;
    return outcomeOf(stored);
  }
}

function outcomeOf<T extends object>(stored: string): T {
  const outcome: T = JSON.parse(stored);
  return outcome;
}
