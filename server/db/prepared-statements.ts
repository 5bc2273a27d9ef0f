/**
 * Prepares statements that are executed often, because planning costs more than executing a look-up by key. Prepared
 * are the statements of writes and pulls, which are few, and those that end with `planOnce`; lists and searches are planned for
 * their values each time. Planning had taken more than half of a pull that brings one memory.
 */
import { sql, type PostgresPool, type RawBuilder } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { countWait } from './waiting-time.ts';

const MARK = '/* plan once */';

/** At the end of a statement outside of those transactions: its plan does not depend on its values. */
export const planOnce: RawBuilder<unknown> = sql.raw(MARK);

/** Longer texts are bulk writes, whose length differs each time. */
const TEXT_MAX = 6_000;
/** Number of prepared statements per pool; further ones are planned on each use. */
const KEPT_MAX = 400;
/** Uses before a statement is worth keeping. */
const USES_MIN = 3;
const FEATURE_NOT_SUPPORTED = '0A000';

interface StatementNames {
  /** The name of the prepared statement; undefined for one that has not been executed often. */
  of(text: string): string | undefined;
  /** Every statement gets a new name, and so a new plan, on every connection. */
  renew(): void;
}

function createNames(): StatementNames {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();
  let generation = 0;
  return {
    of(text) {
      const known = names.get(text);
      if (known !== undefined) return known;
      if (text.length > TEXT_MAX || names.size >= KEPT_MAX) return undefined;
      const count = (uses.get(text) ?? 0) + 1;
      if (uses.size > KEPT_MAX * 10) uses.clear();
      uses.set(text, count);
      if (count < USES_MIN) return undefined;
      const name = `s${generation}_${names.size}`;
      names.set(text, name);
      return name;
    },
    renew() {
      generation += 1;
      names.clear();
    },
  };
}

/** True when a statement failed only because its plan is older than a migration; a retry succeeds. */
export function isOutdatedPlan(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== FEATURE_NOT_SUPPORTED) return false;
  return error.message.includes('cached plan');
}

/**
 * A pool for Kysely; `transactions` selects whether all statements of transactions are prepared, or only marked ones.
 */
export function preparingPool(pool: Pool, { transactions }: { transactions: boolean }): PostgresPool {
  const names = createNames();
  const wrapped = new WeakMap<PoolClient, PoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      const found = wrapped.get(client) ?? preparing(client, names, transactions);
      wrapped.set(client, found);
      return found;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

/**
 * The connection with another `query`, the one method that Kysely runs statements by. The start of such a transaction is sent
 * together with its first statement, since a write holds the version lock for every round trip.
 */
function preparing(client: PoolClient, names: StatementNames, transactions: boolean): PoolClient {
  let inTransaction = false;
  let start: string | undefined;
  const run = async (text: string, values: unknown[]) => {
    const isKept = text.endsWith(MARK) || (transactions && inTransaction);
    const name = values.length > 0 && isKept ? names.of(text) : undefined;
    if (name === undefined) return client.query(text, values);
    try {
      return await client.query({ name, text, values });
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      names.renew();
      // Outside a transaction only the statement failed, so it is retried; a write transaction restarts as a whole.
      if (inTransaction) throw error;
      return await client.query(text, values);
    }
  };
  const query = async (text: string, values: unknown[]) => {
    if (text.startsWith('start transaction')) {
      inTransaction = true;
      if (!transactions) return client.query(text);
      start = text;
      return { command: 'START', rowCount: null, rows: [] };
    }
    if (text === 'commit' || text === 'rollback') inTransaction = false;
    if (start === undefined) return run(text, values);
    const started = client.query(start);
    start = undefined;
    const [, result] = await Promise.all([started, run(text, values)]);
    return result;
  };
  const waitingQuery = (text: string, values: unknown[]) => countWait(() => query(text, values));
  return new Proxy(client, {
    get: (target, property) => (property === 'query' ? waitingQuery : Reflect.get(target, property, target)),
  });
}
