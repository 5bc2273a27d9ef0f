/**
 * Breaks database connections that no longer respond. The limits of the server (statement_timeout, lock_timeout) cannot
 * fire when the server itself hangs or when the network lost the reply, so a connection that was silent for a moment is
 * checked over a fresh one: a statement that is still running may continue until its own limit should have ended it;
 * any other connection is broken, and its callers get a lost connection.
 */
import { Client, type Pool, type PoolClient } from 'pg';
import { TIMEOUTS } from '../limits.ts';
import { sqlState } from './sql-state.ts';

const CHECK_MS = 250;
/**
 * A check that is this late means that this process was busy, so silence does not indicate a problem of the database.
 */
const LATE_MS = 500;
/** After a failed probe no statement is sent for this long, so that queued work fails at once. */
const REFUSE_MS = 750;

interface Watched {
  /** Start of the statements at work; undefined while there are none. */
  busySince: number | undefined;
  /** When the last bytes arrived. */
  heardAt: number;
  /** When the last check found its statement running. */
  seenAt: number;
  /** Whether it is unused in the pool. */
  idle: boolean;
}

export interface ConnectionWatch {
  /** True right after a probe got no response from the database. */
  isHanging(): boolean;
  stop(): void;
}

interface Limits {
  url: string;
  /** The server's limit of each statement. */
  statementMs: number;
}

/** Watches all connections that the pool opens from now on. */
export function watchConnections(pool: Pool, { url, statementMs }: Limits): ConnectionWatch {
  const clients = new Map<PoolClient, Watched>();
  let refusedUntil = -Infinity;
  let probing = false;
  pool.on('connect', (client) => clients.set(client, watch(client)));
  pool.on('remove', (client) => clients.delete(client));
  const setIdle = (client: PoolClient, idle: boolean) => {
    const watched = clients.get(client);
    if (watched !== undefined) watched.idle = idle;
  };
  pool.on('acquire', (client) => setIdle(client, false));
  pool.on('release', (_error, client) => setIdle(client, true));

  async function breakStuck(silent: readonly PoolClient[]): Promise<void> {
    probing = true;
    const working = await statementsAtWork(url);
    if (working === 'hanging') refusedUntil = performance.now() + REFUSE_MS;
    const now = performance.now();
    let broken = false;
    for (const client of silent) {
      const watched = clients.get(client);
      // It may have responded during the check.
      if (watched === undefined || !isSilent(watched, now)) continue;
      if (isAtWork(client, working) && silenceOf(watched, now) < statementMs + TIMEOUTS.overdue)
        watched.seenAt = now;
      else {
        breakConnection(client);
        broken = true;
      }
    }
    // The others have probably broken for the same reason, and an unused connection is cheap to replace.
    if (broken) for (const [client, { idle }] of clients) if (idle) breakConnection(client);
    probing = false;
  }

  let checkedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const late = now - checkedAt > CHECK_MS + LATE_MS;
    checkedAt = now;
    if (late) for (const watched of clients.values()) watched.heardAt = now;
    const silent = [...clients].filter(([, watched]) => isSilent(watched, now)).map(([client]) => client);
    if (silent.length > 0 && !probing) void breakStuck(silent);
  }, CHECK_MS);
  timer.unref();
  return {
    isHanging: () => performance.now() < refusedUntil,
    stop: () => clearInterval(timer),
  };
}

/** Milliseconds since the last sign of life; 0 without a statement. */
function silenceOf({ busySince, heardAt }: Watched, now: number): number {
  return busySince === undefined ? 0 : now - Math.max(busySince, heardAt);
}

function isSilent(watched: Watched, now: number): boolean {
  return silenceOf(watched, now) > TIMEOUTS.silence && now - watched.seenAt > TIMEOUTS.silence;
}

/** Records when statements are sent, when bytes arrive and when all statements are done. */
function watch(client: PoolClient): Watched {
  const watched: Watched = {
    busySince: undefined,
    heardAt: performance.now(),
    seenAt: -Infinity,
    idle: false,
  };
  const { query } = client;
  Object.defineProperty(client, 'query', {
    configurable: true,
    writable: true,
    value(...args: unknown[]): unknown {
      watched.busySince ??= performance.now();
      return Reflect.apply(query, client, args);
    },
  });
  client.on('drain', () => {
    watched.busySince = undefined;
  });
  client.connection.stream.on('data', () => {
    watched.heardAt = performance.now();
  });
  return watched;
}

function breakConnection(client: PoolClient): void {
  client.connection.stream.destroy(new Error('The database connection stopped answering'));
}

function isAtWork(client: PoolClient, working: AtWork): boolean {
  if (working === 'unknown') return true;
  return working !== 'hanging' && 'processID' in client && working.has(Number(client.processID));
}

/** Process ids of the backends that run a statement; `unknown` when the server responds but refuses the connection. */
type AtWork = ReadonlySet<number> | 'hanging' | 'unknown';

async function statementsAtWork(url: string): Promise<AtWork> {
  const client = new Client({
    connectionString: url,
    application_name: 'loci probe',
    connectionTimeoutMillis: TIMEOUTS.probe,
    query_timeout: TIMEOUTS.probe,
  });
  client.on('error', () => undefined);
  const limit = setTimeout(() => client.connection.stream.destroy(), TIMEOUTS.probe);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select "pid" from pg_stat_activity where "state" = 'active'`,
    );
    return new Set(rows.map(({ pid }) => pid));
  } catch (error) {
    return sqlState(error) === undefined ? 'hanging' : 'unknown';
  } finally {
    clearTimeout(limit);
    client.connection.stream.destroy();
  }
}
