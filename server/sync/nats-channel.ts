// Announces commits through a NATS server: one subject for all nodes of a database, at most once, nothing stored. While there is
// no connection, announcements are dropped instead of queued.
import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import type { PokeServer } from '../config.ts';
import type { Context } from '../context.ts';
import { storedSecret } from '../db/stored-secret.ts';
import { TIMEOUTS } from '../limits.ts';
import { HEARTBEAT_MS, holdForever } from './lasting-connection.ts';
import { readMessage, writeMessage, type PokeChannel, type PokeChannelListener } from './poke-channel.ts';

type NatsContext = Pick<Context, 'db' | 'log' | 'metrics'>;

export function createNatsChannel(context: NatsContext, server: PokeServer): PokeChannel {
  let publish: ((message: string) => void) | undefined;

  const hold = async (
    connected: () => void,
    { onCommit, onConnect }: PokeChannelListener,
    signal: AbortSignal,
  ) => {
    // Several installations may share a server: each has the name that its database keeps.
    const subject = `loci.${await storedSecret(context.db, 'poke subject')}.commit`;
    await greeted(server, signal);
    const connection = await connect(server);
    const stop = () => void connection.close();
    signal.addEventListener('abort', stop);
    try {
      signal.throwIfAborted();
      const fault = firstFault(connection);
      connection.subscribe(subject, {
        callback(error, message) {
          const commit = error ? undefined : readMessage(message.string());
          if (commit) onCommit(commit);
        },
      });
      // Without the right to publish, this is refused before the flush resolves. It has no subscribers.
      connection.publish(subject);
      await connection.flush();
      // Lets `fault` take a refusal that came before the reply of the flush.
      await turn();
      if (!connection.isClosed()) {
        publish = (message) => {
          if (!connection.isClosed()) connection.publish(subject, message);
        };
        connected();
        await onConnect();
      }
      const closed = await connection.closed();
      throw (await fault) ?? closed ?? new Error('The server closed the connection');
    } finally {
      publish = undefined;
      signal.removeEventListener('abort', stop);
      await connection.close();
    }
  };

  return {
    async announce(commits) {
      for (const commit of commits) publish?.(writeMessage(commit));
    },
    listen: (listener, signal) =>
      holdForever(
        {
          bus: 'nats',
          hold: (connected) => hold(connected, listener, signal),
          onState: context.metrics.listening,
          log: context.log,
        },
        signal,
      ),
  };
}

/** The client is loaded here because few servers use it. @throws Error when the server is away or refuses */
async function connect({ host, port, isTls, ...credentials }: PokeServer): Promise<NatsConnection> {
  const nats = await import('@nats-io/transport-node');
  return nats.connect({
    servers: `${host}:${port}`,
    ...credentials,
    ...(isTls ? { tls: {} } : {}),
    name: 'loci',
    noEcho: true,
    // The client would queue what is published meanwhile.
    reconnect: false,
    timeout: TIMEOUTS.listener,
    pingInterval: HEARTBEAT_MS,
  });
}

/**
 * Resolves when the server has sent its first bytes. The client does not close its socket when a server accepts a connection and
 * then says nothing, so it is only started for one that does.
 */
async function greeted({ host, port }: PokeServer, signal: AbortSignal): Promise<void> {
  const socket = connectSocket(port, host.replace(/^\[|\]$/g, ''));
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUTS.listener)]);
    await Promise.race([once(socket, 'data', { signal: limit }), once(socket, 'close', { signal: limit })]);
  } finally {
    socket.destroy();
  }
}

/** The first error that the server reports, such as a missing permission; it closes the connection. */
async function firstFault(connection: NatsConnection): Promise<Error | undefined> {
  let fault: Error | undefined;
  for await (const status of connection.status()) {
    if (status.type !== 'error') continue;
    fault ??= status.error;
    // Not awaited: the connection waits for the end of this loop.
    void connection.close();
  }
  return fault;
}
