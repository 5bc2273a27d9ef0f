/** A receiver of webhooks on this machine: it keeps every request as it came and answers what the test says. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** One request. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

const event = z.object({ type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) });
const WAIT_MS = 15_000;

/** A receiver; `close` in afterAll. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Status of the next answers. */
  answer(status: number, headers?: Record<string, string>): void;
  /** Waits until so many requests have come. */
  wait(count: number): Promise<void>;
  events(): z.infer<typeof event>[];
  close(): void;
}

export async function createReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let next: { status: number; headers: Record<string, string> } = { status: 204, headers: {} };
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      received.push({ headers: req.headers, body: Buffer.concat(chunks).toString() });
      res.writeHead(next.status, next.headers).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    answer: (status, headers = {}) => {
      next = { status, headers };
    },
    async wait(count) {
      const deadline = Date.now() + WAIT_MS;
      while (received.length < count) {
        if (Date.now() > deadline) throw new Error(`${received.length} of ${count} requests came`);
        await sleep(20);
      }
    },
    events: () => received.map(({ body }) => event.parse(JSON.parse(body))),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
