/**
 * A fresh, migrated, empty database for one test file, copied from the template and dropped afterwards.
 * It knows the shared cluster of global-postgres.ts and nothing of the product's tables.
 */
import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import { inject } from 'vitest';
import {
  openDatabase,
  type Database,
  type DatabaseConnection,
  type PoolOptions,
} from '#server/db/database.ts';
import { TIMEOUTS } from '#server/limits.ts';
import { TEMPLATE_DATABASE } from './global-postgres.ts';

/** One database of its own, with the same pools as the server; `drop` in afterAll. */
export interface TestDatabase {
  url: string;
  db: Database;
  pullDb: Database;
  writeDb: Database;
  pool: Pool;
  drop(): Promise<void>;
}

/**
 * Copies the template (tens of milliseconds); call it in beforeAll, or per test where a test must start empty. Without
 * `migrated` it has no tables at all.
 */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Files are copied in a third of the time that the preset way takes, which writes every page to the log.
  const template = migrated ? TEMPLATE_DATABASE : 'template0';
  await asAdmin(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = name;
  const database = openTestDatabase(url.href);
  return {
    ...database,
    async drop() {
      await database.drop();
      await asAdmin(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Opens a database that another process made; `drop` closes it and leaves it to that process. */
export function openTestDatabase(url: string): TestDatabase {
  const open = (purpose: string, options: Partial<PoolOptions> = {}): DatabaseConnection =>
    openDatabase({
      url,
      name: `loci ${purpose}`,
      size: 5,
      ...options,
      onError: (error) => {
        // The forced drop below ends idle connections; anything else is news.
        if (!/terminat/.test(error.message)) console.error(`test database ${url}:`, error);
      },
    });
  const main = open('main');
  const pull = open('pull', { statementTimeoutMs: TIMEOUTS.pullStatement, keepsPlans: true });
  const write = open('write', { keepsPlans: true });
  return {
    url,
    db: main.db,
    pullDb: pull.db,
    writeDb: write.db,
    pool: main.pool,
    async drop() {
      await Promise.all([main.close(), pull.close(), write.close()]);
    },
  };
}

/** Statements about whole databases run one at a time: copying a template needs it to be unused. */
async function asAdmin(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(1)');
    await client.query(statement);
    for (const url of inject('workerUrls')) await onWorker(url, statement);
  } finally {
    await client.end();
  }
}

async function onWorker(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
