// The table of requests that carried an Idempotency-Key, and their responses.
import type { ColumnType, Generated } from 'kysely';

export interface IdempotencyKeyTable {
  /** Id of the user, or `public`. */
  caller: string;
  route: string;
  key: string;
  requestHash: string;
  /** Null until the request is done. */
  status: number | null;
  body: string | null;
  headers: ColumnType<Record<string, string> | null, string | null, string | null>;
  created: string;
  /** One JSON text for each write transaction that was committed for the request. */
  writes: Generated<string[]>;
}
