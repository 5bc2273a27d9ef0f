/**
 * Connections to PostgreSQL: the pools, their time limits (SECURITY.md 4.3) and Kysely on top.
 * It knows no table and no feature; transactions and writes have their own files beside it.
 */
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { columnTypes } from './column-types.ts';
import { preparingPool } from './prepared-statements.ts';
import type { Tables } from './tables.ts';

/** Kysely over our tables; also what a transaction of it offers for reading. */
export type Database = Kysely<Tables>;

/** Limits of one pool. */
export interface PoolOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  size: number;
  statementTimeoutMs: number;
  /** Plans the statements of transactions once, for all values: right for look-ups by key, so for writes. */
  keepsPlans?: boolean;
  /** Hears of idle connections that broke; requests see their own errors. */
  onError: (error: Error) => void;
}

/** One pool and its Kysely; `close` waits for borrowed connections. */
export interface DatabaseConnection {
  db: Database;
  pool: Pool;
  close(): Promise<void>;
}

/** Statement limit of ordinary requests. */
export const STATEMENT_TIMEOUT_MS = 10_000;

/** Statement limit of pulls, which run on their own pool so that slow first syncs cannot starve writes. */
export const PULL_STATEMENT_TIMEOUT_MS = 5_000;

const CONNECTION_TIMEOUT_MS = 2_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;
const LOCK_TIMEOUT_MS = 5_000;

/** Opens a pool lazily: no connection is made until the first query. */
export function openDatabase(options: PoolOptions): DatabaseConnection {
  const pool = new Pool({
    connectionString: options.url,
    application_name: options.name,
    max: options.size,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    options: `-c timezone=UTC${options.keepsPlans ? ' -c plan_cache_mode=force_generic_plan' : ''}`,
    keepAlive: true,
    // A write sends statements that do not depend on each other without waiting in between.
    pipeline: options.keepsPlans ?? false,
    types: columnTypes,
  });
  // Without a listener, a restart of the database would end our process through its idle connections.
  pool.on('error', options.onError);
  // A borrowed connection can break between two statements, when no statement is there to fail; the next one does.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const kept = preparingPool(pool, { transactions: options.keepsPlans ?? false });
  const dialect = new PostgresDialect({ pool: kept });
  const db = new Kysely<Tables>({ dialect });
  return { db, pool, close: () => db.destroy() };
}
