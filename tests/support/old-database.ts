/** A database in the form that it had before a migration, to fill with rows that the product wrote then. */
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '#server/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../migrations');

/** The database and how to fill it. */
export interface OldDatabase {
  database: TestDatabase;
  /** Writes a row as it is, synced tables included. */
  insert: (table: string, row: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Runs all migrations that were left out. */
  migrateOn: () => Promise<void>;
  dispose: () => Promise<void>;
}

/** Makes a database with the migrations before `name`. */
export async function openOldDatabase(name: string): Promise<OldDatabase> {
  const database = await createTestDatabase({ migrated: false });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loci-old-rows-'));
  for (const file of readdirSync(MIGRATIONS)) {
    if (file.endsWith('.sql') && file < name)
      copyFileSync(path.join(MIGRATIONS, file), path.join(folder, file));
  }
  await migrate({ url: database.url, folder });
  rmSync(folder, { recursive: true });
  return {
    database,
    insert: async (table, row) => {
      const names = Object.keys(row);
      const client = await database.pool.connect();
      try {
        // A table of synced rows takes no write without a version.
        await client.query(`set app.sync_version = 'test'`);
        await client.query(
          `insert into "${table}" (${names.map((column) => `"${column}"`).join(', ')})
           values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
          Object.values(row),
        );
      } finally {
        // A connection with that setting must not be used by the product.
        client.release(true);
      }
    },
    migrateOn: () => migrate({ url: database.url }).then(() => undefined),
    dispose: () => database.drop(),
  };
}
