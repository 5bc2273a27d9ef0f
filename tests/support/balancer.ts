/**
 * A load balancer in miniature: one address in front of several servers, which sends each connection to the first that
 * accepts it. It knows TCP and nothing of the product.
 */
import { once } from 'node:events';
import net from 'node:net';

/** A listening balancer; `close` ends its connections too. */
export interface Balancer {
  port: number;
  close(): Promise<void>;
}

/** Listens on a free port; requests go to the servers in the given order. */
export async function startBalancer(ports: () => readonly number[]): Promise<Balancer> {
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    open.add(client);
    client.on('close', () => open.delete(client));
    client.on('error', () => client.destroy());
    connectFirst(client, [...ports()]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The balancer has no port');
  return {
    port: address.port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

function connectFirst(client: net.Socket, [port, ...others]: number[]): void {
  if (port === undefined) {
    client.destroy();
    return;
  }
  const upstream = net.connect(port, '127.0.0.1');
  upstream.once('connect', () => {
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.removeAllListeners('error').on('error', () => client.destroy());
  });
  upstream.once('error', () => connectFirst(client, others));
}
