/** A PostgreSQL for one run of tests, which shares nothing with another run and leaves nothing behind. */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';

export interface ThrowAwayCluster {
  /** Address of the maintenance database. */
  url: string;
  /** The folder of the cluster, which goes with it. */
  folder: string;
  close(): Promise<void>;
}

/** Files of the system in memory, where it has them. */
const MEMORY = '/dev/shm';
/** Bytes; some databases at once, each of twelve megabytes, and the log of a run. */
const ROOM = 4 * 1024 ** 3;

/** Starts it without fsync; `settings` are PostgreSQL's. */
export async function startThrowAwayCluster(
  settings: Readonly<Record<string, string>>,
): Promise<ThrowAwayCluster> {
  const folder = mkdtempSync(path.join(parentFolder(), 'loci-tests-'));
  // The database may run as another OS user, who must be able to pass through.
  chmodSync(folder, 0o711);
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    log: () => undefined,
    durable: false,
    settings,
  });
  return {
    url: postgres.url,
    folder,
    async close() {
      await postgres.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Databases come and go by the hundred, each of a thousand files, which a disk makes slowly. */
export function parentFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize > ROOM) return MEMORY;
  } catch {
    // Not every system has one.
  }
  return os.tmpdir();
}
