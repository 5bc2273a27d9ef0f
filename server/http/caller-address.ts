/** The address that a request was sent from. */
import { isIP } from 'node:net';
import type { Request } from 'express';

/** False for forwarded requests: behind a proxy, everything looks as if it came from here. */
export function isFromThisMachine(req: Request): boolean {
  const address = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isLoopback = isIP(address) === 4 ? address.startsWith('127.') : address === '::1';
  return isLoopback && req.get('x-forwarded-for') === undefined && req.get('forwarded') === undefined;
}

/** The network address of the caller, by the proxies that are trusted. */
export function addressOf(req: Request): string {
  return req.ip ?? req.socket.remoteAddress ?? 'unknown';
}
