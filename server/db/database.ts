/**
 * Connections to PostgreSQL: the pools, their time limits and Kysely on top. Transactions and writes have their own
 * files beside it.
 */
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { Pool, type ClientBase, type PoolConfig } from 'pg';
import { TIMEOUTS } from '../limits.ts';
import { columnTypes } from './column-types.ts';
import { preparingPool } from './prepared-statements.ts';
import { watchConnections, type ConnectionWatch } from './stuck-connections.ts';
import type { Tables } from './tables.ts';
import { countWait } from './waiting-time.ts';

/** Kysely over our tables; also the type of a transaction used for reading. */
export type Database = Kysely<Tables>;

export interface PoolOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  size: number;
  /** TIMEOUTS.statement by default. */
  statementTimeoutMs?: number;
  /** Plans the statements of transactions once for all values, which is right for look-ups by key, and so for writes and pulls. */
  keepsPlans?: boolean;
  /** Receives errors of idle connections; requests get their own errors. */
  onError: (error: Error) => void;
}

/** One pool and its Kysely; `close` waits for borrowed connections. */
export interface DatabaseConnection {
  db: Database;
  pool: Pool;
  close(): Promise<void>;
}

/**
 * A plan that is kept may be older than the rows: made for a nearly empty table, it would read all of it once for each key when
 * the table has grown.
 */
const KEPT_PLANS = ' -c plan_cache_mode=force_generic_plan -c enable_seqscan=off';

/**
 * Citus chooses the node of a statement by its values, and so can keep no plan for all of them. A transaction that reads rows
 * of many nodes at once could not write a table that each node has a copy of, so it reads them one after another.
 */
const ON_CITUS = `select set_config('plan_cache_mode', 'auto', false), set_config('citus.multi_shard_modify_mode', 'sequential', false)
  where to_regclass('pg_catalog.pg_dist_partition') is not null`;

/** Opens a pool lazily: no connection is made until the first query. */
export function openDatabase(options: PoolOptions): DatabaseConnection {
  const { statementTimeoutMs = TIMEOUTS.statement } = options;
  const pool = new Pool({
    connectionString: options.url,
    application_name: options.name,
    max: options.size,
    connectionTimeoutMillis: TIMEOUTS.connection,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: TIMEOUTS.idleTransaction,
    lock_timeout: TIMEOUTS.lock,
    options: `-c timezone=UTC${options.keepsPlans ? KEPT_PLANS : ''}`,
    keepAlive: true,
    // A write sends statements that do not depend on each other without waiting in between.
    pipeline: options.keepsPlans ?? false,
    // The pool waits for the promise, which its types do not say.
    onConnect: ((client: ClientBase) => client.query(ON_CITUS)) as PoolConfig['onConnect'],
    types: columnTypes,
  });
  // Without a listener, a restart of the database would end our process through its idle connections.
  pool.on('error', options.onError);
  // A borrowed connection can break between two statements, when no statement is there to fail; the next one does.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const watch = watchConnections(pool, { url: options.url, statementMs: statementTimeoutMs });
  guardQueries(pool, watch);
  const preparing = preparingPool(pool, { transactions: options.keepsPlans ?? false });
  const dialect = new PostgresDialect({ pool: refusingPool(preparing, watch) });
  const db = new Kysely<Tables>({ dialect });
  return {
    db,
    pool,
    async close() {
      watch.stop();
      await db.destroy();
    },
  };
}

/** Refuses new work while the database hangs, so that what waits in a queue fails now and not one by one. */
function refusingPool(pool: PostgresPool, watch: ConnectionWatch): PostgresPool {
  return {
    async connect() {
      refuseHanging(watch);
      return countWait(() => pool.connect());
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

/** The same for statements passed to the pool itself. */
function guardQueries(pool: Pool, watch: ConnectionWatch): void {
  const { query } = pool;
  Object.defineProperty(pool, 'query', {
    configurable: true,
    writable: true,
    async value(...args: unknown[]): Promise<unknown> {
      refuseHanging(watch);
      return countWait(async () => Reflect.apply(query, pool, args));
    },
  });
}

function refuseHanging(watch: ConnectionWatch): void {
  if (watch.isHanging()) throw new Error('Connection terminated: the database stopped answering');
}
