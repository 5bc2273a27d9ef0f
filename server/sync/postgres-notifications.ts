// The one LISTEN connection of a node, for everything that PostgreSQL notifies it of.
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Context } from '../context.ts';
import { TIMEOUTS } from '../limits.ts';
import { HEARTBEAT_MS, holdForever } from './lasting-connection.ts';

export interface PostgresNotifications {
  /** Calls back with the payloads of a channel; call it before `listen`. The callback does not throw. */
  on(channel: string, handle: (payload: string) => void): void;
  /** Listens until the signal aborts; `onConnect` is called after every connect, when notices may have been missed. */
  listen(onConnect: () => Promise<void>, signal: AbortSignal): Promise<void>;
}

type NotificationContext = Pick<Context, 'databaseUrl' | 'log' | 'metrics'>;

export function createPostgresNotifications(context: NotificationContext): PostgresNotifications {
  const handlers = new Map<string, (payload: string) => void>();
  const hold = async (connected: () => void, onConnect: () => Promise<void>, signal: AbortSignal) => {
    const client = new Client({
      connectionString: context.databaseUrl,
      application_name: 'loci listen',
      connectionTimeoutMillis: TIMEOUTS.listener,
      query_timeout: TIMEOUTS.listener,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    client.on('notification', ({ channel, payload }) => handlers.get(channel)?.(payload ?? ''));
    try {
      await client.connect();
      await client.query([...handlers.keys()].map((channel) => `listen ${channel}`).join('; '));
      connected();
      await onConnect();
      await Promise.race([ended, silence(client, signal)]);
    } finally {
      // A connection that hangs would never confirm its end.
      client.connection.stream.destroy();
    }
  };
  return {
    on: (channel, handle) => void handlers.set(channel, handle),
    listen: (onConnect, signal) =>
      holdForever(
        {
          bus: 'postgres',
          hold: (connected) => hold(connected, onConnect, signal),
          onState: context.metrics.listening,
          log: context.log,
        },
        signal,
      ),
  };
}

/** Resolves when the connection no longer responds. */
async function silence(client: Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(HEARTBEAT_MS, undefined, { ref: false, signal }).catch(() => undefined);
    if (signal.aborted) return;
    const answers = await client.query('select 1').then(
      () => true,
      () => false,
    );
    if (!answers) return;
  }
}
