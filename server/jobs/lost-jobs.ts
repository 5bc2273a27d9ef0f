// Jobs of processes that were killed. Each process that runs jobs holds a shared advisory lock on its own connection, which the
// operating system closes however the process dies. A process that starts and finds no such lock is the only one alive, so
// every job that is marked as running was lost, and is queued again at once. Where other processes are alive, the queue finds
// lost jobs by their silence instead.
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { TIMEOUTS } from '../limits.ts';
import { textOf } from '../log.ts';

/** Both halves spell "loci" and "jobs"; any other constant would do. */
const LOCK_KEYS = [0x6c6f6369, 0x6a6f6273] as const;
const RECONNECT_MS = 500;

export interface SignOfLife {
  /** Call once no job runs here any more. */
  end(): Promise<void>;
}

/**
 * Frees the jobs of dead processes if no other process is alive, and shows from then on that this one is. Call before the
 * first job is fetched. Faults after that are reported and mended: without a sign of life a job may run twice.
 */
export async function showLife(url: string, onError: (error: Error) => void): Promise<SignOfLife> {
  const ended = new AbortController();
  const first = await connect(url, onError);
  try {
    await begin(first.client);
  } catch (error) {
    await first.client.end();
    throw error;
  }
  const living = stayAlive(url, onError, { held: first, signal: ended.signal });
  return {
    async end() {
      ended.abort();
      await living;
    },
  };
}

interface Held {
  client: Client;
  lost: Promise<void>;
}

async function connect(url: string, onError: (error: Error) => void): Promise<Held> {
  const client = new Client({
    connectionString: url,
    application_name: 'loci jobs alive',
    connectionTimeoutMillis: TIMEOUTS.jobConnection,
    keepAlive: true,
  });
  const lost = new Promise<void>((resolve) => {
    client.on('end', resolve);
    client.on('error', (error) => {
      onError(error);
      resolve();
    });
  });
  await client.connect();
  return { client, lost };
}

/** Two processes that start at the same time run one after the other, and the second finds the first. */
async function begin(client: Client): Promise<void> {
  const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1, $2) as alone', [
    ...LOCK_KEYS,
  ]);
  const isAlone = rows[0]?.alone === true;
  if (isAlone) await freeLostJobs(client);
  await showOnce(client);
  if (isAlone) await client.query('select pg_advisory_unlock($1, $2)', [...LOCK_KEYS]);
}

const showOnce = (client: Client) => client.query('select pg_advisory_lock_shared($1, $2)', [...LOCK_KEYS]);

/** The count of tries stays, so that a job that kills its server ends after its last try: the queue settles those. */
async function freeLostJobs(client: Client): Promise<void> {
  await client.query(`
    update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null
    where state = 'active' and retry_count < retry_limit`);
}

/** Holds the lock until the signal, through the loss of its connection. */
async function stayAlive(
  url: string,
  onError: (error: Error) => void,
  { held, signal }: { held: Held; signal: AbortSignal },
): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let current: Held | undefined = held;
  while (!signal.aborted) {
    try {
      if (current === undefined) {
        current = await connect(url, onError);
        await showOnce(current.client);
      }
      await Promise.race([current.lost, stopped]);
    } catch (error) {
      onError(error instanceof Error ? error : new Error(textOf(error)));
    }
    // A connection that hangs would never confirm its end.
    current?.client.connection.stream.destroy();
    current = undefined;
    await Promise.race([pause(RECONNECT_MS), stopped]);
  }
}
