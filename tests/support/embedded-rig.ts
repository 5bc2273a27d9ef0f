/**
 * A folder for one embedded database of a test, with what was started on it, so that everything ends with the test.
 * It knows the embedded database and files, nothing of the product.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import {
  startEmbeddedPostgres,
  type EmbeddedPlace,
  type EmbeddedPostgres,
} from '#server/db/embedded-postgres.ts';

/** One folder and the databases started on it. */
export interface EmbeddedRig {
  /** The folder above the data folder. */
  parent: string;
  dataDir: string;
  /** The lines that the database has logged. */
  lines: string[];
  /** Starts the database and stops it after the test; without fsync by default, for speed. */
  start(durable?: boolean): Promise<EmbeddedPostgres>;
  /** Starts it without remembering, for starts that must fail. */
  open(): Promise<EmbeddedPostgres>;
  stop(database: EmbeddedPostgres): Promise<void>;
  clear(): Promise<void>;
}

/** Makes a folder that every user may pass through. */
export function createEmbeddedRig(): EmbeddedRig {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'loci-embedded-'));
  chmodSync(parent, 0o711);
  const running = new Set<EmbeddedPostgres>();
  const homes = new Set<string>();
  const rig: EmbeddedRig = {
    parent,
    dataDir: path.join(parent, 'data'),
    lines: [],
    async start(durable = false) {
      const log = (line: string) => void rig.lines.push(line);
      const database = await startEmbeddedPostgres({ dataDir: rig.dataDir, log, durable });
      running.add(database);
      homes.add(database.home);
      return database;
    },
    open: () => startEmbeddedPostgres({ dataDir: rig.dataDir, log: () => undefined, durable: false }),
    async stop(database) {
      running.delete(database);
      await database.close();
    },
    async clear() {
      for (const database of running) await database.close();
      for (const home of [...homes, parent]) rmSync(home, { recursive: true, force: true });
    },
  };
  return rig;
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  // A killed server breaks the connection; the statement reports that itself.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The process that serves a data directory now. */
export function postmasterPid({ dataFolder }: EmbeddedPlace): number {
  return Number(readFileSync(path.join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
}
