/**
 * A TCP proxy between a server and PostgreSQL that fails on purpose: it cuts write connections right before or right
 * after their COMMIT, and it can stop forwarding while it still accepts connections, as a hanging database does.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { TestDatabase } from './database.ts';

/** `before`: COMMIT never reaches the database. `after`: it does, and its reply never comes back. */
export type CommitCut = 'before' | 'after';

export interface DatabaseProxy {
  /** The same database, reached through the proxy. */
  database: TestDatabase;
  /** Called for each COMMIT of a write connection; undefined lets it pass. */
  onCommit(decide: () => CommitCut | undefined): void;
  /** Forwards nothing any more; `only` restricts it to connections that are open now. */
  pause(scope?: 'all' | 'open'): void;
  /** Forwards again, including what waited. */
  resume(): void;
  /** Breaks every connection. */
  cut(): void;
  close(): Promise<void>;
}

/** As server/context.ts names the connections of write transactions. */
const WRITE_POOL = 'loci write';

export async function createDatabaseProxy(target: TestDatabase): Promise<DatabaseProxy> {
  const url = new URL(target.url);
  const pairs = new Set<Socket>();
  const paused = new Set<Socket>();
  let isPaused = false;
  let decide: () => CommitCut | undefined = () => undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(url.port), url.hostname);
    let isWriter: boolean | undefined;
    let dropReply = false;
    const end = () => {
      for (const socket of [client, upstream]) {
        pairs.delete(socket);
        paused.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [client, upstream]) {
      pairs.add(socket);
      if (isPaused) {
        paused.add(socket);
        socket.pause();
      }
      socket.on('error', end).on('close', end);
    }
    client.on('data', (chunk) => {
      isWriter ??= chunk.includes(WRITE_POOL);
      const cut = isWriter && chunk.includes('commit\0') ? decide() : undefined;
      if (cut === 'before') return end();
      dropReply ||= cut === 'after';
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (dropReply) end();
      else client.write(chunk);
    });
    if (isPaused) for (const socket of [client, upstream]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  url.port = String(address.port);
  const proxied = url.href;
  url.port = new URL(target.url).port;

  return {
    database: { ...target, url: proxied },
    onCommit: (next) => {
      decide = next;
    },
    pause(scope = 'all') {
      isPaused = scope === 'all';
      for (const socket of pairs) {
        paused.add(socket);
        socket.pause();
      }
    },
    resume() {
      isPaused = false;
      for (const socket of paused) socket.resume();
      paused.clear();
    },
    cut() {
      for (const socket of pairs) socket.destroy();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of pairs) socket.destroy();
      await closed;
    },
  };
}
