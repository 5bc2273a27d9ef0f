/** Whether a request was sent directly from this machine. */
import { isIP } from 'node:net';
import type { Request } from 'express';

/** False for forwarded requests: behind a proxy, everything looks as if it came from here. */
export function isFromThisMachine(req: Request): boolean {
  const address = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isLoopback = isIP(address) === 4 ? address.startsWith('127.') : address === '::1';
  return isLoopback && req.get('x-forwarded-for') === undefined && req.get('forwarded') === undefined;
}
