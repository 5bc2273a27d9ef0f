// How many sockets may be open, in all and from one network address, decided when a connection is accepted and so before its
// first byte. A connection beyond a limit replaces the one that has been idle longest; connections with a running request stay
// open. A proxy brings all visitors from one address, so the limit per address does not count connections from this machine or
// from proxies that may name the visitor.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { networkOf } from './rate-limit.ts';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

export interface ConnectionLimits {
  total: number;
  perAddress: number;
  /** Addresses shared by many people, which only the total counts. */
  isShared: (address: string) => boolean;
}

interface Connection {
  /** Whom the limit per address counts it for. */
  network: string | undefined;
  requests: number;
}

/** Closes connections beyond the limits. */
export function limitConnections(server: Server, { total, perAddress, isShared }: ConnectionLimits): void {
  /** Ordered by idle time, longest first. */
  const open = new Map<Socket, Connection>();
  const perNetwork = new Map<string, number>();
  const count = (network: string | undefined, change: number) => {
    if (network === undefined) return;
    const sum = (perNetwork.get(network) ?? 0) + change;
    if (sum > 0) perNetwork.set(network, sum);
    else perNetwork.delete(network);
  };
  const forget = (socket: Socket) => {
    count(open.get(socket)?.network, -1);
    open.delete(socket);
  };
  const makeRoom = (network?: string): boolean => {
    for (const [socket, connection] of open) {
      if (connection.requests > 0 || (network !== undefined && connection.network !== network)) continue;
      forget(socket);
      socket.destroy();
      return true;
    }
    return false;
  };

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = isShared(address) ? undefined : networkOf(address);
    const isFull = network !== undefined && (perNetwork.get(network) ?? 0) >= perAddress;
    if ((isFull && !makeRoom(network)) || (open.size >= total && !makeRoom())) {
      socket.destroy();
      return;
    }
    open.set(socket, { network, requests: 0 });
    count(network, 1);
    socket.once('close', () => {
      if (open.has(socket)) forget(socket);
    });
  });
  server.on('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    connection.requests += 1;
    res.once('close', () => {
      connection.requests -= 1;
      // Behind those that have been idle for longer.
      if (open.delete(socket)) open.set(socket, connection);
    });
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => {
    const connection = open.get(socket);
    if (connection !== undefined) connection.requests += 1;
  });
}

/** This machine, and the proxies that the configuration trusts; a mere number of proxies says nothing about theirs. */
export function sharedAddresses(trustProxy: false | number | string): (address: string) => boolean {
  if (typeof trustProxy === 'number') return () => true;
  const list = new BlockList();
  for (const entry of trustProxy === false ? [] : trustProxy.split(',')) {
    const [address = '', prefix] = entry.trim().split('/', 2);
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0) continue;
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    return (
      LOOPBACK.test(address) || (isIP(plain) !== 0 && list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4'))
    );
  };
}
