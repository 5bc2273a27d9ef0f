// What a request wrote, kept in the transaction that wrote it: a request that is made again after a crash takes the
// outcome from there instead of writing twice. Knows no request; who runs one gives the list to its writes.
import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** One write transaction of a request that may be made again. */
export interface KeptWrite {
  /** What this write gave when the request ran before, as JSON; undefined when it was never committed. */
  earlier: string | undefined;
  /** Notes in the transaction what it gives. @throws conflict when the request was given up to another run of it */
  keep(trx: Transaction<Tables>, outcome: object): Promise<void>;
}

/** The write transactions of one request, in the order in which it makes them. */
export interface KeptWrites {
  next(): KeptWrite;
}
