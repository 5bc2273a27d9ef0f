/**
 * Ports for programs under test that choose their port before they listen on it, and stop and start on it again. They
 * lie below the ports that the system gives to outgoing connections: one of a browser would sit on it in between.
 */
import { randomInt } from 'node:crypto';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import net from 'node:net';

const EPHEMERAL_RANGE = '/proc/sys/net/ipv4/ip_local_port_range';
/** Above what services of a machine listen on, below where most systems begin with outgoing connections. */
const FIRST = 20_000;
const BEYOND_LAST = 32_768;
const FEWEST = 500;

/** The ports to choose from, where outgoing connections begin at `ephemeral`: the first, and the one after the last. */
export function portRange(ephemeral: number): readonly [number, number] {
  const end = Math.min(BEYOND_LAST, ephemeral);
  if (end < 1_024 + FEWEST) throw new Error(`No ports below ${ephemeral}, where outgoing connections begin`);
  return [Math.min(FIRST, end - FEWEST), end];
}

function ephemeralStart(): number {
  if (!existsSync(EPHEMERAL_RANGE)) return BEYOND_LAST;
  const start = Number(readFileSync(EPHEMERAL_RANGE, 'utf8').trim().split(/\s+/u)[0]);
  if (!Number.isInteger(start)) throw new Error(`${EPHEMERAL_RANGE} names no port`);
  return start;
}

/** A free port that no other process of tests gets while this one runs. */
export async function takePort(range?: readonly [number, number]): Promise<number> {
  const [first, end] = range ?? portRange(ephemeralStart());
  const offset = randomInt(end - first);
  for (let tried = 0; tried < end - first; tried++) {
    const port = first + ((offset + tried) % (end - first));
    if ((await claims(port)) && (await isFree(port))) return port;
  }
  throw new Error(`Every port from ${first} to ${end - 1} is taken`);
}

/**
 * Whether the port is this process's own from now on. The sign is a UDP socket of the same number: the system hands it
 * out once and takes it back when the process ends, however it ends, and it is not in the way of the program's TCP.
 */
async function claims(port: number): Promise<boolean> {
  const socket = dgram.createSocket('udp4').unref();
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  const bound = await listens(socket);
  if (!bound) socket.close();
  return bound;
}

/** Whether a program could listen on it, on every address of the machine. */
async function isFree(port: number): Promise<boolean> {
  const server = net.createServer().listen(port);
  if (!(await listens(server))) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** False where the port is taken or forbidden. @throws what is no matter of the port, as a full table of open files */
async function listens(socket: net.Server | dgram.Socket): Promise<boolean> {
  try {
    await once(socket, 'listening');
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
    throw error;
  }
}
