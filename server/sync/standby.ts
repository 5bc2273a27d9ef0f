/**
 * The standby of DATABASE_READ_URL: a copy of the database that may lag, or be away. It takes long reads of what it has
 * reached; all else, and everything while it fails, is read from the primary.
 */
import type { Database } from '../db/database.ts';
import type { Logger } from '../log.ts';
import type { SyncMetrics } from './metrics.ts';

/** How long nothing is asked of a standby that failed. */
const REST_MS = 5_000;

export interface Standby {
  /** What `read` found there; undefined where the primary has to be asked, because the standby is behind, or fails. */
  tryRead<T extends object | string>(read: (db: Database) => Promise<T | undefined>): Promise<T | undefined>;
}

export interface StandbyParts {
  db: Database;
  log: Logger;
  metrics: Pick<SyncMetrics, 'standbyRead'>;
}

/** Nothing connects before the first read. */
export function createStandby({ db, log, metrics }: StandbyParts): Standby {
  let restsUntil = 0;
  return {
    async tryRead(read) {
      if (performance.now() < restsUntil) return undefined;
      try {
        const found = await read(db);
        metrics.standbyRead(found === undefined ? 'behind' : 'answered');
        return found;
      } catch (error) {
        // Also a read that recovery ended, because the primary has removed rows that it needs.
        metrics.standbyRead('failed');
        restsUntil = performance.now() + REST_MS;
        log.warn({ error }, 'the standby failed; the primary answers for it');
        return undefined;
      }
    },
  };
}
