/** Idle connections give way to new ones, those at work do not, and addresses that stand for many are not counted. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { limitConnections, sharedAddresses } from '#server/http/connection-limit.ts';

let server: Server;
let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  server.close();
});

async function listen(limits: { total: number; perAddress: number; shared: boolean }): Promise<void> {
  server = createServer((req, res) => {
    if (req.url !== '/slow') return void res.end('done');
    res.flushHeaders();
  });
  limitConnections(server, { ...limits, isShared: () => limits.shared });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

async function open(): Promise<Socket> {
  const address = server.address();
  const socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** The first line of the answer; undefined when the connection is closed instead. */
async function ask(socket: Socket, path = '/'): Promise<string | undefined> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const answer = once(socket, 'data').then(([chunk]) => String(chunk).split('\r\n')[0]);
  return Promise.race([answer, once(socket, 'close').then(() => undefined)]);
}

it('a thousand idle connections do not shut a visitor out', async () => {
  await listen({ total: 100, perAddress: 1_000, shared: true });
  for (let count = 0; count < 300; count += 1) await open();
  expect(await ask(await open())).toBe('HTTP/1.1 200 OK');
});

it('one address holds no more than its share, and its oldest idle connection goes first', async () => {
  await listen({ total: 100, perAddress: 2, shared: false });
  const [first, second] = [await open(), await open()];
  expect(await ask(first)).toBe('HTTP/1.1 200 OK');
  const gone = once(second, 'close');
  const third = await open();
  await gone;
  expect([await ask(first), await ask(third)]).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
});

it('connections with a request at work keep their place', async () => {
  await listen({ total: 100, perAddress: 2, shared: false });
  const busy = [await open(), await open()];
  for (const socket of busy) expect(await ask(socket, '/slow')).toBe('HTTP/1.1 200 OK');
  expect(await ask(await open())).toBeUndefined();
  expect(busy.map(({ destroyed }) => destroyed)).toEqual([false, false]);
});

it.each([
  [false, '127.0.0.1', true],
  [false, '::ffff:127.0.0.1', true],
  [false, '203.0.113.7', false],
  ['loopback', '203.0.113.7', false],
  ['203.0.113.0/24, 2001:db8::1', '203.0.113.7', true],
  ['203.0.113.0/24, 2001:db8::1', '2001:db8::1', true],
  ['203.0.113.0/24, 2001:db8::1', '203.0.114.7', false],
  [1, '203.0.113.7', true],
] as const)('with TRUST_PROXY %s, connections of %s stand for many: %s', (trustProxy, address, shared) => {
  expect(sharedAddresses(trustProxy)(address)).toBe(shared);
});
