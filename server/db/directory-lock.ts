/**
 * Prevents a second server process from using an embedded database: an advisory lock on one connection that stays open.
 * The operating system closes that connection when the process dies, however it dies, so the lock is never stale.
 */
import { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { TIMEOUTS } from '../limits.ts';

/** Both halves spell "loci" and "lock"; any other constant would do. */
const LOCK_KEYS = [0x6c6f6369, 0x6c6f636b] as const;

/** Thrown when another living process already serves this data directory. */
export class DirectoryInUseError extends Error {
  constructor(directory: string) {
    super(
      `Another Loci server is already running on ${directory}. Stop it first, or choose another DATA_DIR.`,
    );
    this.name = 'DirectoryInUseError';
  }
}

/** The held lock; `lost` settles when the connection breaks without `release`. */
export interface DirectoryLock {
  lost: Promise<void>;
  release(): Promise<void>;
}

/** Acquires the lock. @throws DirectoryInUseError with the process that holds it */
export async function takeDirectoryLock(url: string, directory: string): Promise<DirectoryLock> {
  const client = new Client({
    connectionString: url,
    application_name: 'loci directory lock',
    keepAlive: true,
  });
  let released = false;
  const lost = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => {
      if (!released) resolve();
    });
  });
  await client.connect();
  for (let waited = 0; ; waited += 100) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
      ...LOCK_KEYS,
    ]);
    if (rows[0]?.taken) break;
    if (waited >= TIMEOUTS.directoryLock) {
      released = true;
      await client.end();
      throw new DirectoryInUseError(directory);
    }
    await sleep(100);
  }
  return {
    lost,
    async release() {
      released = true;
      await client.end();
    },
  };
}
