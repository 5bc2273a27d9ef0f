/**
 * A door before a server under test that records what passes: programs which cannot be looked into are judged by it. Each
 * request comes from an address of its own, so that no sample meets a limit; the server must trust the door.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { RawAnswer, Wire } from './agent.ts';

/** One request and its answer. */
export interface Passed {
  method: string;
  path: string;
  answer: RawAnswer;
}

export interface Door {
  url: string;
  passed: Passed[];
  close(): Promise<void>;
}

/** Opens a door to the server at `target`. */
export async function openDoor(target: string): Promise<Door> {
  const passed: Passed[] = [];
  let visitors = 0;
  const server = createServer((req, res) => {
    const pass = async () => {
      visitors += 1;
      const { host: _host, connection: _connection, ...given } = req.headers;
      const headers = new Headers(Object.entries(given).map(([name, value]) => [name, String(value)]));
      headers.set('x-forwarded-for', `198.51.${visitors >> 8}.${visitors & 255}`);
      const { method = '', url: path = '' } = req;
      const body = await buffer(req);
      headers.delete('content-length');
      headers.delete('transfer-encoding');
      headers.delete('expect');
      const answer = await fetch(target + path, {
        method,
        headers,
        redirect: 'manual',
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      const text = await answer.text();
      passed.push({
        method,
        path,
        answer: { status: answer.status, headers: answer.headers, text, json: parsed(text) },
      });
      const location = answer.headers.get('location');
      res.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
        ...(location === null ? {} : { location }),
      });
      res.end(text);
    };
    pass().catch((error: unknown) => res.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The door has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    passed,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function parsed(text: string): Wire | undefined {
  try {
    const json: Wire = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}
